"""Solution files in their three formats."""

import pytest
from projects_workspace import load, sdk_project

SLN = """
Microsoft Visual Studio Solution File, Format Version 12.00
# Visual Studio Version 17
Project("{2150E333-8FDC-42A3-9474-1A3956D46DE8}") = "src", "src", "{AAAAAAAA-1}"
EndProject
Project("{2150E333-8FDC-42A3-9474-1A3956D46DE8}") = "inner", "inner", "{AAAAAAAA-2}"
	ProjectSection(SolutionItems) = preProject
		README.md = README.md
	EndProjectSection
EndProject
Project("{9A19103F-16F7-4668-BE54-9A1E7A4F7556}") = "A", "src\\A\\A.csproj", "{BBBBBBBB-1}"
EndProject
Project("{FAE04EC0-301F-11D3-BF4B-00C04F79EFBC}") = "B", "src\\B\\B.csproj", "{BBBBBBBB-2}"
EndProject
Project("{FAE04EC0-301F-11D3-BF4B-00C04F79EFBC}") = "Gone", "Gone\\Gone.csproj", "{BBBBBBBB-3}"
EndProject
Project("{FAE04EC0-301F-11D3-BF4B-00C04F79EFBC}") = "Away", "..\\Away\\Away.csproj", "{BBBBBBBB-4}"
EndProject
Global
	GlobalSection(NestedProjects) = preSolution
		{AAAAAAAA-2} = {AAAAAAAA-1}
		{BBBBBBBB-1} = {aaaaaaaa-1}
		{BBBBBBBB-2} = {AAAAAAAA-2}
	EndGlobalSection
EndGlobal
"""
SLNX = """<Solution>
  <Configurations><Platform Name="Any CPU"/></Configurations>
  <Folder Name="/src/"><Project Path="src/A/A.csproj"/></Folder>
  <Folder Name="/docs/"><File Path="README.md"/></Folder>
  <Project Path="src\\B\\B.csproj" Type="Classic C#"/>
  <Project Path="Gone/Gone.csproj"/>
</Solution>"""
FILES = {"src/A/A.csproj": sdk_project(), "src/B/B.csproj": sdk_project(), "README.md": ""}


def folders(solution):
    return {folder.path: (folder.projects, folder.files) for folder in solution.folders}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_sln_files_list_projects_folders_and_what_is_missing(tmp_path, encoding):
    model = load(tmp_path, {**FILES, "Shop.sln": SLN.replace("\n", "\r\n").encode(encoding)})
    [solution] = model.solutions
    assert (solution.path, solution.projects) == ("Shop.sln", ("A", "B"))
    assert folders(solution) == {"/src/": (("A",), ()), "/src/inner/": (("B",), ("README.md",))}
    assert set(solution.missing) == {"Gone/Gone.csproj", "../Away/Away.csproj"}
    found = {status.message for status in model.statuses}
    assert found == {
        "The solution lists a project that is not in the workspace: 'Gone/Gone.csproj'.",
        "The solution lists a project that lies outside the workspace: '../Away/Away.csproj'.",
    }


def test_a_solution_that_misses_many_projects_is_one_remark(tmp_path):
    listed = "".join(f'<Project Path="p{index}/p{index}.csproj"/>' for index in range(8))
    model = load(tmp_path, {"a.slnx": f"<Solution>{listed}</Solution>"})
    [status] = model.statuses
    assert status.message.endswith("'p4/p4.csproj' and 3 more.")
    assert len(model.solutions[0].missing) == 8


def test_slnx_files_list_the_same(tmp_path):
    [solution] = load(tmp_path, {**FILES, "Shop.slnx": SLNX}).solutions
    assert solution.projects == ("A", "B")
    assert folders(solution) == {"/src/": (("A",), ()), "/docs/": ((), ("README.md",))}
    assert solution.missing == ("Gone/Gone.csproj",)


def test_slnf_files_narrow_a_solution_and_keep_its_folders(tmp_path):
    content = (
        '{"solution": {"path": "..\\\\Shop.slnx", "projects": ["src\\\\A\\\\A.csproj", "src\\\\C\\\\C.csproj", 3]}}'
    )
    model = load(tmp_path, {**FILES, "Shop.slnx": SLNX, "filters/Only A.slnf": content})
    solution = next(each for each in model.solutions if each.path.endswith(".slnf"))
    assert (solution.filter_of, solution.projects) == ("Shop.slnx", ("A",))
    assert folders(solution) == {"/src/": (("A",), ())}
    assert solution.missing == ("src/C/C.csproj",)


def test_solutions_may_overlap_and_projects_need_none(tmp_path):
    one = '<Solution><Project Path="src/A/A.csproj"/><Project Path="src/B/B.csproj"/></Solution>'
    two = '<Solution><Project Path="../src/A/A.csproj"/></Solution>'
    files = {**FILES, "One.slnx": one, "other/Two.slnx": two, "loose/L.csproj": sdk_project()}
    model = load(tmp_path, files)
    assert [solution.projects for solution in model.solutions] == [("A", "B"), ("A",)]
    assert model.solutions_of("A") == ("One.slnx", "other/Two.slnx")
    assert model.solutions_of("L") == ()


@pytest.mark.parametrize(
    ("name", "content", "part"),
    [
        ("a.sln", "just text", "does not look like a solution file"),
        ("a.sln", b"\x00\x01\x02\xff", "does not look like a solution file"),
        ("a.slnx", "<Solution>", "not well-formed"),
        ("a.slnx", "<Project/>", "its root element is 'Project'"),
        ("a.slnx", '<!DOCTYPE x [<!ENTITY a "b">]><Solution/>', "document type or entities"),
        ("a.slnf", "{", "not a solution filter"),
        ("a.slnf", "[]", "not a solution filter"),
        ("a.slnf", '{"solution": {"path": 1, "projects": []}}', "not a solution filter"),
        ("a.slnf", "[" * 100_000, "not a solution filter"),
    ],
)
def test_damaged_solutions_become_status_rows(tmp_path, name, content, part):
    model = load(tmp_path, {**FILES, name: content})
    assert model.solutions == ()
    [status] = [status for status in model.statuses if status.path == name]
    assert (status.severity, part in status.message) == ("error", True)
    assert len(model.projects) == 2


def test_a_filter_of_itself_and_folders_in_a_loop_do_no_harm(tmp_path):
    content = '{"solution": {"path": "a.slnf", "projects": ["src/A/A.csproj"]}}'
    loop = SLN.replace("{BBBBBBBB-1} = {aaaaaaaa", "{AAAAAAAA-1} = {aaaaaaaa")
    model = load(tmp_path, {**FILES, "a.slnf": content, "b.sln": loop})
    assert [solution.projects for solution in model.solutions] == [("A",), ("A", "B")]
