"""Laws that hold for any project file: nothing raises, globs match a reference, bulk answers equal single ones."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from hybrid_index.projects import ProjectModel, ProjectOptions, read_model
from hybrid_index.projects.conditions import evaluate_condition
from hybrid_index.projects.documents import UnreadableDocument
from hybrid_index.projects.expressions import expand
from hybrid_index.projects.files import WorkspaceFiles
from hybrid_index.projects.globs import compile_glob
from hybrid_index.projects.scope import ProjectScope

OPTIONS = ProjectOptions(operating_system="Linux")


class MemoryReader:
    """Files of a workspace that exists only in memory."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def read(self, path: str) -> bytes:
        if path not in self.files:
            raise UnreadableDocument("the file does not exist")
        return self.files[path]

    def exists(self, path: str) -> bool:
        return path in self.files


def scope() -> ProjectScope:
    files = WorkspaceFiles(MemoryReader({}), ["src/A/A.csproj", "Directory.Build.props"], "shop")
    made = ProjectScope(files, "src/A/A.csproj", OPTIONS, "net8.0", {})
    made.set_property("Name", "Contoso.Shop")
    made.set_property("List", "a;b;c")
    made.condition_directory = made.project_directory
    return made


# -- the evaluator ---------------------------------------------------------------------------------------------------

pieces = st.sampled_from(
    [
        "$(Name)", "$(List)", "$(Missing)", "$(Name.", "$([MSBuild]::", "Add(1, 2)", ".Substring(1, 2)", ".Split(';')",
        "[0]", ".Length", ")", "(", "'", '"', "`", "==", "!=", "<", ">=", " and ", " or ", "!", "Exists(", "true",
        "false", "1", "1.2.3", "@(Compile)", "@(X->'%(Y)')", "%(Z)", "%41", "%", "$", "[", "]", ";", ",", ".", "\\",
        "/../", "$([System.IO.Path]::Combine('a', 'b'))", "$([System.Version]::Parse('1.2'))", "\x00", "é", " ",
        "$([MSBuild]::GetPathOfFileAbove('Directory.Build.props'))", "IsTargetFrameworkCompatible", "net8.0",
    ]
)  # fmt: skip
texts = st.one_of(st.text(max_size=60), st.lists(pieces, max_size=14).map("".join))


@given(texts)
def test_any_condition_has_an_outcome_and_an_unknown_one_a_reason(text: str) -> None:
    outcome = evaluate_condition(text, scope())
    assert outcome.value in (True, False, None)
    assert bool(outcome.reason) == (outcome.value is None)


@given(texts)
def test_any_expression_expands_to_text(text: str) -> None:
    notes: list[str] = []
    assert isinstance(expand(text, scope(), notes), str)
    assert all(notes)


@given(texts, texts)
def test_logic_agrees_with_kleene(left: str, right: str) -> None:
    at_hand = scope()
    first, second = (evaluate_condition(text, at_hand).value for text in (left, right))
    parseable = all("parsed" not in evaluate_condition(text, at_hand).reason and text.strip() for text in (left, right))
    if not parseable:
        return
    both = evaluate_condition(f"({left}) and ({right})", at_hand).value
    either = evaluate_condition(f"({left}) or ({right})", at_hand).value
    negated = evaluate_condition(f"!({left})", at_hand).value
    assert both is (False if False in (first, second) else None if None in (first, second) else True)
    assert either is (True if True in (first, second) else None if None in (first, second) else False)
    assert negated is (None if first is None else not first)


# -- globs -----------------------------------------------------------------------------------------------------------

names = st.text(alphabet="ab.C", min_size=1, max_size=4)
segments = st.one_of(st.just("**"), st.just("*.*"), st.text(alphabet="ab.C*?", min_size=1, max_size=6))
globs = st.lists(segments, min_size=1, max_size=6).map("/".join)
paths = st.lists(names, min_size=1, max_size=6).map("/".join)


