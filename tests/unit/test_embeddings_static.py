"""The static provider: the bundled model, other folders, damaged folders."""

from __future__ import annotations

import json
import multiprocessing
import pickle
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from hybrid_index.embeddings import Embedder, EmbeddingOptions, load_embedder
from hybrid_index.embeddings.static import BUNDLED_MODEL
from hybrid_index.embeddings.weights import open_tensors
from hybrid_index.errors import ModelError

TEXTS = [
    "public async Task<Order> CancelOrderAsync(int orderId) => await _orders.CancelAsync(orderId);",
    "def parse_http_headers(raw: bytes) -> dict[str, str]:\n    return dict(split(raw))",
    '<MudButton OnClick="Save">Größe naïve ΣΑΣ ２０２６ 東京 x\u0301</MudButton>',
    "word " * 900,
    "",
    "東京 ♥",
]


@pytest.fixture(scope="module")
def bundled() -> Embedder:
    return load_embedder(EmbeddingOptions())


def write_model(folder: Path, table: np.ndarray, tokenizer: dict, **tensors: np.ndarray) -> Path:
    folder.mkdir(parents=True)
    names = {np.dtype("f4"): "F32", np.dtype("f2"): "F16", np.dtype("i1"): "I8", np.dtype("i8"): "I64"}
    header, body = {}, b""
    for name, tensor in {"embeddings": table, **tensors}.items():
        raw = tensor.tobytes()
        header[name] = {
            "dtype": names[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [len(body), len(body) + len(raw)],
        }
        body += raw
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + body)
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    (folder / "config.json").write_text('{"normalize": true}', encoding="utf-8")
    return folder


def word_level_tokenizer(*words: str) -> dict:
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "WordLevel",
            "vocab": {"[UNK]": 0, **{w: i for i, w in enumerate(words, 1)}},
            "unk_token": "[UNK]",
        },
    }


def load_folder(folder: Path) -> Embedder:
    return load_embedder(EmbeddingOptions(model=str(folder)))


def test_rows_are_unit_vectors_or_zeros_where_no_word_is_known(bundled: Embedder) -> None:
    rows = bundled.embed_documents(TEXTS)
    assert rows.shape == (len(TEXTS), bundled.dimension)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), [1, 1, 1, 1, 0, 0], atol=1e-5)


def test_a_question_gets_the_vector_that_the_same_text_gets_as_a_document(bundled: Embedder) -> None:
    np.testing.assert_array_equal(bundled.embed_query(TEXTS[0]), bundled.embed_documents(TEXTS[:1])[0])


def test_vectors_equal_those_of_model2vec_on_the_same_folder(bundled: Embedder) -> None:
    model2vec = pytest.importorskip("model2vec")
    model = model2vec.StaticModel.from_pretrained(str(BUNDLED_MODEL), force_download=False)
    np.testing.assert_allclose(bundled.embed_documents(TEXTS), model.encode(TEXTS), atol=1e-3)


def test_the_bundled_model_finds_the_chunk_that_answers(bundled: Embedder) -> None:
    chunks = [
        "void SendMail(string to) { smtp.Send(new MailMessage(from, to)); }",
        "int RetryWithBackoff(Func<int> call) { for (var attempt = 0; ; attempt++) { Thread.Sleep(delay); } }",
        "string MaskCardNumber(string number) => number.Substring(number.Length - 4).PadLeft(12, 'X');",
    ]
    rows = bundled.embed_documents(chunks)
    assert np.argmax(rows @ bundled.embed_query("how are failed calls tried again after waiting")) == 1
    assert np.argmax(rows @ bundled.embed_query("hide credit card digits")) == 2
    assert np.argmax(rows @ bundled.embed_query("where is email sent")) == 0


def test_a_document_says_where_it_stands(bundled: Embedder) -> None:
    text = bundled.document_text("src/Ordering.API/Apis/OrdersApi.v1.cs", "OrdersApi.Cancel", "int x;")
    assert text == "Ordering.API Apis OrdersApi.v1\n" * 4 + "OrdersApi.Cancel\nint x;"
    once = load_embedder(EmbeddingOptions(header_components=2, header_repeats=1))
    assert once.document_text("src/Shop/.editorconfig", "", "root = true") == "Shop .editorconfig\nroot = true"
    bare = load_embedder(EmbeddingOptions(header_components=0))
    assert bare.document_text("src/a.cs", "", "int x;") == "int x;"


def test_another_header_makes_another_model_id(bundled: Embedder) -> None:
    others = {EmbeddingOptions(header_components=1), EmbeddingOptions(header_repeats=1)}
    assert len({load_embedder(options).model_id for options in others} | {bundled.model_id}) == 3


def test_a_model_with_other_weights_has_another_id(tmp_path: Path, bundled: Embedder) -> None:
    folder = tmp_path / BUNDLED_MODEL.name
    shutil.copytree(BUNDLED_MODEL, folder)
    assert load_folder(folder).model_id == bundled.model_id
    weights = folder / "model.safetensors"
    raw = bytearray(weights.read_bytes())
    raw[-1] ^= 1
    weights.write_bytes(raw)
    assert load_folder(folder).model_id != bundled.model_id


