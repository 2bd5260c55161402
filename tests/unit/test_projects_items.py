"""Items: packages, references, usings, friends, and what a project compiles."""

import pytest
from projects_workspace import load, only, packages, sdk_project, usings

from hybrid_index.projects import GlobalUsing

IMPLICIT = "<PropertyGroup><ImplicitUsings>enable</ImplicitUsings></PropertyGroup>"
BASE = {
    "System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http", "System.Threading",
    "System.Threading.Tasks",
}  # fmt: skip
HOSTING = {
    "Microsoft.Extensions.Configuration", "Microsoft.Extensions.DependencyInjection",
    "Microsoft.Extensions.Hosting", "Microsoft.Extensions.Logging",
}  # fmt: skip
CENTRAL = """<Project>
  <PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally></PropertyGroup>
  <ItemGroup>
    <PackageVersion Include="Serilog" Version="4.0.0" />
    <PackageVersion Include="Polly" version="$(PollyVersion)" />
    <PackageVersion Include="ByFramework" Version="1.0" Condition="'$(TargetFramework)' == 'net472'" />
    <PackageVersion Include="ByFramework" Version="2.0" Condition="'$(TargetFramework)' == 'net8.0'" />
    <GlobalPackageReference Include="Analyzer" Version="9.9" />
  </ItemGroup>
</Project>"""


def compiled(model, paths):
    return {path for path in paths if model.projects_of(path)}


# -- packages --------------------------------------------------------------------------------------------------------


def test_package_versions_come_from_attribute_element_or_property(tmp_path):
    content = """<PropertyGroup><JsonVersion>13.0.3</JsonVersion></PropertyGroup>
      <ItemGroup><PackageReference Include="Newtonsoft.Json" Version="$(JsonVersion)"/>
      <PackageReference Include="Dapper"><Version>2.1</Version><PrivateAssets>all</PrivateAssets></PackageReference>
      <PackageReference Include="A;B" version="1"/><PackageReference Include="Open"/></ItemGroup>"""
    project = only(load(tmp_path, {"A.csproj": sdk_project(content)}))
    assert packages(project) == {"Newtonsoft.Json": "13.0.3", "Dapper": "2.1", "A": "1", "B": "1", "Open": None}
    assert {each.source for each in project.package_references} == {"project"}


def test_central_versions_overrides_and_global_packages_are_resolved(tmp_path):
    content = """<PropertyGroup><TargetFrameworks>net8.0;net472</TargetFrameworks></PropertyGroup>
      <ItemGroup><PackageReference Include="serilog"/><PackageReference Include="Polly"/>
      <PackageReference Include="ByFramework"/><PackageReference Include="Special" VersionOverride="7"/>
      <PackageReference Include="Unlisted"/></ItemGroup>"""
    model = load(
        tmp_path,
        {
            "Directory.Build.props": "<Project><PropertyGroup><PollyVersion>8.1</PollyVersion></PropertyGroup>"
            "</Project>",
            "Directory.Packages.props": CENTRAL,
            "src/A/A.csproj": sdk_project(content, framework=""),
        },
    )
    found = {(each.name, each.version, each.source, each.target_frameworks) for each in only(model).package_references}
    both = ("net8.0", "net472")
    assert found == {
        ("serilog", "4.0.0", "central", both),
        ("Polly", "8.1", "central", both),
        ("ByFramework", "2.0", "central", ("net8.0",)),
        ("ByFramework", "1.0", "central", ("net472",)),
        ("Special", "7", "override", both),
        ("Unlisted", None, "central", both),
        ("Analyzer", "9.9", "global", both),
    }


def test_a_project_can_leave_central_versions(tmp_path):
    content = """<PropertyGroup><ManagePackageVersionsCentrally>false</ManagePackageVersionsCentrally></PropertyGroup>
      <ItemGroup><PackageReference Include="Serilog" Version="1.0"/></ItemGroup>"""
    model = load(tmp_path, {"Directory.Packages.props": CENTRAL, "A.csproj": sdk_project(content)})
    assert packages(only(model)) == {"Serilog": "1.0"}


