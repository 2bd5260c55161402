"""What every operation accepts. Unknown fields are errors; defaults come from the settings where a field is None."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Inclusion = Literal["include", "exclude", "only"]


class Request(BaseModel):
    """Base of all requests."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_tokens: int | None = Field(None, ge=100, description="Largest reply, in tokens of 4 characters.")


class Filters(Request):
    """Which files a text-ranked request looks at."""

    paths: list[str] = Field([], description="Globs a path must match, e.g. src/**/*.cs; a leading ! excludes.")
    languages: list[str] = Field([], description="Languages, e.g. csharp, razor, json.")
    extensions: list[str] = Field([], description="File extensions, e.g. .cs.")
    projects: list[str] = Field([], description="Project names or folders.")
    tests: Inclusion = Field("include", description="Test files.")
    generated: Inclusion = Field("include", description="Generated files.")


class SearchRequest(Filters):
    """`search`: a question, or words, ranked over all text."""

    query: str
    top_n: int | None = Field(None, ge=1, le=200, description="How many hits.")
    cursor: str | None = Field(None, description="next_cursor of the previous page.")
    alpha: float | None = Field(None, ge=0, description="Weight of the keyword channel.")
    beta: float | None = Field(None, ge=0, description="Weight of the vector channel.")
    signals: bool | None = Field(None, description="False ranks by the two channels alone.")
    ranking: Literal["balanced", "docs_first", "code_first"] | None = None
    snippet_lines: int | None = Field(None, ge=0, le=400)


class ExplainRequest(SearchRequest):
    """`explain_hit`: why a chunk has its rank for a query."""

    chunk_id: str = Field(description="path:start-end of a hit.")


class TextRequest(Filters):
    """`search_text`: an exact string or a regular expression over the live files."""

    pattern: str
    regex: bool = False
    ignore_case: bool = False
    whole_word: bool = False
    context_lines: int = Field(0, ge=0, le=20)
    top_n: int = Field(50, ge=1, le=1000)
    cursor: str | None = None


class FindFileRequest(Filters):
    """`find_file`: files by name, path fragment or glob."""

    pattern: str
    top_n: int = Field(20, ge=1, le=500)
    cursor: str | None = None


class ConfigRequest(Filters):
    """`config_lookup`: where a configuration key is set, and with which value."""

    key: str = Field(description="Key or path of keys: ConnectionStrings:Default, Logging.LogLevel, TargetFramework.")
    top_n: int = Field(50, ge=1, le=500)


class SourceRequest(Request):
    """`source_context`: live text of one or more spans."""

    targets: list[str] = Field(description="chunk ids or path[:start[-end]].", min_length=1, max_length=50)
    before: int = Field(0, ge=0, le=500, description="Lines added before each span.")
    after: int = Field(0, ge=0, le=500, description="Lines added after each span.")


class StatusRequest(Request):
    """`index_status`: state of the index; with paths, why each is or is not indexed."""

    explain_paths: list[str] = Field([], max_length=50)


class ReindexRequest(Request):
    """`reindex`: bring the index up to date."""

    full: bool = Field(False, description="Rebuild everything.")


class WatchRequest(Request):
    """`watch`: follow changes of the workspace, or stop."""

    enabled: bool = True
