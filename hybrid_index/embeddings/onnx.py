"""Transformer models through fastembed: better vectors for those whose machine can afford them. An optional extra."""

from __future__ import annotations

import hashlib
import json
import posixpath
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybrid_index.embeddings.options import EmbeddingOptions
from hybrid_index.errors import ModelError

_HASH_DIGITS = 10
_TOKENIZER_FILES = ("tokenizer.json", "config.json", "tokenizer_config.json", "special_tokens_map.json")


class FastembedEmbedder:
    """Embeds texts with a model of fastembed's catalogue, or with the ONNX model in a local folder.

    Raises:
        ModelError: the extra is not installed, the name is unknown, the folder is incomplete, or the model cannot be
            had (a catalogue model is fetched once; without a network it must be in fastembed's cache already).
    """

    def __init__(self, options: EmbeddingOptions) -> None:
        self._options = options
        text_embedding = _import_fastembed()
        if not options.model:
            raise ModelError(
                "The fastembed provider needs a model: set semantic.model to a name of its catalogue "
                "(such as 'BAAI/bge-small-en-v1.5') or to a folder with an ONNX model."
            )
        folder = Path(options.model).expanduser()
        threads = options.threads or None
        if folder.is_dir():
            self._model, self._model_id = _open_folder(text_embedding, folder, threads)
        else:
            self._model, self._model_id = _open_named(text_embedding, options.model, threads)
        self._dimension = len(self.embed_query("dimension"))

    def __reduce__(self) -> tuple[type[FastembedEmbedder], tuple[EmbeddingOptions]]:
        return FastembedEmbedder, (self._options,)

    @property
    def model_id(self) -> str:
        """Model name with a content hash (a folder) or fastembed's version (a catalogue model)."""
        return self._model_id

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        return self._dimension

    def document_text(self, path: str, context: str, text: str) -> str:
        """Put the file's name and the enclosing names before the chunk, as a short heading."""
        heading = " ".join(part for part in (posixpath.basename(path), context) if part)
        return f"{heading}\n{text}" if heading else text

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed chunks into unit rows."""
        if not texts:
            return np.zeros((0, self._dimension), np.float32)
        return _unit_rows(self._model.passage_embed(list(texts), batch_size=self._options.batch_size))

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed a question into a unit vector, with the prefix that the model wants for questions."""
        return np.asarray(_unit_rows(self._model.query_embed(text))[0])


def _import_fastembed() -> Any:
    try:
        from fastembed import TextEmbedding
    except ImportError as error:
        raise ModelError(
            "The fastembed provider is not installed: run  pip install 'hybrid-index[fastembed]'  "
            "or set semantic.provider to 'static'."
        ) from error
    return TextEmbedding


def _open_named(text_embedding: Any, name: str, threads: int | None) -> tuple[Any, str]:
    known = {str(entry["model"]).lower(): str(entry["model"]) for entry in text_embedding.list_supported_models()}
    if name.lower() not in known:
        raise ModelError(
            f"'{name}' is neither a folder nor a model of fastembed's catalogue. Its {len(known)} models are listed by "
            "fastembed.TextEmbedding.list_supported_models()."
        )
    try:
        model = text_embedding(known[name.lower()], threads=threads)
    except Exception as error:  # download, cache and runtime failures have no common base
        raise ModelError(
            f"The model '{name}' could not be loaded ({error}). It is fetched once; where there is no network, name a "
            "local folder with the model in semantic.model, or set semantic.provider to 'static'."
        ) from error
    return model, f"{known[name.lower()]}@fastembed-{version('fastembed')}"


def _open_folder(text_embedding: Any, folder: Path, threads: int | None) -> tuple[Any, str]:
    """Register the folder as a custom model, named by its content so that a changed model is another one."""
    model_file = _model_file(folder)
    for name in _TOKENIZER_FILES:
        if not (folder / name).is_file():
            raise ModelError(f"The model folder {folder} has no {name}; fastembed needs {', '.join(_TOKENIZER_FILES)}.")
    digest = hashlib.sha256()
    for path in (folder / model_file, folder / "tokenizer.json"):
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    model_id = f"{folder.name}@{digest.hexdigest()[:_HASH_DIGITS]}"
    try:
        from fastembed.common.model_description import ModelSource, PoolingType

        registered = {str(entry["model"]) for entry in text_embedding.list_supported_models()}
        if model_id not in registered:
            text_embedding.add_custom_model(
                model=model_id,
                pooling=PoolingType.CLS if _wants_first_token(folder) else PoolingType.MEAN,
                normalization=True,
                sources=ModelSource(url="local"),
                dim=_hidden_size(folder),
                model_file=model_file,
            )
        model = text_embedding(model_id, threads=threads, specific_model_path=str(folder))
    except Exception as error:  # the runtime's failures have no common base
        raise ModelError(f"The ONNX model in {folder} could not be loaded: {error}.") from error
    return model, model_id


def _model_file(folder: Path) -> str:
    """The one ONNX file of the folder; `model.onnx` where there are several."""
    found = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.onnx"))
    preferred = [name for name in found if posixpath.basename(name) == "model.onnx"]
    choice = preferred or found
    if not choice:
        raise ModelError(f"The model folder {folder} holds no .onnx file.")
    if len(choice) > 1:
        raise ModelError(f"The model folder {folder} holds several models ({', '.join(found)}); keep one.")
    return choice[0]


def _wants_first_token(folder: Path) -> bool:
    """Whether the model pools by its first token; sentence-transformers folders say so, others mean the mean."""
    try:
        pooling = json.loads((folder / "1_Pooling" / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(pooling.get("pooling_mode_cls_token")) if isinstance(pooling, dict) else False


def _hidden_size(folder: Path) -> int:
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return int(config.get("hidden_size") or config.get("dim"))


def _unit_rows(vectors: Iterable[NDArray[Any]]) -> NDArray[np.float32]:
    rows = np.asarray(list(vectors), np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    np.divide(rows, lengths, out=rows, where=lengths > 0.0)
    return rows