def test_later_items_update_and_remove_packages(tmp_path):
    model = load(
        tmp_path,
        {
            "Directory.Build.props": '<Project><ItemGroup><PackageReference Include="X;Y;Z" Version="1"/></ItemGroup>'
            "</Project>",
            "A.csproj": sdk_project('<ItemGroup><PackageReference Remove="y"/></ItemGroup>'),
            "B/B.csproj": sdk_project(
                '<ItemGroup><PackageReference Update="Z"><Version>3</Version></PackageReference></ItemGroup>'
            ),
            "C/C.csproj": sdk_project(
                '<ItemGroup><PackageReference Update="@(PackageReference)" Version="5"/></ItemGroup>'
            ),
        },
    )
    assert packages(model.project("A")) == {"X": "1", "Z": "1"}
    assert packages(model.project("B")) == {"X": "1", "Y": "1", "Z": "3"}  # what A removed is still there for B
    assert packages(model.project("C")) == {"X": "5", "Y": "5", "Z": "5"}


# -- tests and friends -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('<ItemGroup><PackageReference Include="xunit" Version="2"/></ItemGroup>', True),
        ('<ItemGroup><PackageReference Include="NUnit" Version="4"/></ItemGroup>', True),
        ('<ItemGroup><PackageReference Include="MSTest" Version="3"/></ItemGroup>', True),
        ('<ItemGroup><PackageReference Include="TUnit" Version="1"/></ItemGroup>', True),
        ('<ItemGroup><PackageReference Include="Microsoft.NET.Test.Sdk" Version="17"/></ItemGroup>', True),
        ('<ItemGroup><PackageReference Include="xunit.assert" Version="2"/></ItemGroup>', False),
        ("<PropertyGroup><IsTestProject>true</IsTestProject></PropertyGroup>", True),
        (
            "<PropertyGroup><IsTestProject>false</IsTestProject></PropertyGroup>"
            '<ItemGroup><PackageReference Include="xunit" Version="2"/></ItemGroup>',
            False,
        ),
    ],
)
def test_test_projects_are_known_by_property_or_package(tmp_path, content, expected):
    assert only(load(tmp_path, {"A.csproj": sdk_project(content)})).is_test is expected


def test_the_mstest_sdk_makes_a_test_project(tmp_path):
    assert only(load(tmp_path, {"A.csproj": sdk_project(sdk="MSTest.Sdk/3.8")})).is_test


def test_friends_come_from_items_and_attributes_without_their_keys(tmp_path):
    content = """<ItemGroup><InternalsVisibleTo Include="$(AssemblyName).Tests" Key="00"/>
      <InternalsVisibleTo Include="Other, PublicKey=0024"/>
      <AssemblyAttribute Include="System.Runtime.CompilerServices.InternalsVisibleTo"><_Parameter1>Third</_Parameter1>
      </AssemblyAttribute><AssemblyAttribute Include="System.CLSCompliant"><_Parameter1>true</_Parameter1>
      </AssemblyAttribute></ItemGroup>"""
    project = only(load(tmp_path, {"A.csproj": sdk_project(content)}))
    assert project.internals_visible_to == ("A.Tests", "Other", "Third")


# -- usings ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sdk", "expected"),
    [
        ("Microsoft.NET.Sdk", BASE),
        ("Microsoft.NET.Sdk.Razor", BASE),
        ("Microsoft.NET.Sdk.BlazorWebAssembly", BASE),
        ("Microsoft.NET.Sdk.Worker", BASE | HOSTING),
        (
            "Microsoft.NET.Sdk.Web",
            BASE
            | HOSTING
            | {
                "System.Net.Http.Json",
                "Microsoft.AspNetCore.Builder",
                "Microsoft.AspNetCore.Hosting",
                "Microsoft.AspNetCore.Http",
                "Microsoft.AspNetCore.Routing",
            },
        ),
    ],
)
def test_implicit_usings_follow_the_sdk(tmp_path, sdk, expected):
    project = only(load(tmp_path, {"A.csproj": sdk_project(IMPLICIT, sdk=sdk)}))
    assert project.implicit_usings
    assert set(usings(project)) == expected
    assert {each.origin for each in project.global_usings} == {"sdk"}


