"""Questions about the graph of projects, and which project a file belongs to."""

import pytest
from projects_workspace import load, sdk_project


def project(*references, packages=()):
    items = [f'<ProjectReference Include="../{name}/{name}.csproj"/>' for name in references]
    items += [f'<PackageReference Include="{name}" Version="1"/>' for name in packages]
    return sdk_project(f"<ItemGroup>{''.join(items)}</ItemGroup>")


@pytest.fixture
def model(tmp_path):
    graph = {"Web": ("Api", "Ui"), "Api": ("Core", "Data"), "Ui": ("Core",), "Data": ("Core",), "Core": (), "Lone": ()}
    files = {f"{name}/{name}.csproj": project(*references) for name, references in graph.items()}
    files["Core/Core.csproj"] = project(packages=("Json",))
    return load(tmp_path, files)


def test_dependencies_and_dependents_carry_their_distance(model):
    assert model.dependencies("Web") == {"Api": 1, "Ui": 1, "Core": 2, "Data": 2}
    assert model.dependencies("Web", depth=1) == {"Api": 1, "Ui": 1}
    assert model.dependents("Core") == {"Api": 1, "Data": 1, "Ui": 1, "Web": 2}
    assert model.dependents("Lone") == model.dependencies("Core") == model.dependencies("nonsense") == {}
    assert (model.references("Api"), model.referrers("Api")) == (("Core", "Data"), ("Web",))


def test_every_shortest_chain_is_given(model):
    assert model.dependency_path("Web", "Core") == (("Web", "Api", "Core"), ("Web", "Ui", "Core"))
    assert model.dependency_path("Web", "Data") == (("Web", "Api", "Data"),)
    assert model.dependency_path("Web", "Web") == (("Web",),)
    assert model.dependency_path("Core", "Web") == ()
    assert model.dependency_path("nonsense", "Web") == ()


def test_chains_may_end_in_a_package(model):
    assert model.dependency_path("Ui", "json", packages=True) == (("Ui", "Core", "json"),)
    assert model.dependency_path("Ui", "Json") == ()
    assert model.dependency_path("Lone", "Json", packages=True) == ()


def test_the_number_of_chains_is_bounded(tmp_path):
    middle = [f"M{i}" for i in range(30)]
    files = {"Top/Top.csproj": project(*middle), "End/End.csproj": project()}
    files |= {f"{name}/{name}.csproj": project("End") for name in middle}
    assert len(load(tmp_path, files).dependency_path("Top", "End")) == 10


def test_circles_are_found_and_do_not_trap_the_other_questions(tmp_path):
    graph = {"A": ("B",), "B": ("C",), "C": ("A", "D"), "D": ("E",), "E": ("D",), "F": ("F", "A")}
    model = load(tmp_path, {f"{name}/{name}.csproj": project(*references) for name, references in graph.items()})
    assert model.cycles() == (("A", "B", "C"), ("D", "E"))
    assert model.dependencies("A") == {"B": 1, "C": 2, "D": 3, "E": 4}
    assert model.dependency_path("A", "E") == (("A", "B", "C", "D", "E"),)
    assert model.dependency_path("A", "F") == ()


def test_very_long_chains_do_not_exhaust_the_stack(tmp_path):
    files = {f"P{i}/P{i}.csproj": project(f"P{i + 1}") for i in range(1500)}
    files["P1500/P1500.csproj"] = project("P0")
    model = load(tmp_path, files)
    assert len(model.cycles()[0]) == 1501
    assert len(model.dependency_path("P0", "P1500")[0]) == 1501


def test_a_folder_has_a_namespace_by_convention(tmp_path):
    content = sdk_project("<PropertyGroup><RootNamespace>Contoso.Core</RootNamespace></PropertyGroup>")
    model = load(tmp_path, {"src/Core/Core.csproj": content})
    assert model.namespace_of_folder("src/Core") == "Contoso.Core"
    assert model.namespace_of_folder("src/Core/Data Access/2024/") == "Contoso.Core.Data_Access._2024"
    assert model.namespace_of_folder("src") is None


def test_other_files_belong_to_the_nearest_folder_with_a_project(tmp_path):
    model = load(
        tmp_path,
        {
            "A/A.csproj": sdk_project(),
            "A/B/B.csproj": sdk_project(),
            "A/B/C.fsproj": sdk_project(),
            "A/a.json": "",
            "A/B/deep/b.json": "",
            "c.json": "",
        },
    )
    assert model.projects_of("A/a.json") == ("A",)
    assert model.projects_of("A/B/deep/b.json") == ("B", "C")
    assert model.projects_of("c.json") == ()


def test_readmes_packed_by_many_projects_do_not_belong_to_them(tmp_path):
    content = sdk_project('<ItemGroup><None Include="../README.md" Pack="true"/></ItemGroup>')
    model = load(tmp_path, {"A/A.csproj": content, "B/B.csproj": content, "README.md": ""})
    assert model.projects_of("README.md") == ()


def test_a_project_that_only_builds_others_owns_no_files(tmp_path):
    model = load(tmp_path, {"Build.csproj": sdk_project(sdk="Microsoft.Build.Traversal"), "a.json": "", "b.cs": ""})
    assert model.projects_of("a.json") == model.projects_of("b.cs") == ()


def test_owners_are_ordered_nearest_first(tmp_path):
    linking = sdk_project('<ItemGroup><Compile Include="../Z/x.cs"/></ItemGroup>')
    files = {"A/A.csproj": linking, "B/B.csproj": linking, "Z/Z.csproj": sdk_project(), "Z/x.cs": ""}
    model = load(tmp_path, files)
    assert model.projects_of("Z/x.cs") == ("Z", "A", "B")
    assert model.assignments(["Z/x.cs"]) == {"Z/x.cs": ("Z", "A", "B")}
