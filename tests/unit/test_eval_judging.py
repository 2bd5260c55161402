"""The two scoring rules, on hits made up for the purpose."""

import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.errors import EvalError
from eval.evidence import evidence_recall, lines_within
from eval.hits import Answer, RankedHit, read_lines, span_text
from eval.judging import assign_targets, first_relevant, judge
from eval.questions import Question, Target, read_questions
from eval.scoring import score


def question(*relevant: Target, secondary: tuple[Target, ...] = (), name: str = "q") -> Question:
    return Question(name, "repo", "behavior", "what?", relevant, secondary)


def hit(path: str, start: int, end: int, text: str = "") -> RankedHit:
    return RankedHit(path, start, end, text, f"{path}:{start}-{end}")


def test_a_relevant_span_at_rank_two_earns_its_discounted_share_of_the_ideal() -> None:
    asked = question(Target("a.cs", 5, 9), secondary=(Target("b.cs", 1, 3),))
    judged = judge([asked], {"q": [hit("x.cs", 1, 9), hit("a.cs", 9, 20), hit("b.cs", 3, 3)]}, "dotnet")["q"]
    ideal = 2 + 1 / math.log2(3)
    assert judged.ndcg10 == pytest.approx((2 / math.log2(3) + 1 / math.log2(4)) / ideal)
    assert (judged.hit1, judged.hit10) == (0.0, 1.0)


def test_a_span_is_credited_once_however_many_hits_overlap_it() -> None:
    asked = question(Target("a.cs", 1, 100))
    hits = [hit("a.cs", 1, 40), hit("a.cs", 41, 80), hit("a.cs", 81, 120)]
    assert assign_targets(asked, hits, "dotnet") == [0, None, None]
    assert judge([asked], {"q": hits}, "dotnet")["q"].ndcg10 == pytest.approx(1.0)


def test_a_hit_over_two_spans_takes_the_relevant_one_and_leaves_the_other_to_a_later_hit() -> None:
    asked = question(Target("a.cs", 30, 31), secondary=(Target("a.cs", 1, 20),))
    assert assign_targets(asked, [hit("a.cs", 1, 40), hit("a.cs", 10, 12)], "dotnet") == [0, 1]


def test_a_secondary_span_alone_is_no_hit_in_the_dotnet_form() -> None:
    asked = question(Target("a.cs", 1, 2), secondary=(Target("b.cs", 1, 2),))
    judged = judge([asked], {"q": [hit("b.cs", 1, 2)]}, "dotnet")["q"]
    assert judged.hit10 == 0.0 and judged.ndcg10 > 0


def test_lines_that_only_touch_do_not_overlap_and_the_dotnet_form_wants_the_exact_path() -> None:
    asked = question(Target("src/a.cs", 10, 20))
    missed = [hit("src/a.cs", 1, 9), hit("a.cs", 10, 20), hit("src/a.cs", 21, 30)]
    assert judge([asked], {"q": missed}, "dotnet")["q"].ndcg10 == 0.0


def test_a_question_without_hits_scores_zero_and_is_kept() -> None:
    asked = [question(Target("a.cs", 1, 2), name="one"), question(Target("a.cs", 1, 2), name="two")]
    judged = judge(asked, {"one": [hit("a.cs", 1, 2)]}, "dotnet")
    assert (judged["one"].ndcg10, judged["two"].ndcg10) == (1.0, 0.0)
    assert judge(asked, {}, "dotnet")["two"].hit10 == 0.0


def test_hits_below_rank_ten_do_not_count_but_their_rank_is_known() -> None:
    asked = question(Target("a.cs", 1, 2))
    hits = [hit(f"x{n}.cs", 1, 2) for n in range(10)] + [hit("a.cs", 1, 2)]
    assert judge([asked], {"q": hits}, "dotnet")["q"].hit10 == 0.0
    assert first_relevant(asked, hits, "dotnet") == 11