def test_implicit_usings_are_off_unless_enabled(tmp_path):
    content = "<PropertyGroup><ImplicitUsings>disable</ImplicitUsings></PropertyGroup>"
    assert only(load(tmp_path, {"A.csproj": sdk_project(content)})).global_usings == ()


def test_using_items_add_remove_alias_and_static(tmp_path):
    content = (
        IMPLICIT
        + """<ItemGroup><Using Include="Shop.Core;Shop.Data"/><Using Remove="System.IO"/>
      <Using Include="System.Math" Static="true"/><Using Include="System.Text.StringBuilder" Alias="SB"/></ItemGroup>"""
    )
    project = only(load(tmp_path, {"A.csproj": sdk_project(content)}))
    assert set(usings(project)) == BASE - {"System.IO"} | {"Shop.Core", "Shop.Data"}
    frameworks = ("net8.0",)
    assert GlobalUsing("System.Math", frameworks, is_static=True) in project.global_usings
    assert GlobalUsing("System.Text.StringBuilder", frameworks, alias="SB") in project.global_usings


def test_usings_depend_on_framework_and_desktop_kind(tmp_path):
    content = IMPLICIT + "<PropertyGroup><TargetFrameworks>net8.0;net472</TargetFrameworks></PropertyGroup>"
    project = only(load(tmp_path / "a", {"A.csproj": sdk_project(content, framework="")}))
    http = next(each for each in project.global_usings if each.namespace == "System.Net.Http")
    assert http.target_frameworks == ("net8.0",)
    wpf = IMPLICIT + "<PropertyGroup><UseWPF>true</UseWPF></PropertyGroup>"
    assert set(usings(only(load(tmp_path / "b", {"A.csproj": sdk_project(wpf)})))) == BASE - {
        "System.IO",
        "System.Net.Http",
    }
    forms = IMPLICIT + "<PropertyGroup><UseWindowsForms>true</UseWindowsForms></PropertyGroup>"
    assert {"System.Drawing", "System.Windows.Forms"} <= set(
        usings(only(load(tmp_path / "c", {"A.csproj": sdk_project(forms)})))
    )


def test_known_packages_add_their_usings(tmp_path):
    content = IMPLICIT + '<ItemGroup><PackageReference Include="MSTest" Version="3"/></ItemGroup>'
    project = only(load(tmp_path, {"A.csproj": sdk_project(content)}))
    found = {each.namespace: each.origin for each in project.global_usings}
    assert found["Microsoft.VisualStudio.TestTools.UnitTesting"] == "package"


# -- compile lists ---------------------------------------------------------------------------------------------------


def test_default_items_take_every_source_file_below_but_build_output(tmp_path):
    paths = ["A/A.csproj", "A/x.cs", "A/b/y.cs", "A/bin/z.cs", "A/obj/w.cs", "A/.hidden/v.cs", "A/b/bin/u.cs", "t.cs"]
    model = load(tmp_path, {path: sdk_project() if path.endswith("proj") else "" for path in paths})
    assert compiled(model, paths[1:]) == {"A/x.cs", "A/b/y.cs", "A/b/bin/u.cs"}


def test_nested_projects_are_not_left_out_unless_the_outer_one_says_so(tmp_path):
    files = {"A/A.csproj": sdk_project(), "A/B/B.csproj": sdk_project(), "A/B/x.cs": "", "A/y.cs": ""}
    model = load(tmp_path / "1", files)
    assert model.projects_of("A/B/x.cs") == ("B", "A")
    files["A/A.csproj"] = sdk_project('<ItemGroup><Compile Remove="B\\**" /></ItemGroup>')
    model = load(tmp_path / "2", files)
    assert (model.projects_of("A/B/x.cs"), model.projects_of("A/y.cs")) == (("B",), ("A",))


