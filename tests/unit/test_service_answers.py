import threading
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hybrid_index import HybridIndex, SearchRequest, Settings
from hybrid_index.errors import PathError, QueryError, StaleReferenceError
from hybrid_index.service.requests import (
    ConfigRequest,
    ExplainRequest,
    FindFileRequest,
    SourceRequest,
    StatusRequest,
    TextRequest,
    WatchRequest,
)

SOURCES = {
    "src/OrderService.cs": (
        "namespace Shop;\n\n/// <summary>Ships orders.</summary>\npublic class OrderService\n{\n"
        "    public void CancelOrder(int id) { Audit(id); }\n    void Audit(int id) { }\n}\n"
    ),
    "src/Basket.cs": "namespace Shop;\n\npublic class Basket\n{\n    public int Count;\n}\n",
    "tests/OrderServiceTests.cs": "public class OrderServiceTests { public void CancelOrder_works() { } }\n",
    "appsettings.json": '{\n  // local\n  "Orders": { "Retries": 3 }\n}\n',
    "appsettings.Production.json": '{ "Orders": { "Retries": 9 } }\n',
    "README.md": "# Shop\n\nHow to cancel an order, and what a basket is. 注文の取り消し\n",
}


def write(root: Path, sources: dict[str, str] = SOURCES) -> Path:
    for path, text in sources.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode("utf-8"))
    return root


def open_index(root: Path, **overrides: str) -> HybridIndex:
    place = {"semantic.provider": "hashing", "index.dir": str(root.parent / "index")}
    return HybridIndex.open(root, Settings.load(root, {**place, **overrides}))


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    root = tmp_path_factory.mktemp("shop") / "work"
    root.mkdir()
    with open_index(write(root)) as index:
        index.reindex()
        yield index


def test_the_declaration_comes_before_the_test_and_the_page_that_mention_it(shop):
    hits = shop.search(SearchRequest(query="CancelOrder")).hits
    assert hits[0].path == "src/OrderService.cs"
    assert hits[0].hit_kind in ("text_fts", "text_hybrid")


def test_a_snippet_is_a_part_of_the_live_file(shop):
    for hit in shop.search(SearchRequest(query="cancel order basket")).hits:
        assert hit.snippet
        assert hit.snippet in (shop.root / hit.path).read_text(encoding="utf-8")


def test_words_inside_a_cjk_run_are_found(shop):
    assert shop.search(SearchRequest(query="取り消し", beta=0, alpha=1)).hits[0].path == "README.md"


def test_alpha_alone_gives_the_keyword_order_and_beta_alone_the_vector_order(shop):
    query = "cancel order basket count"
    lexical = shop.search(SearchRequest(query=query, alpha=1, beta=0, signals=False, top_n=50)).hits
    assert [hit.fts_rank for hit in lexical] == list(range(1, len(lexical) + 1))
    vector = shop.search(SearchRequest(query=query, alpha=0, beta=1, signals=False, top_n=50)).hits
    assert [hit.vec_rank for hit in vector] == list(range(1, len(vector) + 1))
    assert lexical
    assert vector


def test_the_contributions_of_every_hit_add_up_to_its_score_and_keep_its_rank(shop):
    query = "where are orders cancelled"
    for hit in shop.search(SearchRequest(query=query, top_n=50)).hits:
        explained = shop.explain_hit(ExplainRequest(query=query, chunk_id=hit.chunk_id))
        assert explained.rank == hit.rank
        assert sum(part.value for part in explained.contributions) == pytest.approx(explained.raw_score)
        assert explained.score == pytest.approx(hit.score, abs=1e-3)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.one_of(st.text(max_size=60), st.sampled_from(["C#", "net8.0", "@page", '"unbalanced', "-x", "NEAR("])))
def test_no_query_raises_and_an_empty_answer_says_why(shop, query):
    reply = shop.search(SearchRequest(query=query))
    assert reply.hits or "nothing" in reply.summary or "no word" in reply.summary


def test_filters_hold_inside_both_channels(shop):
    only_json = shop.search(SearchRequest(query="orders retries basket", languages=["json"])).hits
    assert {hit.language for hit in only_json} == {"json"}
    assert not any(h.is_test for h in shop.search(SearchRequest(query="CancelOrder", tests="exclude")).hits)
    inline = shop.search(SearchRequest(query="CancelOrder path:src/**")).hits
    assert {hit.path for hit in inline} <= {"src/OrderService.cs", "src/Basket.cs"}