def test_threads_get_the_same_vectors_as_one_caller(bundled: Embedder) -> None:
    texts = [f"{text} {n}" for n in range(40) for text in TEXTS[:3]]
    expected = load_embedder(EmbeddingOptions()).embed_documents(texts)
    fresh = load_embedder(EmbeddingOptions())
    with ThreadPoolExecutor(4) as pool:
        for rows in pool.map(lambda _: fresh.embed_documents(texts), range(4)):
            np.testing.assert_array_equal(rows, expected)


def test_a_worker_process_opens_a_pickled_model_itself(bundled: Embedder) -> None:
    assert len(pickle.dumps(bundled)) < 1_000
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        rows = pool.apply(bundled.embed_documents, (TEXTS,))
    np.testing.assert_array_equal(rows, bundled.embed_documents(TEXTS))


def test_a_folder_with_another_kind_of_tokenizer_works(tmp_path: Path) -> None:
    table = np.array([[9, 9], [3, 4], [0, 2]], np.float32)
    model = load_folder(write_model(tmp_path / "words", table, word_level_tokenizer("alpha", "beta")))
    np.testing.assert_allclose(model.embed_query("Alpha"), [0.6, 0.8], atol=1e-6)
    np.testing.assert_allclose(model.embed_query("alpha beta nobody"), np.array([3, 6]) / np.sqrt(45), atol=1e-6)
    assert not model.embed_query("nobody").any()


def test_weights_and_mapping_of_a_folder_are_applied(tmp_path: Path) -> None:
    table = np.array([[1, 0], [0, 1]], np.int8)
    model = load_folder(
        write_model(
            tmp_path / "mapped",
            table,
            word_level_tokenizer("alpha", "beta"),
            weights=np.array([1, 3, 4], np.float32),
            mapping=np.array([0, 0, 1], np.int64),
        )
    )
    np.testing.assert_allclose(model.embed_query("alpha beta"), [0.6, 0.8], atol=1e-6)


def test_half_precision_tables_are_read(tmp_path: Path) -> None:
    table = np.array([[0, 0], [0.6, 0.8]], np.float16)
    model = load_folder(write_model(tmp_path / "half", table, word_level_tokenizer("alpha")))
    np.testing.assert_allclose(model.embed_query("alpha"), [0.6, 0.8], atol=1e-3)


def test_a_missing_folder_is_refused_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no model folder.*nowhere"):
        load_folder(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("model.safetensors", None, "cannot be read"),
        ("model.safetensors", b"short", "not a safetensors file"),
        ("model.safetensors", b"\xff" * 64, "not a safetensors file"),
        ("model.safetensors", (2).to_bytes(8, "little") + b"{}", "no table named 'embeddings'"),
        ("model.safetensors", (2).to_bytes(8, "little") + b"[]", "not a usable safetensors file"),
        ("tokenizer.json", None, "cannot be read"),
        ("tokenizer.json", b"{", "is not a tokenizer"),
        ("tokenizer.json", b"[]", "is not a tokenizer"),
        ("tokenizer.json", b'{"model": {"type": "nonsense"}}', "not a tokenizer that the tokenizers library reads"),
        ("config.json", b"[]", "must be an object"),
        ("config.json", b"{", "is not JSON"),
        ("config.json", b'{"max_length": "all"}', "max_length"),
    ],
)
def test_a_damaged_folder_is_refused_with_the_reason(
    tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    folder = write_model(tmp_path / "m", np.ones((2, 2), np.float32), word_level_tokenizer("alpha"))
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(content)
    with pytest.raises(ModelError, match=message):
        load_folder(folder)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"dtype": "BF16", "shape": [1, 2], "data_offsets": [0, 4]}, "number format BF16"),
        ({"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 4]}, "does not fit the file"),
        ({"dtype": "F32", "shape": [900, 2], "data_offsets": [0, 7200]}, "does not fit the file"),
        ({"dtype": "F32", "shape": [-1, -2], "data_offsets": [0, 8]}, "does not fit the file"),
        ({"shape": [1, 2]}, "not a usable safetensors file"),
    ],
)
def test_a_tensor_that_does_not_fit_its_file_is_refused(tmp_path: Path, entry: dict, message: str) -> None:
    text = json.dumps({"embeddings": entry}).encode()
    path = tmp_path / "model.safetensors"
    path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(8))
    with pytest.raises(ModelError, match=message):
        open_tensors(path)


def test_a_tokenizer_larger_than_the_table_is_reported(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m", np.ones((2, 2), np.float32), word_level_tokenizer("alpha", "beta"))
    model = load_folder(folder)
    with pytest.raises(ModelError, match="more tokens than the table"):
        model.embed_query("beta")


def test_a_mapping_beyond_the_table_is_refused(tmp_path: Path) -> None:
    folder = write_model(
        tmp_path / "m", np.ones((2, 2), np.float32), word_level_tokenizer("a"), mapping=np.array([0, 2], np.int64)
    )
    with pytest.raises(ModelError, match="mapping points beyond"):
        load_folder(folder)