def test_default_items_can_be_switched_off(tmp_path):
    for name in ("EnableDefaultItems", "EnableDefaultCompileItems"):
        content = (
            f'<PropertyGroup><{name}>false</{name}></PropertyGroup><ItemGroup><Compile Include="x.cs"/></ItemGroup>'
        )
        model = load(tmp_path / name, {"A.csproj": sdk_project(content), "x.cs": "", "y.cs": ""})
        assert compiled(model, ["x.cs", "y.cs"]) == {"x.cs"}


def test_the_last_step_that_names_a_file_decides(tmp_path):
    content = """<ItemGroup>
        <Compile Remove="gen/**;old.cs" />
        <Compile Include="gen/**/*.cs" Exclude="gen/skip/**;gen/no.cs" />
        <Compile Update="y.cs" DependentUpon="x.cs" />
      </ItemGroup>"""
    paths = ["gen/a.cs", "gen/b/c.cs", "gen/skip/d.cs", "gen/no.cs", "old.cs", "y.cs"]
    model = load(tmp_path, {"A.csproj": sdk_project(content), **dict.fromkeys(paths, "")})
    assert compiled(model, paths) == {"gen/a.cs", "gen/b/c.cs", "y.cs"}


def test_excludes_can_be_extended_by_property(tmp_path):
    content = (
        "<PropertyGroup><DefaultItemExcludes>$(DefaultItemExcludes);templates/**</DefaultItemExcludes></PropertyGroup>"
    )
    model = load(tmp_path, {"A.csproj": sdk_project(content), "templates/t.cs": "", "a.cs": ""})
    assert compiled(model, ["templates/t.cs", "a.cs"]) == {"a.cs"}


def test_removing_all_compile_items_starts_over(tmp_path):
    content = '<ItemGroup><Compile Remove="@(Compile)"/><Compile Include="x.cs"/></ItemGroup>'
    model = load(tmp_path, {"A.csproj": sdk_project(content), "x.cs": "", "y.cs": ""})
    assert compiled(model, ["x.cs", "y.cs"]) == {"x.cs"}


def test_items_of_an_own_type_can_feed_the_compile_list(tmp_path):
    content = """<ItemGroup><Extra Include="../shared/**/*.cs" Exclude="../shared/no.cs"/>
      <Compile Include="@(Extra)"/></ItemGroup>"""
    paths = ["shared/a.cs", "shared/no.cs"]
    model = load(tmp_path, {"A/A.csproj": sdk_project(content), **dict.fromkeys(paths, "")})
    assert compiled(model, paths) == {"shared/a.cs"}


def test_links_say_where_a_file_shows_up(tmp_path):
    content = """<ItemGroup><Compile Include="..\\shared\\Util.cs" Link="Common\\%(Filename)%(Extension)"/>
      <Compile Include="../other/*.cs"><Link>%(RecursiveDir)x</Link></Compile></ItemGroup>"""
    model = load(tmp_path, {"A/A.csproj": sdk_project(content), "shared/Util.cs": "", "other/o.cs": ""})
    [compile_set] = only(model).compile
    assert [(item.pattern, item.link) for item in compile_set.items[1:]] == [
        ("shared/Util.cs", "Common/Util.cs"),
        ("other/*.cs", None),
    ]


def test_source_files_outside_the_workspace_are_left_out_with_a_remark(tmp_path):
    content = '<ItemGroup><Compile Include="../../elsewhere/**/*.cs"/></ItemGroup>'
    model = load(tmp_path, {"A/A.csproj": sdk_project(content)})
    assert "lie outside the workspace" in model.statuses[0].message


def test_escaped_characters_in_paths_are_undone(tmp_path):
    content = '<ItemGroup><Compile Remove="a%3Bb.cs"/></ItemGroup>'
    model = load(tmp_path, {"A.csproj": sdk_project(content), "a;b.cs": "", "c.cs": ""})
    assert compiled(model, ["a;b.cs", "c.cs"]) == {"c.cs"}


