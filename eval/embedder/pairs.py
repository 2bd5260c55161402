"""From the files and commits of a repository to pairs of (what a person would ask, what answers it)."""

from __future__ import annotations

import posixpath
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from hybrid_index.embeddings import EmbeddingOptions
from hybrid_index.embeddings.header import with_place

WINDOW_LINES = 50  # as the product cuts text that it has no grammar for
_MAX_CODE_LINES = 40
_MAX_QUERY_CHARS = 240
_HEADER_SHARE = 0.9  # of documents carry their path, as in use; the rest teach the text alone

_SLASH = {
    "c", "h", "cc", "cpp", "hpp", "cs", "java", "js", "jsx", "ts", "tsx", "mjs", "go", "rs", "kt", "kts", "scala",
    "swift", "php", "zig", "fs", "razor", "scss", "groovy", "proto", "vue", "cshtml", "glsl",
}  # fmt: skip
_HASH = {"py", "rb", "sh", "bash", "ex", "exs", "yml", "yaml", "toml", "ps1", "psm1", "cmake", "editorconfig", "bats"}
_DASH = {"lua", "hs", "sql"}
_ANGLE = {"xml", "csproj", "props", "targets", "axaml", "xaml", "resx", "config", "html", "razor", "cshtml", "vue"}
_PLAIN = {"json", "css", "sln", "slnx", "txt", "dockerfile", "mjml", "hbs"}
TEXT_KINDS = _SLASH | _HASH | _DASH | _ANGLE | _PLAIN | {"md"}

_SKIP = re.compile(
    r"(^|/)(vendor|third[_-]?party|node_modules|dist|bin|obj|external|deps|generated|locales?|i18n|testdata|fixtures|"
    r"snapshots?|__snapshots__|baselines?|proprietary|enterprise|ee)(/|$)|\.(min|g|designer|generated)\.|migrations?/|"
    r"e-?shop|testshop|_pb2",
    re.IGNORECASE,
)
_TEST = re.compile(r"(^|[/._-])(tests?|specs?|benchmarks?)([/._-]|$)|Tests?\.", re.IGNORECASE)

