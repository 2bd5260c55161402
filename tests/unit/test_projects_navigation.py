"""The answers behind the project tools."""

from pathlib import Path

import pytest
from projects_workspace import LINUX, load, sdk_project

from hybrid_index.navigation.projects import (
    Containment,
    MisplacedFile,
    NamespaceRow,
    ProjectEdge,
    dependency_path,
    match_project,
    namespace_layout,
    project_graph,
    projects_containing,
)
from hybrid_index.projects import ProjectModel, load_projects

SHOP = Path(__file__).parents[1] / "fixtures" / "projects" / "shop"


@pytest.fixture(scope="module")
def shop():
    paths = [path.relative_to(SHOP).as_posix() for path in SHOP.rglob("*") if path.is_file()]
    return load_projects(SHOP, paths, LINUX)


def names(graph):
    return [node.name for node in graph.nodes]


# -- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    [
        "Shop.Desktop",
        "shop.desktop",
        "legacy/Shop.Desktop/Shop.Desktop.csproj",
        ".\\legacy\\Shop.Desktop\\",
        "Shop.Desktop.csproj",
        "Contoso.Desktop",
    ],
)
def test_a_project_is_found_by_name_path_folder_file_or_assembly(shop, given):
    match = match_project(shop, given)
    assert (match.status, match.names) == ("found", ("Shop.Desktop",))


def test_a_name_that_fits_several_gives_the_candidates(tmp_path):
    model = load(tmp_path, {"x/A/A.csproj": sdk_project(), "y/A/A.csproj": sdk_project()})
    assert match_project(model, "A").status == "ambiguous"
    assert match_project(model, "A").names == ("x/A", "y/A")
    assert match_project(model, "x/A").names == ("x/A",)


def test_a_similar_name_is_not_taken(shop):
    match = match_project(shop, "Shop.Cor")
    assert (match.status, match.names, match.searched) == ("not_found", (), 6)
    assert match_project(shop, "").status == "not_found"


# -- graph -----------------------------------------------------------------------------------------------------------


def test_the_whole_graph_has_every_project_with_its_counts(shop):
    graph = project_graph(shop)
    assert len(graph.nodes) == 6
    core = next(node for node in graph.nodes if node.name == "Shop.Core")
    assert (core.dependencies, core.dependents, core.packages) == (0, 3, 1)
    assert (core.solutions, core.distance) == (("Desktop.sln", "Shop.slnx"), None)
    assert core.unknown_conditions == 1
    assert graph.roots == ("Shop.Api", "Shop.Core.Tests", "Shop.Database", "Shop.Desktop", "Shop.Shared")
    assert len(graph.statuses) == 1


def test_a_graph_can_start_from_a_project_and_look_one_way(shop):
    graph = project_graph(shop, ["Shop.Api"], direction="dependencies")
    assert [(node.name, node.distance) for node in graph.nodes] == [("Shop.Api", 0), ("Shop.Core", 1)]
    assert graph.edges == (ProjectEdge("Shop.Api", "Shop.Core", "project", ("net8.0",)),)
    graph = project_graph(shop, ["shop.core"], direction="dependents")
    assert names(graph) == ["Shop.Api", "Shop.Core", "Shop.Core.Tests", "Shop.Desktop"]
    assert names(project_graph(shop, ["Shop.Core"], direction="dependents", depth=0)) == ["Shop.Core"]


def test_a_graph_can_be_narrowed_by_glob_solution_and_tests(shop):
    assert names(project_graph(shop, ["shop.d*"], depth=0)) == ["Shop.Database", "Shop.Desktop"]
    assert names(project_graph(shop, solution="desktop.sln")) == ["Shop.Core", "Shop.Desktop"]
    assert names(project_graph(shop, tests="only")) == ["Shop.Core.Tests"]
    assert "Shop.Core.Tests" not in names(project_graph(shop, tests="exclude"))


def test_packages_and_analyzers_are_edges_of_their_own_kind(tmp_path):
    content = """<ItemGroup><ProjectReference Include="../G/G.csproj" OutputItemType="Analyzer"/>
      <ProjectReference Include="../T/T.csproj" ReferenceOutputAssembly="false"/>
      <PackageReference Include="Json" Version="1.2"/></ItemGroup>"""
    model = load(
        tmp_path, {"A/A.csproj": sdk_project(content), "G/G.csproj": sdk_project(), "T/T.csproj": sdk_project()}
    )
    graph = project_graph(model, packages=True)
    assert [(edge.target, edge.kind, edge.version) for edge in graph.edges] == [
        ("G", "analyzer", None),
        ("T", "build_only", None),
        ("Json", "package", "1.2"),
    ]
    assert [edge.kind for edge in project_graph(model).edges] == ["analyzer", "build_only"]


def test_names_that_lead_nowhere_are_said_and_the_others_answered(shop):
    graph = project_graph(shop, ["Shop.Api", "Nonsense"], depth=0)
    assert names(graph) == ["Shop.Api"]
    assert [(match.given, match.status) for match in graph.unresolved] == [("Nonsense", "not_found")]
    assert project_graph(shop, ["No*"]).unresolved[0].given == "No*"