def reference_matches(pattern: str, path: str) -> bool:
    """A plain recursive reading of MSBuild's rules."""

    def walk(left: list[str], right: list[str]) -> bool:
        if not left:
            return not right
        if left[0] == "**":
            if len(left) == 1:
                return bool(right)
            return any(walk(left[1:], right[index:]) for index in range(len(right) + 1))
        return bool(right) and name_matches(left[0], right[0]) and walk(left[1:], right[1:])

    def name_matches(segment: str, name: str) -> bool:
        if segment == "*.*":
            return True
        expression = "".join(".*" if char == "*" else "." if char == "?" else re.escape(char) for char in segment)
        return re.fullmatch(expression, name) is not None

    return walk(pattern.lower().split("/"), path.lower().split("/"))


@settings(max_examples=400)
@given(globs, paths)
def test_globs_match_as_the_reference_does(pattern: str, path: str) -> None:
    assert compile_glob(pattern)(path.lower()) is reference_matches(pattern, path)


# -- whole workspaces ------------------------------------------------------------------------------------------------

folders = st.lists(st.sampled_from(["a", "b", "C"]), max_size=3).map("/".join)
attributes = st.sampled_from(["Include", "Remove", "Update"])
specs = st.sampled_from(
    [
        "*.cs",
        "**/*.cs",
        "../**/*.cs",
        "b/**",
        "x.cs",
        "../x.cs",
        "@(Compile)",
        "**/*.json",
        "../../../../out.cs",
        "A;x.cs",
    ]
)
elements = st.tuples(st.sampled_from(["Compile", "Content", "None", "Foo"]), attributes, specs).map(
    lambda made: f'<{made[0]} {made[1]}="{made[2]}"/>'
)
bodies = st.lists(elements, max_size=4).map(lambda made: f"<ItemGroup>{''.join(made)}</ItemGroup>")
projects = st.dictionaries(
    st.tuples(folders, st.sampled_from(["P.csproj", "Q.csproj", "S.vbproj", "T.proj"])), bodies, max_size=4
)
file_names = st.sampled_from(["x.cs", "y.CS", "z.json", "w.vb", "README.md"])
file_paths = st.lists(st.tuples(folders, file_names), max_size=12, unique=True)


def joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


@st.composite
def workspaces(draw: st.DrawFn) -> tuple[ProjectModel, list[str]]:
    files = {
        joined(folder, name): f'<Project Sdk="Microsoft.NET.Sdk">{body}</Project>'.encode()
        for (folder, name), body in draw(projects).items()
    }
    files |= {joined(folder, name): b"" for folder, name in draw(file_paths)}
    return read_model(MemoryReader(files), list(files), "shop", OPTIONS), list(files)


@given(workspaces())
def test_assignments_equal_single_answers(workspace: tuple[ProjectModel, list[str]]) -> None:
    model, files = workspace
    assert model.assignments(files) == {path: model.projects_of(path) for path in files}


@given(workspaces())
def test_membership_equals_replaying_the_compile_lists(workspace: tuple[ProjectModel, list[str]]) -> None:
    model, files = workspace
    for path in files:
        if not path.lower().endswith((".cs", ".vb", ".fs")):
            continue
        expected = set()
        for project in model.projects:
            for compile_set in project.compile:
                held = False
                for item in compile_set.items:
                    if reference_matches(item.pattern, path):
                        excluded = any(reference_matches(each, path) for each in item.excludes)
                        held = (held or not excluded) if item.action == "include" else False
                if held:
                    expected.add(project.name)
        assert set(model.projects_of(path)) == expected


@given(workspaces())
def test_names_are_unique_and_references_name_projects(workspace: tuple[ProjectModel, list[str]]) -> None:
    model, _ = workspace
    names_in_use = [project.name for project in model.projects]
    assert len(set(names_in_use)) == len(names_in_use)
    assert all(set(model.references(name)) <= set(names_in_use) for name in names_in_use)


@given(st.binary(max_size=300), st.sampled_from(["p.csproj", "p.sln", "p.slnx", "p.slnf", "Directory.Build.props"]))
def test_any_bytes_make_a_model(content: bytes, name: str) -> None:
    files = {"a/A.csproj": b'<Project Sdk="Microsoft.NET.Sdk"/>', name: content}
    model = read_model(MemoryReader(files), list(files), "shop", OPTIONS)
    assert model.project("A") is not None
