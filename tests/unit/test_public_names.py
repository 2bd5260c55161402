import hybrid_index


def test_public_names_are_sorted_and_each_can_be_used():
    assert hybrid_index.__all__ == sorted(hybrid_index.__all__)
    for name in hybrid_index.__all__:
        assert getattr(hybrid_index, name).__name__ == name


def test_a_name_that_is_not_public_is_an_attribute_error():
    assert not hasattr(hybrid_index, "Store")