def benchmark_score(targets: list[Target], hits: list[RankedHit]) -> float:
    """The benchmark's rule written out: paying ranks are the first covers of the targets, the ideal has all targets."""
    paying = set()
    for target in targets:
        for rank, found in enumerate(hits[:10], 1):
            tail = found.path == target.path or ("/" + found.path).endswith("/" + target.path)
            tail = tail or ("/" + target.path).endswith("/" + found.path)
            apart = target.start_line is not None and target.end_line is not None
            apart = apart and (found.end_line < target.start_line or found.start_line > target.end_line)  # type: ignore[operator]
            if tail and not apart:
                paying.add(rank)
                break
    ideal = sum(1 / math.log2(i + 2) for i in range(min(10, len(targets))))
    return sum(1 / math.log2(rank + 1) for rank in paying) / ideal


PATHS = ["a.py", "pkg/a.py", "src/pkg/a.py", "b.py", "pkg/b.py", "c.py"]
SPANS = st.tuples(st.integers(1, 30), st.integers(0, 15)).map(lambda pair: (pair[0], pair[0] + pair[1]))
TARGETS = st.builds(
    lambda path, span: Target(path, *span) if span else Target(path), st.sampled_from(PATHS), st.none() | SPANS
)
HITS = st.builds(lambda path, span: hit(path, *span), st.sampled_from(PATHS), SPANS)


@given(st.lists(TARGETS, min_size=1, max_size=4), st.lists(HITS, max_size=14))
def test_semble_scores_equal_the_benchmarks_rule_on_any_hits(targets: list[Target], hits: list[RankedHit]) -> None:
    split = len(targets) // 2
    asked = question(*targets[:split], secondary=tuple(targets[split:]))
    judged = judge([asked], {"q": hits}, "semble")["q"]
    assert judged.ndcg10 == pytest.approx(benchmark_score(targets, hits), abs=1e-9)
    assert (judged.hit10 > 0) == (judged.ndcg10 > 0)


@given(st.lists(TARGETS, min_size=1, max_size=4), st.lists(HITS, max_size=14))
def test_dotnet_scores_stay_between_nothing_and_perfect(targets: list[Target], hits: list[RankedHit]) -> None:
    asked = question(*targets)
    assigned = [index for index in assign_targets(asked, hits, "dotnet") if index is not None]
    assert len(assigned) == len(set(assigned))
    assert 0.0 <= judge([asked], {"q": hits}, "dotnet")["q"].ndcg10 <= 1.0 + 1e-9


def body(first: int, last: int) -> str:
    return "\n".join(f"line {number}" for number in range(first, last + 1))


def test_evidence_wants_the_first_ten_lines_of_a_span_but_may_piece_them_together() -> None:
    asked = question(Target("a.cs", 5, 50))
    assert evidence_recall(asked, [hit("a.cs", 6, 60, body(6, 60))], 8000, "dotnet") == 0.0
    pieces = [hit("a.cs", 10, 60, body(10, 60)), hit("a.cs", 1, 9, body(1, 9))]
    assert evidence_recall(asked, pieces, 8000, "dotnet") == 1.0


def test_evidence_is_cut_at_the_budget_in_rank_order() -> None:
    asked = question(Target("a.cs", 1, 3))
    filler = hit("b.cs", 1, 1, "x" * 8001)
    answer = hit("a.cs", 1, 3, body(1, 3))
    assert evidence_recall(asked, [filler, answer], 2000, "dotnet") == 0.0
    assert evidence_recall(asked, [filler, answer], 4000, "dotnet") == 1.0
    assert evidence_recall(asked, [answer, filler], 2000, "dotnet") == 1.0


def test_a_line_that_the_budget_cuts_is_not_returned() -> None:
    assert lines_within([hit("a.cs", 3, 4, "x" * 30 + "\n" + "y" * 30)], 10) == [("a.cs", range(3, 4))]