def test_pages_give_every_hit_once(shop):
    query = "cancel order basket shop"
    whole = [hit.chunk_id for hit in shop.search(SearchRequest(query=query, top_n=50)).hits]
    paged: list[str] = []
    cursor = None
    while True:
        reply = shop.search(SearchRequest(query=query, top_n=2, cursor=cursor))
        paged += [hit.chunk_id for hit in reply.hits]
        cursor = reply.next_cursor
        if cursor is None:
            break
    assert paged == whole
    with pytest.raises(QueryError, match="another request"):
        first = shop.search(SearchRequest(query=query, top_n=1))
        shop.search(SearchRequest(query="other", cursor=first.next_cursor))


@pytest.mark.parametrize("tokens", [400, 800, 2_000])
def test_a_reply_stays_within_its_budget(shop, tokens):
    reply = shop.search(SearchRequest(query="cancel order basket", max_tokens=tokens, top_n=50))
    assert len(reply.model_dump_json()) <= tokens * 4


def test_exact_text_is_found_with_its_place_and_a_bad_pattern_is_explained(shop):
    reply = shop.search_text(TextRequest(pattern="CancelOrder(int"))
    assert [(m.path, m.line, m.column) for m in reply.matches] == [("src/OrderService.cs", 6, 17)]
    assert shop.search_text(TextRequest(pattern="audit", whole_word=True, ignore_case=True)).total == 2
    with pytest.raises(QueryError, match="not a regular expression"):
        shop.search_text(TextRequest(pattern="(", regex=True))
    with pytest.raises(QueryError, match="nested"):
        shop.search_text(TextRequest(pattern="(a+)+$", regex=True))


def test_an_anchor_of_an_expression_means_a_line_not_the_file(shop):
    reply = shop.search_text(TextRequest(pattern=r"^\s+public void \w+", regex=True, paths=["src/**"]))
    assert [(m.path, m.line) for m in reply.matches] == [("src/OrderService.cs", 6)]
    assert shop.search_text(TextRequest(pattern=r"\{$", regex=True, paths=["src/**"])).total == 2


def test_globs_know_sets_and_ignore_case_and_a_malformed_one_is_explained(shop):
    found = shop.search_text(TextRequest(pattern="class", paths=["SRC/[ob]*.cs"]))
    assert {match.path for match in found.matches} == {"src/OrderService.cs", "src/Basket.cs"}
    only_one = shop.search_text(TextRequest(pattern="class", paths=["*.cs", "!**/Basket.*", "!tests/"]))
    assert {match.path for match in only_one.matches} == {"src/OrderService.cs"}
    with pytest.raises(QueryError, match="not a glob"):
        shop.search_text(TextRequest(pattern="class", paths=["src/[ob"]))


def test_files_are_found_by_name_part_and_glob(shop):
    assert shop.find_file(FindFileRequest(pattern="OrderService")).files[0].path == "src/OrderService.cs"
    assert {f.path for f in shop.find_file(FindFileRequest(pattern="**/*.json")).files} == {
        "appsettings.json",
        "appsettings.Production.json",
    }


def test_a_configuration_key_is_found_in_every_layer_with_its_line(shop):
    values = shop.config_lookup(ConfigRequest(key="orders:retries")).values
    assert [(v.path, v.line, v.value) for v in values] == [
        ("appsettings.Production.json", 1, "9"),
        ("appsettings.json", 3, "3"),
    ]


def test_source_is_read_live_and_a_bad_target_does_not_cost_the_good_ones(shop):
    reply = shop.source_context(SourceRequest(targets=["src/Basket.cs:3-4", "../outside.cs", "src/Basket.cs:99"]))
    assert [block.text for block in reply.blocks] == ["public class Basket\n{"]
    assert [failure.target for failure in reply.failed] == ["../outside.cs", "src/Basket.cs:99"]


def test_an_id_that_is_gone_names_its_neighbour(shop):
    with pytest.raises(StaleReferenceError, match="nearest one is src/Basket.cs:"):
        shop.explain_hit(ExplainRequest(query="basket", chunk_id="src/Basket.cs:2-3"))


