"""How the bundled model is made: what may be learnt from, the pairs, the stored table, the score."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import numpy as np
import pytest

from eval.embedder.collect import repository_pairs, save_pairs
from eval.embedder.dataset import blocks, load
from eval.embedder.model_folder import quantise_rows, read_table, write_model
from eval.embedder.pairs import (
    AS_USED,
    ONCE,
    Pair,
    Style,
    as_question,
    clean_doc,
    comment_blocks,
    commit_pairs,
    file_pairs,
    is_learnable,
)
from eval.embedder.score import Place, gain, windows
from eval.embedder.sources import ForbiddenSourceError, Snapshot, read_names, refuse_evaluation, window_hashes
from eval.embedder.validate import validate
from hybrid_index.embeddings import EmbeddingOptions, load_embedder
from hybrid_index.embeddings.static import BUNDLED_MODEL

CSHARP = """\
using System;

namespace Shop;

/// <summary>
/// Sends a reminder to every <see cref="T:Shop.Customer"/> whose basket was left behind.
/// </summary>
/// <param name="days">How long ago.</param>
public class BasketReminder
{
    private readonly IMail _mail;

    // Returns false when the customer opted out of mails
    public bool Remind(Customer customer)
    {
        if (customer.OptedOut) return false;
        _mail.Send(customer.Address, Template.Basket);
        return true;
    }
}
"""

PYTHON = '''\
def retry(call, attempts):
    """Call again with growing pauses until it succeeds.

    :param attempts: how often
    """
    for n in range(attempts):
        pause(2 ** n)
        call()
'''


def pairs_of(path: str, text: str, seed: int = 3, style: Style = ONCE) -> list[Pair]:
    return list(file_pairs(path, text, random.Random(seed), style))


def test_no_source_that_is_learnt_from_or_held_out_is_an_evaluation_repository() -> None:
    training, validation = read_names("training.txt"), read_names("validation.txt")
    refuse_evaluation([*training, *validation])
    assert not set(training) & set(validation)
    assert len(training) > 100


@pytest.mark.parametrize("name", ["dotnet/eShop", "PALLETS/click", "somebody/zod", "bitwarden/server"])
def test_an_evaluation_repository_is_refused_whoever_owns_the_copy(name: str, tmp_path: Path) -> None:
    with pytest.raises(ForbiddenSourceError, match="must not be trained on"):
        Snapshot(name, tmp_path)


def test_a_documentation_comment_becomes_its_first_sentence_without_markup() -> None:
    raw = '<summary>Sends a mail to <see cref="T:Shop.Customer"/>. Then waits for an answer.</summary>\n@param x y'
    assert clean_doc(raw) == "Sends a mail to Customer. Then waits for an answer."


@pytest.mark.parametrize(
    "raw", ["Copyright 2020 The Authors, all rights reserved", "var x = items.Count();", "ok", "<inheritdoc/>", ""]
)
def test_licences_disabled_code_and_scraps_are_no_questions(raw: str) -> None:
    assert clean_doc(raw) == ""


def test_comments_are_found_with_their_lines_in_each_style() -> None:
    lines = CSHARP.split("\n")
    assert [(start, end) for start, end, _ in comment_blocks(lines, "cs")] == [(4, 8), (12, 13)]
    html = "<!-- Main menu of\n the shop -->\n<Menu/>".split("\n")
    assert [(s, e, " ".join(t.split())) for s, e, t in comment_blocks(html, "axaml")] == [
        (0, 2, "Main menu of the shop")
    ]


def test_code_is_paired_with_its_comment_and_does_not_contain_it() -> None:
    pairs = [pair for seed in range(4) for pair in pairs_of("src/Shop/BasketReminder.cs", CSHARP, seed, AS_USED)]
    docs = [pair for pair in pairs if pair.query.startswith("Sends a reminder to every Customer")]
    assert {pair.kind for pair in docs} == {"doc", "file"}
    assert all("reminder to every" not in pair.document for pair in docs)
    assert any("BasketReminder" in pair.document for pair in docs)


def test_a_docstring_is_paired_with_the_function_without_it() -> None:
    docs = [pair for pair in pairs_of("retry.py", PYTHON) if pair.kind == "doc"]
    assert docs[0].query == "Call again with growing pauses until it succeeds."
    assert "growing" not in docs[0].document
    assert "pause(2 ** n)" in docs[0].document


def test_a_heading_is_paired_with_its_section() -> None:
    text = "# Set up the mail server\n\n" + "Open the settings page and enter the host name of the server. " * 4
    queries = {pair.query for pair in pairs_of("docs/mail.md", text)}
    assert "Set up the mail server" in queries


def test_a_commit_is_paired_with_the_place_that_it_changed() -> None:
    log = (
        "\0Fix: retry when the mail server is busy (#12)\n\n"
        "diff --git a/src/Mail.cs b/src/Mail.cs\n--- a/src/Mail.cs\n+++ b/src/Mail.cs\n@@ -1,3 +1,4 @@ class Mail\n"
        " public void Send(Message message, Address address)\n {\n"
        "-    server.Send(message);\n+    Retry(() => server.Send(message), 3);\n"
        " }\n"
        "\0Merge branch 'main'\n\ndiff --git a/x.cs b/x.cs\n"
    )
    (pair,) = commit_pairs(log, random.Random(0))
    assert pair.query == "retry when the mail server is busy"
    assert "Retry(() => server.Send(message), 3);" in pair.document
    assert "    server.Send(message);" not in pair.document.split("\n")


@pytest.mark.parametrize("path", ["vendor/x.cs", "src/x.Designer.cs", "a/eShopOnWeb/b.cs", "logo.png", "x/bin/y.cs"])
def test_copied_generated_and_binary_files_hold_no_pairs(path: str) -> None:
    assert not is_learnable(path, 1_000)
    assert is_learnable("src/Shop/Order.cs", 1_000)


def test_some_statements_are_put_as_questions_and_keep_their_words() -> None:
    rng = random.Random(0)
    asked = [as_question("Sends a mail.", rng) for _ in range(200)]
    assert 10 < sum(text != "Sends a mail." for text in asked) < 60
    assert all("ends a mail" in text for text in asked)


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    tree = tmp_path / "tree"
    (tree / "src").mkdir(parents=True)
    git(tmp_path, "init", "-q", "tree")
    (tree / "LICENSE").write_text("MIT License\n\nPermission is hereby granted, free of charge, to any person")
    (tree / "src" / "BasketReminder.cs").write_text("\ufeff" + CSHARP, encoding="utf-8")
    (tree / "src" / "retry.py").write_text(PYTHON)
    git(tree, "add", ".")
    git(tree, "commit", "-q", "-m", "Remind customers of their baskets")
    return Snapshot("somebody/reminders", tree / ".git")


def test_a_snapshot_is_read_with_its_licence_and_gives_the_same_pairs_every_time(snapshot: Snapshot) -> None:
    assert snapshot.licence() == "MIT"
    pairs = repository_pairs(snapshot, set())
    assert {pair.kind for pair in pairs} >= {"doc", "commit", "name"}
    assert pairs == repository_pairs(snapshot, set())


def test_files_copied_from_evaluation_code_are_left_out(snapshot: Snapshot) -> None:
    pairs = repository_pairs(snapshot, window_hashes(CSHARP))
    assert pairs
    assert not any(pair.path.endswith("BasketReminder.cs") for pair in pairs)


def test_pairs_are_stored_and_drawn_again_in_blocks_of_one_repository(snapshot: Snapshot, tmp_path: Path) -> None:
    texts = [
        f"{name} the {thing}" for name in ("send", "parse", "open", "close") for thing in "mail file door box".split()
    ]
    pairs = [Pair("doc", text, f"void {text} {{ return {text} again; }} stop", "x.cs") for text in texts] * 3
    folder = tmp_path / "pairs"
    folder.mkdir()
    assert save_pairs([*pairs, *repository_pairs(snapshot, set())], folder / "somebody+reminders.npz") >= 16
    (repository,) = load(folder)
    assert repository.name == "somebody/reminders"
    assert load(folder, ["another/one"]) == []
    ids, counts, offsets = repository.documents.take(np.array([2, 0]))
    first, second = (slice(repository.documents.starts[i], repository.documents.starts[i + 1]) for i in (2, 0))
    assert ids.tolist() == [*repository.documents.ids[first], *repository.documents.ids[second]]
    assert offsets.tolist() == [0, first.stop - first.start]
    assert counts.min() >= 1
    scores = validate(read_table(BUNDLED_MODEL), [repository])
    assert 0.2 < scores["all"] <= 1.0


def test_blocks_hold_each_pair_of_a_repository_once_before_any_comes_again(tmp_path: Path) -> None:
    pairs = [Pair("doc", f"question {n} about mail", f"answer {n} mail send server host", "x.cs") for n in range(64)]
    save_pairs(pairs, tmp_path / "a+b.npz")
    (repository,) = load(tmp_path)
    source = blocks([repository], 32, 0, 1.0)
    drawn = [next(source)[1] for _ in range(2)]
    assert sorted(np.concatenate(drawn).tolist()) == list(range(64))


def test_a_written_model_is_read_back_within_the_rounding_of_int8(tmp_path: Path) -> None:
    table = read_table(BUNDLED_MODEL)[:, :16] * 3
    write_model(table, BUNDLED_MODEL, tmp_path / "m")
    np.testing.assert_allclose(read_table(tmp_path / "m"), table, atol=float(np.abs(table).max()) / 254 + 1e-6)
    assert load_embedder(EmbeddingOptions(model=str(tmp_path / "m"))).dimension == 16
    rows, weights = quantise_rows(np.zeros((2, 4), np.float32))
    assert not rows.any() and weights.tolist() == [1.0, 1.0]


def test_windows_cover_every_line_with_ten_shared() -> None:
    assert list(windows("x\n" * 100)) == [(1, 50), (41, 90), (81, 100)]
    assert list(windows("x")) == [(1, 1)]


def test_a_hit_pays_once_and_lower_ranks_pay_less() -> None:
    targets = [(Place("a.cs", 1, 10), 2), (Place("a.cs", 5, 20), 1)]
    whole = Place("src/a.cs", 1, 50)
    assert gain([whole], targets, one_each=True) == pytest.approx(2 / (2 + 1 / np.log2(3)))
    assert gain([whole, whole], targets, one_each=True) == pytest.approx(1.0)
    assert gain([whole, whole], targets, one_each=False) < 1.0
    assert gain([Place("b.cs", 1, 9), Place("a.cs", 30, 40)], targets, one_each=True) == 0.0