def test_evidence_for_a_whole_file_is_any_line_of_it() -> None:
    asked = question(Target("pkg/a.py"), Target("b.py"))
    assert evidence_recall(asked, [hit("pkg/a.py", 7, 8, "x\ny")], 2000, "semble") == 0.5


def test_rows_name_the_rank_and_the_chunk_that_answered() -> None:
    asked = question(Target("a.cs", 1, 2))
    row = score([asked], {"q": Answer((hit("x.cs", 1, 2), hit("a.cs", 1, 2, "one\ntwo")), 3.0)}, "dotnet")[0]
    assert (row.first_rank, row.answer, row.ev2000) == (2, "a.cs:1-2", 1.0)
    assert row.top == ("x.cs:1-2", "a.cs:1-2")


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_live_lines_are_counted_as_an_editor_counts_them(tmp_path: Path, ending: str, encoding: str) -> None:
    file = tmp_path / "a.cs"
    file.write_bytes(ending.join(["one", "two\x0cstill two", "drei ä"]).encode(encoding))
    assert span_text(read_lines(file), 2, 3) == "two\x0cstill two\ndrei ä"


def test_a_missing_file_has_no_lines(tmp_path: Path) -> None:
    assert read_lines(tmp_path / "gone.cs") == []


def write(folder: Path, name: str, data: object) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(data), encoding="utf-8")
    return file


def test_dotnet_questions_are_read_with_their_spans(tmp_path: Path) -> None:
    raw = {"id": "x-1", "repo": "shop", "category": "docs", "query": "where?", "secondary": []}
    raw["relevant"] = [{"path": "a.md", "start_line": 2, "end_line": 4}]
    (read,) = read_questions([write(tmp_path, "shop.json", [raw])], "dotnet")
    assert read == Question("x-1", "shop", "docs", "where?", (Target("a.md", 2, 4),))


def test_semble_questions_take_repository_language_and_category_from_around_them(tmp_path: Path) -> None:
    write(tmp_path, "repos.json", [{"name": "lib", "language": "go"}])
    items = [
        {"query": "how it starts", "relevant": ["a.go"], "secondary": [{"path": "b.go", "start_line": 1}]},
        {"query": "Start", "relevant": ["a.go"]},
        {"query": "start it", "relevant": ["a.go"], "category": "own"},
    ]
    read = read_questions([write(tmp_path, "annotations/lib.json", items)], "semble")
    assert [(q.id, q.repo, q.language, q.category) for q in read] == [
        ("lib-001", "lib", "go", "architecture"),
        ("lib-002", "lib", "go", "symbol"),
        ("lib-003", "lib", "go", "own"),
    ]
    assert read[0].secondary == (Target("b.go"),)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({}, "list"),
        ([{"query": " ", "relevant": ["a"]}], "query"),
        ([{"query": "x", "relevant": []}], "target"),
        ([{"query": "x", "relevant": [{"path": "a", "start_line": 5, "end_line": 4}]}], "span"),
        ([{"query": "x", "relevant": [7]}], "target"),
        ([{"id": "1", "query": "x", "relevant": ["a"]}, {"id": "1", "query": "y", "relevant": ["a"]}], "already used"),
        ([], "no questions"),
    ],
)
def test_a_bad_question_file_is_named_with_what_is_wrong(tmp_path: Path, data: object, words: str) -> None:
    with pytest.raises(EvalError, match=words):
        read_questions([write(tmp_path, "q.json", data)], "dotnet")


def test_random_hits_over_many_questions_score_each_question_by_itself() -> None:
    rng = random.Random(7)
    asked = [question(Target(rng.choice(PATHS)), name=f"q{n}") for n in range(30)]
    ranked = {q.id: [hit(rng.choice(PATHS), 1, 5) for _ in range(rng.randrange(12))] for q in asked}
    judged = judge(asked, ranked, "semble")
    for one in asked:
        assert judged[one.id].ndcg10 == pytest.approx(benchmark_score(list(one.targets), ranked[one.id]))