# -- files -----------------------------------------------------------------------------------------------------------


def test_each_owner_says_how_a_file_belongs_to_it(shop):
    answers = projects_containing(
        shop,
        [
            "src/Shop.Core/Modern/Fast.cs",
            "common/BuildInfo.cs",
            "src/Shop.Shared/Guard.cs",
            "src/Shop.Api/appsettings.json",
            "common/common.json",
        ],
    )
    assert [answer.projects for answer in answers] == [
        (Containment("Shop.Core", "compiled", "src/Shop.Core/**/*.cs", None, ("net8.0",)),),
        (Containment("Shop.Api", "linked", "common/BuildInfo.cs", "Properties/BuildInfo.cs", ("net8.0",)),),
        (
            Containment("Shop.Core", "shared", "src/Shop.Shared/Guard.cs", None, ("netstandard2.0", "net8.0")),
            Containment("Shop.Shared", "shared", "src/Shop.Shared/Guard.cs", None, ()),
        ),
        (Containment("Shop.Api", "folder"),),
        (Containment("Shop.Api", "content"),),
    ]


def test_a_file_without_a_project_says_why(tmp_path, shop):
    listed, outside = projects_containing(shop, ["legacy/Shop.Desktop/Forgotten.cs", "README.md"])
    assert listed.projects == outside.projects == ()
    assert listed.note.startswith("The nearest project, Shop.Desktop, does not compile the file")
    assert outside.note.startswith("No project file lies in the file's folder")
    removing = sdk_project('<ItemGroup><Compile Remove="old/**"/></ItemGroup>')
    model = load(tmp_path, {"A/A.csproj": removing, "A/old/x.cs": ""})
    assert 'Remove="A/old/**"' in projects_containing(model, ["A/old/x.cs"])[0].note
    assert "no project file" in projects_containing(ProjectModel(), ["x.cs"])[0].note


# -- chains ----------------------------------------------------------------------------------------------------------


def test_a_chain_leads_to_a_project_or_a_package(shop):
    found = dependency_path(shop, "shop.api", "src/Shop.Core")
    assert (found.chains, found.direct) == ((("Shop.Api", "Shop.Core"),), True)
    found = dependency_path(shop, "Shop.Desktop", "system.memory")
    assert (found.chains, found.direct) == ((("Shop.Desktop", "Shop.Core", "System.Memory"),), False)
    assert found.target.names == ("System.Memory",)
    assert dependency_path(shop, "Shop.Desktop", "system.memory", packages=False).target.status == "not_found"


def test_where_only_the_other_direction_exists_it_is_shown_apart(shop):
    found = dependency_path(shop, "Shop.Core", "Shop.Api")
    assert found.chains == ()
    assert found.reversed_chains == (("Shop.Api", "Shop.Core"),)


def test_unknown_ends_of_a_chain_are_told_apart_from_no_chain(shop):
    assert dependency_path(shop, "Nope", "Shop.Core").source.status == "not_found"
    assert dependency_path(shop, "Shop.Core", "Nope").target.status == "not_found"
    none = dependency_path(shop, "Shop.Database", "Shop.Api")
    assert (none.source.status, none.target.status, none.chains) == ("found", "found", ())


# -- namespaces ------------------------------------------------------------------------------------------------------

DECLARED = {
    "src/Shop.Core/Order.cs": ["Contoso.Shop.Core"],
    "src/Shop.Core/Modern/Fast.cs": ["Contoso.Shop.Core.Old"],
    "src/Shop.Shared/Guard.cs": ["Contoso.Shop.Shared"],
    "legacy/Shop.Desktop/Forgotten.cs": ["Loose"],
    "src/Shop.Api/Program.cs": [],
}


def test_namespaces_are_laid_out_over_folders_and_strays_are_named(shop):
    layout = namespace_layout(shop, DECLARED)
    assert layout.rows == (
        NamespaceRow("Contoso.Shop.Core", "Shop.Core", ("src/Shop.Core",), 1),
        NamespaceRow("Contoso.Shop.Core.Old", "Shop.Core", ("src/Shop.Core/Modern",), 1),
        NamespaceRow("Contoso.Shop.Shared", "Shop.Core", ("src/Shop.Shared",), 1),
        NamespaceRow("Loose", None, ("legacy/Shop.Desktop",), 1),
    )
    assert layout.misplaced == (
        MisplacedFile("src/Shop.Core/Modern/Fast.cs", "Shop.Core", "Contoso.Shop.Core.Old", "Contoso.Shop.Core.Modern"),
    )
    assert (layout.files, layout.checked, layout.as_expected) == (4, 2, 1)


def test_a_layout_can_be_narrowed_to_a_project_or_a_folder(shop):
    assert namespace_layout(shop, DECLARED, folder="legacy\\").files == 1
    assert namespace_layout(shop, DECLARED, project="Shop.Core").files == 3
    assert namespace_layout(shop, DECLARED, project="Shop.Core", folder="src/Shop.Core/Modern").files == 1