def test_fsharp_compiles_what_it_lists_and_vb_what_it_finds(tmp_path):
    model = load(
        tmp_path,
        {
            "F/F.fsproj": sdk_project('<ItemGroup><Compile Include="A.fs"/></ItemGroup>'),
            "F/A.fs": "",
            "F/B.fs": "",
            "V/V.vbproj": sdk_project(),
            "V/M.vb": "",
            "V/M.cs": "",
        },
    )
    assert {project.name: project.kind for project in model.projects} == {"F": "fsharp", "V": "vb"}
    assert compiled(model, ["F/A.fs", "F/B.fs", "V/M.vb", "V/M.cs"]) == {"F/A.fs", "V/M.vb"}


# -- project references ----------------------------------------------------------------------------------------------


def test_references_to_analyzers_are_told_apart(tmp_path):
    content = """<ItemGroup><ProjectReference Include="..\\Gen\\Gen.csproj" OutputItemType="Analyzer"
      ReferenceOutputAssembly="false"/><ProjectReference Include="..\\Lib\\Lib.csproj"/></ItemGroup>"""
    model = load(
        tmp_path, {"A/A.csproj": sdk_project(content), "Gen/Gen.csproj": sdk_project(), "Lib/Lib.csproj": sdk_project()}
    )
    generator, library = model.project("A").project_references
    assert (generator.name, generator.output_item_type, generator.reference_output_assembly) == (
        "Gen",
        "Analyzer",
        False,
    )
    assert (library.name, library.output_item_type, library.reference_output_assembly) == ("Lib", "", True)


def test_projects_that_compile_nothing_inherit_no_frameworks_or_symbols(tmp_path):
    props = """<Project><PropertyGroup><TargetFramework>net8.0</TargetFramework>
      <DefineConstants>X</DefineConstants></PropertyGroup></Project>"""
    model = load(tmp_path, {"Directory.Build.props": props, "S.sqlproj": sdk_project(sdk="Microsoft.Build.Sql")})
    assert (only(model).kind, only(model).target_frameworks, only(model).defines_for()) == ("sql", (), ())


def test_references_by_wildcard_are_expanded(tmp_path):
    content = """<Project Sdk="Microsoft.Build.Traversal"><ItemGroup>
      <ProjectReference Include="src/**/*.*proj" Exclude="src/No/**"/></ItemGroup></Project>"""
    model = load(
        tmp_path,
        {
            "dirs.proj": content,
            "src/A/A.csproj": sdk_project(),
            "src/B/B.fsproj": sdk_project(),
            "src/No/No.csproj": sdk_project(),
            "readme.md": "",
        },
    )
    assert model.references("dirs") == ("A", "B")
    assert model.project("dirs").kind == "other"
    assert model.projects_of("readme.md") == ()


@pytest.mark.parametrize(
    ("include", "part"),
    [
        ("../Gone/Gone.csproj", "is not in the workspace"),
        ("../../Outside/Outside.csproj", "lies outside the workspace"),
        ("../Broken/Broken.csproj", "could not be read"),
        ("../readme.md", "is not a project file"),
    ],
)
def test_references_that_lead_nowhere_become_status_rows(tmp_path, include, part):
    content = f'<ItemGroup><ProjectReference Include="{include}"/></ItemGroup>'
    files = {"A/A.csproj": sdk_project(content), "Broken/Broken.csproj": "<Project", "readme.md": ""}
    model = load(tmp_path, files)
    assert model.project("A").project_references[0].name is None
    assert any(part in status.message and status.path == "A/A.csproj" for status in model.statuses)


def test_references_find_their_project_despite_differences_in_case(tmp_path):
    content = '<ItemGroup><ProjectReference Include="..\\lib\\LIB.csproj"/></ItemGroup>'
    model = load(tmp_path, {"A/A.csproj": sdk_project(content), "Lib/Lib.csproj": sdk_project()})
    assert model.references("A") == ("Lib",)
