"""How text becomes words, on both the writing and the asking side."""

from hybrid_index.store import expand_text, expand_word, split_identifier


def test_an_identifier_is_indexed_whole_and_in_parts() -> None:
    assert split_identifier("GetHTTPUrl2_x") == ["Get", "HTTP", "Url", "2", "x"]
    assert expand_word("GetOrderAsync").split() == ["GetOrderAsync", "Get", "Order", "Async"]
    assert expand_word("order_id").split() == ["orderid", "order", "id"]


def test_one_letter_parts_are_left_out_of_the_index() -> None:
    assert expand_word("IService").split() == ["IService", "Service"]


def test_words_inside_a_cjk_run_are_indexed_as_pairs() -> None:
    assert expand_text("注文管理").split() == ["注文", "文管", "管理"]
    assert expand_text("文").split() == ["文"]