_BAD_DOC = re.compile(
    r"copyright|licen[cs]e|spdx|auto-?generated|do not edit|eslint|pylint|rubocop|noqa|todo|fixme|@ts-|#region|pragma|"
    r"https?://\S+$|inheritdoc",
    re.IGNORECASE,
)
_CODE_LIKE = re.compile(r"[;{}]\s*$|^\s*[\w.]+\s*\(.*\)\s*;?$|[=<>!]=|=>|->\s|\w+\(\)\s*;|^\s*</?\w+")
_TAG_REF = re.compile(
    r"<(?:see|paramref|typeparamref|seealso)\b[^>]*?(?:cref|name|langword|href)=\"(?:\w:)?([^\"]*)\"[^>]*/?>"
)
_TAG = re.compile(r"</?[A-Za-z][^>]*>")
_INLINE = re.compile(r"\{@\w+\s+([^}]*)\}|\[([^\]]+)\]\([^)]*\)|`+([^`]*)`+")
_SENTENCE_END = re.compile(r"(?<=[.!?:])\s+(?=[A-Z`\"'(])")
_BLOCK_TAG = re.compile(
    r"^\s*[@\\](param|return|throws|see|since|author|type|example|note|deprecated|internal)\b.*", re.S
)
_PROSE = re.compile(r"[A-Za-z]{2,}")
_DECLARATION = re.compile(
    r"\b(?:class|struct|interface|enum|record|trait|object|module|def|func|fn|function|fun|protocol|defmodule|type|impl)\s+"
    r"([A-Za-z_][\w.]{3,})|\b([A-Za-z_]\w{4,})\s*\([^;]*\)\s*(?:\{|=>|:|$)"
)
_QUESTION_FRONTS = (
    "how does {}", "where is {}", "how is {} handled", "which code {}", "where do we {}", "what {}", "code that {}",
    "find where {}", "how to {}", "which class {}", "where the {}", "{} implementation", "which setting {}",
)  # fmt: skip
_COMMIT_NOISE = re.compile(
    r"\(?#\d+\)?|\[[^\]]*\]|^\w+(\([^)]*\))?!?:\s+|^(fix(es)?|feat|chore|docs|refactor)\b:?|\s+\(.*?\)$"
)
_MERGE = re.compile(
    r"^(merge|bump|release|revert|version|update (dependenc|changelog|submodule)|v?\d)|dependabot", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Style:
    """How documents are made: two of the bundled model's four runs saw each style."""

    path_repeats: int = 1  # times that the path's line stands before a document; in use it is four
    any_part: bool = False  # also pair a file's first comment with any window of the file


ONCE = Style()
AS_USED = Style(path_repeats=4, any_part=True)


@dataclass(frozen=True, slots=True)
class Pair:
    """One example: the question side, the document side with its path line, and where it comes from."""

    kind: str  # "doc" | "file" | "commit" | "section" | "name"
    query: str
    document: str
    path: str


def kind_of(path: str) -> str:
    """Extension in lower case, or the whole name where there is none."""
    name = posixpath.basename(path).lower()
    return name.rsplit(".", 1)[-1]


def is_learnable(path: str, size: int) -> bool:
    """Whether a file can hold pairs: text of a known kind, written here, of a usual size."""
    return 150 <= size <= 300_000 and kind_of(path) in TEXT_KINDS and not _SKIP.search(path)


def is_test(path: str) -> bool:
    """Whether the path looks like a test's: these are sampled more thinly."""
    return bool(_TEST.search(path))


def clean_doc(raw: str) -> str:
    """First sentence or two of a documentation comment as plain prose; "" where it is none."""
    text = _TAG_REF.sub(lambda m: m[1].rsplit(".", 1)[-1], raw)
    text = _INLINE.sub(lambda m: m[1] or m[2] or m[3] or "", _TAG.sub(" ", text))
    text = _BLOCK_TAG.sub("", text)
    paragraphs = [" ".join(p.split()) for p in re.split(r"\n\s*\n|\n\s*[@\\](?:param|return|throws)", text)]
    text = next((p for p in paragraphs if len(_PROSE.findall(p)) >= 3), "")
    if not text or _BAD_DOC.search(text) or _CODE_LIKE.search(text):
        return ""
    sentences = _SENTENCE_END.split(text)
    out = sentences[0]
    if len(out) < 40 and len(sentences) > 1:
        out += " " + sentences[1]
    words = _PROSE.findall(out)
    return out[:_MAX_QUERY_CHARS] if len(words) >= 3 and len(" ".join(words)) > 0.55 * min(len(out), 240) else ""


def _comment_text(line: str, kind: str) -> str | None:
    """Text of a line that is only a comment; None for any other."""
    stripped = line.strip()
    if kind in _SLASH and stripped.startswith("//"):
        return stripped.lstrip("/!").strip()
    if kind in _HASH and stripped.startswith("#") and not stripped.startswith("#!"):
        return stripped.lstrip("#").strip()
    if kind in _DASH and stripped.startswith("--"):
        return stripped.lstrip("-").removeprefix(" |").strip()
    return None


_BLOCKS = (("/*", "*/", _SLASH), ("<!--", "-->", _ANGLE), ("{-", "-}", {"hs"}), ('@doc """', '"""', {"ex"}),
           ('@moduledoc """', '"""', {"ex"}), ('"""', '"""', {"py"}), ("@*", "*@", {"razor", "cshtml"}))  # fmt: skip


def comment_blocks(lines: list[str], kind: str) -> Iterator[tuple[int, int, str]]:
    """(first line, line after the last, text) of every comment that stands on lines of its own."""
    i = 0
    while i < len(lines):
        stripped = lines[i].strip()
        block = next((b for b in _BLOCKS if kind in b[2] and stripped.removeprefix("r").startswith(b[0])), None)
        if block is not None:
            opening, closing, _ = block
            body = stripped[stripped.index(opening) + len(opening) :]
            end = i
            while closing not in body and end + 1 < len(lines) and end - i < 80:
                end += 1
                body += "\n" + lines[end].strip().lstrip("*" if opening == "/*" else "").strip()
            yield i, end + 1, body.split(closing)[0].lstrip("*!| ")
            i = end + 1
            continue
        if _comment_text(lines[i], kind) is None:
            i += 1
            continue
        start, texts = i, []
        while i < len(lines) and (text := _comment_text(lines[i], kind)) is not None:
            texts.append(text)
            i += 1
        yield start, i, "\n".join(texts)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _code_after(lines: list[str], start: int) -> list[str]:
    """The declaration that begins at `start`: its lines until a less indented one, or a blank one at its level."""
    if start >= len(lines) or not lines[start].strip():
        return []
    level = _indent(lines[start])
    out = [lines[start]]
    for line in lines[start + 1 : start + _MAX_CODE_LINES]:
        if line.strip() and _indent(line) < level:
            break
        if not line.strip() and len(out) > 3 and _indent(out[-1]) <= level and out[-1].strip()[:1] in "})]ei":
            break
        out.append(line)
    return out


def with_header(path: str, text: str, rng: random.Random, style: Style = ONCE) -> str:
    """The document under its path's line, now and then without it."""
    if rng.random() >= _HEADER_SHARE:
        return text
    return with_place(path, "", text, EmbeddingOptions().header_components, style.path_repeats)


def file_pairs(path: str, text: str, rng: random.Random, style: Style = ONCE) -> Iterator[Pair]:
    """Pairs within one file: comment -> code, first comment -> any part, name -> code, heading -> section."""
    kind = kind_of(path)
    lines = text.split("\n")
    if kind == "md":
        yield from _section_pairs(path, lines, rng, style)
        return
    any_part = style.any_part
    for start, end, raw in comment_blocks(lines, kind):
        query = clean_doc(raw)
        if not query:
            continue
        docstring = kind == "py" and '"""' in lines[start]
        first = start - 1 if docstring and start else end
        without = lines[:start] + lines[end:]
        position = start - 1 if docstring and start else start
        code = _code_after(lines, first) if not docstring else _code_after(without, max(position, 0))
        if sum(map(len, code)) < 40:
            continue
        if rng.random() < 0.5:
            top = max(0, position - rng.randrange(WINDOW_LINES - 5))
            code = without[top : top + WINDOW_LINES]
        yield Pair("doc", query, with_header(path, "\n".join(code), rng, style), path)
        if any_part:
            any_part = False
            top = rng.randrange(max(1, len(without) - WINDOW_LINES // 2))
            window = "\n".join(without[top : top + WINDOW_LINES])
            yield Pair("file", query, with_header(path, window, rng, style), path)
    names = list(_DECLARATION.finditer(text))
    for match in rng.sample(names, min(len(names), 2)):
        line = text.count("\n", 0, match.start())
        top = max(0, line - rng.randrange(WINDOW_LINES - 5))
        body = "\n".join(lines[top : top + WINDOW_LINES])
        yield Pair("name", match[1] or match[2], with_header(path, body, rng, style), path)


def _section_pairs(path: str, lines: list[str], rng: random.Random, style: Style) -> Iterator[Pair]:
    heads = [i for i, line in enumerate(lines) if re.match(r"#{1,4}\s+\S", line)]
    for start, end in pairwise([*heads, len(lines)]):
        title = lines[start].lstrip("# ").strip()
        body = "\n".join(lines[start + 1 : min(end, start + WINDOW_LINES)]).strip()
        if len(body) < 120 or len(_PROSE.findall(title)) < 2:
            continue
        yield Pair("section", title[:_MAX_QUERY_CHARS], with_header(path, body, rng, style), path)
        sentence = clean_doc(body)
        rest = body[body.find("\n\n") :] if "\n\n" in body else ""
        if sentence and len(rest) > 150:
            yield Pair("section", sentence, with_header(path, f"{lines[start]}\n{rest}", rng, style), path)


def as_question(query: str, rng: random.Random) -> str:
    """Now and then put a statement into a question's words, so that these come to weigh little."""
    if rng.random() > 0.15:
        return query
    return rng.choice(_QUESTION_FRONTS).format(query[:1].lower() + query[1:].rstrip("."))


def commit_pairs(log: str, rng: random.Random, style: Style = ONCE) -> Iterator[Pair]:
    """Pairs of a `git log -p` text with `%x00%s` as its format: subject -> the changed place of each file."""
    for entry in log.split("\0")[1:]:
        subject, _, patch = entry.partition("\n")
        if _MERGE.search(subject):
            continue
        query = " ".join(_COMMIT_NOISE.sub(" ", subject).split())
        if len(_PROSE.findall(query)) < 3:
            continue
        files = re.split(r"^diff --git ", patch, flags=re.MULTILINE)[1:]
        files = [
            f for f in files if (m := re.search(r"^\+\+\+ b/(.+)$", f, re.MULTILINE)) and is_learnable(m[1], 1_000)
        ]
        if not 1 <= len(files) <= 6:
            continue
        for file in rng.sample(files, min(len(files), 2)):
            path = file.split("+++ b/", 1)[1].split("\n", 1)[0].strip()
            hunks = re.split(r"^@@.*?@@.*$", file, flags=re.MULTILINE)[1:]
            hunk = max(hunks, key=len, default="")
            body = [line[1:] for line in hunk.split("\n") if line[:1] in {"+", " "}][:WINDOW_LINES]
            if sum(map(len, body)) >= 80:
                yield Pair("commit", query[:_MAX_QUERY_CHARS], with_header(path, "\n".join(body), rng, style), path)
