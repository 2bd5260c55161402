"""Whole workspaces: the committed sample, names, and files that are damaged or hostile."""

import os
import pickle
from pathlib import Path

import pytest
from projects_workspace import LINUX, load, only, packages, sdk_project, usings, write

from hybrid_index.projects import ProjectModel, load_projects
from hybrid_index.projects.loading import project_names

SHOP = Path(__file__).parents[1] / "fixtures" / "projects" / "shop"


@pytest.fixture(scope="module")
def shop():
    paths = [path.relative_to(SHOP).as_posix() for path in SHOP.rglob("*") if path.is_file()]
    return load_projects(SHOP, paths, LINUX)


def test_the_sample_workspace_has_its_projects(shop):
    found = {project.name: (project.kind, project.output_type, project.is_test) for project in shop.projects}
    assert found == {
        "Shop.Api": ("csharp", "Exe", False),
        "Shop.Core": ("csharp", "Library", False),
        "Shop.Core.Tests": ("csharp", "Library", True),
        "Shop.Database": ("sql", "", False),
        "Shop.Desktop": ("csharp", "WinExe", False),
        "Shop.Shared": ("shared", "", False),
    }


def test_the_sample_workspace_is_connected(shop):
    assert {name: shop.references(name) for name in ("Shop.Api", "Shop.Core.Tests", "Shop.Desktop", "Shop.Core")} == {
        "Shop.Api": ("Shop.Core",),
        "Shop.Core.Tests": ("Shop.Core",),
        "Shop.Desktop": ("Shop.Core",),
        "Shop.Core": (),
    }
    assert shop.solutions_of("Shop.Core") == ("Desktop.sln", "Shop.slnx")
    assert [status.message for status in shop.statuses] == [
        "The project refers to 'legacy/Shop.Gone/Shop.Gone.csproj', which is not in the workspace."
    ]


def test_the_sample_core_project_is_evaluated_for_each_framework(shop):
    core = shop.project("Shop.Core")
    assert core.target_frameworks == ("netstandard2.0", "net8.0")
    assert core.root_namespace == "Contoso.Shop.Core"
    assert "FAST_PATH" in core.defines_for("net8.0")
    assert "FAST_PATH" not in core.defines_for("netstandard2.0")
    assert packages(core) == {"System.Memory": "4.5.5"}
    assert core.internals_visible_to == ("Shop.Core.Tests",)
    assert "System.Net.Http" not in usings(core)
    assert shop.target_frameworks_of("src/Shop.Core/Modern/Fast.cs", "Shop.Core") == ("net8.0",)


def test_the_sample_test_project_inherits_from_both_props(shop):
    tests = shop.project("Shop.Core.Tests")
    assert packages(tests) == {"xunit": "2.9.2"}
    assert "Xunit" in usings(tests) and "System.Linq" in usings(tests)


def test_the_unknown_condition_of_the_sample_is_shown_where_it_stands(shop):
    [unknown] = shop.project("Shop.Api").unknown_conditions
    assert (unknown.path, unknown.line, unknown.affects) == ("Directory.Build.props", 6, "BuildStamp")


def test_the_sample_files_belong_where_the_build_puts_them(shop):
    assert shop.projects_of("common/BuildInfo.cs") == ("Shop.Api",)
    assert shop.projects_of("src/Shop.Shared/Guard.cs") == ("Shop.Core", "Shop.Shared")
    assert shop.projects_of("src/Shop.Api/appsettings.json") == ("Shop.Api",)
    assert shop.projects_of("common/common.json") == ("Shop.Api",)
    assert shop.projects_of("legacy/Shop.Desktop/Program.cs") == ("Shop.Desktop",)
    assert shop.projects_of("legacy/Shop.Desktop/Forgotten.cs") == ()
    assert shop.projects_of("db/Shop.Database/Orders.sql") == ("Shop.Database",)
    assert shop.projects_of("Directory.Build.props") == ()


def test_a_model_knows_which_changes_make_it_stale(shop):
    assert shop.is_affected_by("Directory.Build.props")
    assert shop.is_affected_by("src/New/New.csproj")
    assert shop.is_affected_by("src/New/packages.config")
    assert shop.is_affected_by("src/Shop.Shared/Shop.Shared.projitems")
    assert not shop.is_affected_by("src/Shop.Core/Order.cs")


def test_a_model_survives_being_sent_to_another_process(shop):
    copy = pickle.loads(pickle.dumps(shop))
    assert copy == shop
    assert copy.projects_of("common/BuildInfo.cs") == ("Shop.Api",)