def test_an_edit_a_rename_and_a_delete_are_in_the_next_answer(tmp_path):
    root = tmp_path / "work"
    root.mkdir()
    with open_index(write(root)) as index:
        index.reindex()
        (root / "src/Basket.cs").write_text("public class Basket { int zebra; }\n", encoding="utf-8")
        assert index.search(SearchRequest(query="zebra", beta=0, alpha=1)).hits[0].path == "src/Basket.cs"
        (root / "src/Basket.cs").rename(root / "src/Trolley.cs")
        (root / "README.md").unlink()
        reply = index.search(SearchRequest(query="zebra", beta=0, alpha=1))
        assert [hit.path for hit in reply.hits] == ["src/Trolley.cs"]
        assert reply.index.status == "fresh"
        assert "README.md" not in {f.path for f in index.find_file(FindFileRequest(pattern="*")).files}


def test_many_changes_make_the_answer_stale_and_are_counted(tmp_path):
    root = tmp_path / "work"
    root.mkdir()
    with open_index(write(root), **{"index.inline_max_files": "2"}) as index:
        index.reindex()
        write(root, {f"new{n}.md": f"# New {n}\n" for n in range(5)})
        state = index.search(SearchRequest(query="basket")).index
        assert (state.status, state.lagging_files) == ("stale", 5)
        assert state.reason


def test_without_vectors_keywords_answer_and_the_reply_says_so(tmp_path):
    root = tmp_path / "work"
    root.mkdir()
    with open_index(write(root), **{"semantic.enabled": "false"}) as index:
        index.reindex()
        reply = index.search(SearchRequest(query="CancelOrder"))
        assert reply.hits
        assert reply.index.vector == "off"
    missing = {
        "semantic.provider": "static",
        "semantic.model": str(tmp_path / "no-model"),
        "index.dir": str(tmp_path / "i"),
    }
    with open_index(root, **missing) as index:
        index.reindex()
        reply = index.search(SearchRequest(query="CancelOrder"))
        assert reply.hits
        assert reply.index.vector.startswith("unavailable(")


def test_another_model_replaces_every_vector(tmp_path):
    root = tmp_path / "work"
    root.mkdir()
    with open_index(write(root)) as index:
        index.reindex()
        first = index.index_status()
    with open_index(root, **{"semantic.provider": "static"}) as index:
        index.reindex()
        second = index.index_status()
    assert first.model != second.model
    assert first.vectors > 0
    assert second.vectors > 0


def test_a_database_that_was_replaced_is_answered_from(tmp_path):
    root = tmp_path / "work"
    root.mkdir()
    with open_index(write(root)) as index:
        index.reindex()
        assert index.search(SearchRequest(query="basket")).hits
        index.store.discard()
        reply = index.search(SearchRequest(query="basket"))
        assert reply.index.status == "missing"
        with open_index(root) as other:
            other.reindex()
        assert index.search(SearchRequest(query="basket")).hits


@pytest.mark.parametrize("folder", ["src", "packages/app"])
def test_a_watched_edit_becomes_searchable(tmp_path, folder):
    root = tmp_path / "work"
    root.mkdir()
    with open_index(write(root, {f"{folder}/Basket.cs": "public class Basket { }\n"})) as index:
        index.reindex()
        index.watch(WatchRequest())
        deadline, waiting = time.monotonic() + 20, threading.Event()
        while not index.watcher.ready:  # from here on only an event can tell of the edit
            assert time.monotonic() < deadline
            waiting.wait(0.02)
        index.search(SearchRequest(query="basket"))
        (root / folder / "Basket.cs").write_text("public class Basket { int okapi; }\n", encoding="utf-8")
        while not index.search(SearchRequest(query="okapi", alpha=1, beta=0)).hits:
            assert time.monotonic() < deadline
            waiting.wait(0.02)


def test_status_explains_paths_and_names_reasons(shop):
    (shop.root / "picture.bin").write_bytes(bytes(range(256)) * 8)
    shop.reindex()
    reply = shop.index_status(StatusRequest(explain_paths=["src/Basket.cs", "picture.bin", "nowhere.cs"]))
    assert [e.reason for e in reply.explained] == ["indexed", "binary", "missing"]
    assert {entry.reason for entry in reply.skipped} >= {"binary"}


def test_a_home_directory_is_refused_as_a_root():
    with pytest.raises(PathError):
        HybridIndex.open(Path.home(), Settings())