def test_the_order_of_the_paths_does_not_matter(shop):
    paths = sorted((path.relative_to(SHOP).as_posix() for path in SHOP.rglob("*") if path.is_file()), reverse=True)
    assert load_projects(SHOP, paths, LINUX) == shop


# -- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a/A.csproj", "b/B.csproj"], ["A", "B"]),
        (["x/A/A.csproj", "y/A/A.csproj"], ["x/A", "y/A"]),
        (["x/one/A.csproj", "y/one/A.csproj"], ["x/one/A", "y/one/A"]),
        (["A.csproj", "sub/A.csproj"], ["A", "sub/A"]),
        (["p/A.csproj", "p/A.fsproj"], ["p/A.csproj", "p/A.fsproj"]),
        (["x/A.csproj", "x/A/A.csproj"], ["x/A.csproj", "x/A/A.csproj"]),
        (["x/App.csproj", "y/APP.csproj"], ["x/App", "y/APP"]),
    ],
)
def test_names_are_stems_with_as_many_folders_as_namesakes_need(paths, names):
    assert project_names(paths) == dict(zip(paths, names, strict=True))


# -- trouble ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("", "not well-formed"),
        ("<Project>", "not well-formed"),
        (b"\xff\xfe\x00", "not well-formed"),
        ("<Solution/>", "its root element is 'Solution'"),
        ('<?xml version="1.0" encoding="klingon"?><Project/>', "encoding"),
        ('<!DOCTYPE Project [<!ENTITY x "y">]><Project>&x;</Project>', "document type or entities"),
        ('<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><Project>&x;</Project>', "document type or entities"),
        ("<Project>" + "<a>" * 5000 + "</a>" * 5000 + "</Project>", "nested deeper"),
        ("<Project>" + " " * 4_000_001 + "</Project>", "larger than"),
    ],
)
def test_a_damaged_project_is_a_status_row_and_the_others_load(tmp_path, content, part):
    model = load(tmp_path, {"Bad/Bad.csproj": content, "Good/Good.csproj": sdk_project()})
    assert only(model).name == "Good"
    [status] = model.statuses
    assert (status.path, status.severity) == ("Bad/Bad.csproj", "error")
    assert part in status.message


def test_a_project_that_vanished_after_the_scan_is_a_status_row(tmp_path):
    model = load_projects(tmp_path, ["Gone/Gone.csproj", "Gone.sln"])
    assert [status.severity for status in model.statuses] == ["error", "error"]
    assert all("does not exist" in status.message for status in model.statuses)


def test_nothing_is_read_through_a_link_that_leaves_the_workspace(tmp_path):
    outside = tmp_path / "outside.props"
    outside.write_text(
        "<Project><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>", encoding="utf-8"
    )
    root = tmp_path / "root"
    paths = write(root, {"A.csproj": sdk_project('<Import Project="link.props"/>')})
    try:
        os.symlink(outside, root / "link.props")
    except OSError:
        pytest.skip("links cannot be made here")
    model = load_projects(root, [*paths, "link.props"], LINUX)
    assert only(model).output_type == "Library"
    assert "outside the workspace" in model.statuses[0].message


def test_the_content_of_a_file_that_is_not_xml_never_shows(tmp_path):
    model = load(tmp_path, {"A.csproj": sdk_project('<Import Project=".env"/>'), ".env": "PASSWORD=hunter2"})
    assert model.statuses
    assert "hunter2" not in repr(model)


def test_properties_that_double_themselves_end_in_a_remark(tmp_path):
    doubling = "<A>$(A)$(A)</A>" * 64
    content = f"<PropertyGroup><A>xxxxxxxx</A>{doubling}<LangVersion>$(A)</LangVersion></PropertyGroup>"
    project = only(load(tmp_path, {"A.csproj": sdk_project(content)}))
    assert len(project.lang_version) < 300_000


def test_very_many_elements_end_in_a_remark(tmp_path):
    content = "<PropertyGroup/>" * 210_000
    model = load(tmp_path, {"A.csproj": sdk_project(content)})
    assert any("the rest was not read" in status.message for status in model.statuses)


def test_a_workspace_without_projects_is_an_empty_model(tmp_path):
    model = load(tmp_path, {"readme.md": ""})
    assert model == ProjectModel()
    assert model.projects_of("readme.md") == ()
    assert model.assignments(["readme.md"]) == {"readme.md": ()}
