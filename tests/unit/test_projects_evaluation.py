"""Properties, imports and conditions of whole projects."""

import pytest
from projects_workspace import LINUX, load, only, packages, sdk_project, usings

from hybrid_index.projects import ProjectOptions


def language_version(version):
    return f"<Project><PropertyGroup><LangVersion>{version}</LangVersion></PropertyGroup></Project>"


def messages(model):
    return [status.message for status in model.statuses]


def test_a_minimal_sdk_project_has_the_defaults_of_the_sdk(tmp_path):
    project = only(load(tmp_path, {"src/My App/My App.csproj": sdk_project()}))
    assert (project.name, project.kind, project.sdk) == ("My App", "csharp", "Microsoft.NET.Sdk")
    assert (project.assembly_name, project.root_namespace) == ("My App", "My_App")
    assert (project.output_type, project.lang_version, project.is_test) == ("Library", "12.0", False)
    assert project.target_frameworks == ("net8.0",)
    assert {"DEBUG", "TRACE", "NET8_0", "NETCOREAPP", "NET6_0_OR_GREATER"} <= set(project.defines_for("net8.0"))
    assert (project.implicit_usings, project.global_usings) == (False, ())


def test_the_nearest_directory_build_props_applies_and_reaches_the_next_one_by_import(tmp_path):
    model = load(
        tmp_path,
        {
            "Directory.Build.props": "<Project><PropertyGroup><LangVersion>11</LangVersion>"
            "<RootNamespace>Outer.$(MSBuildProjectName)</RootNamespace></PropertyGroup></Project>",
            "src/Directory.Build.props": "<Project>"
            '<Import Project="$([MSBuild]::GetPathOfFileAbove($(MSBuildThisFile), $(MSBuildThisFileDirectory)..))"/>'
            "<PropertyGroup><LangVersion>preview</LangVersion></PropertyGroup></Project>",
            "src/A/A.csproj": sdk_project(),
            "other/Directory.Build.props": "<Project/>",
            "other/B/B.csproj": sdk_project(),
        },
    )
    a, b = model.projects
    assert (a.lang_version, a.root_namespace) == ("preview", "Outer.A")
    assert (b.lang_version, b.root_namespace) == ("12.0", "B")


def test_directory_build_targets_come_last_and_see_what_the_sdk_inferred(tmp_path):
    model = load(
        tmp_path,
        {
            "Directory.Build.targets": "<Project><PropertyGroup>"
            "<LangVersion Condition=\"'$(Language)' == 'C#'\">10</LangVersion>"
            "<DefineConstants Condition=\"'$(TargetFrameworkIdentifier)' == '.NETCoreApp'\">"
            "$(DefineConstants);CORE</DefineConstants>"
            "</PropertyGroup></Project>",
            "A.csproj": sdk_project("<PropertyGroup><LangVersion>9</LangVersion></PropertyGroup>"),
        },
    )
    project = only(model)
    assert project.lang_version == "10"
    assert "CORE" in project.defines_for()


def test_a_project_can_refuse_directory_build_files(tmp_path):
    model = load(
        tmp_path,
        {
            "Directory.Build.props": "<Project><PropertyGroup><LangVersion>11</LangVersion></PropertyGroup></Project>",
            "Directory.Build.targets": "<Project><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>",
            "A.csproj": "<Project><PropertyGroup><ImportDirectoryBuildProps>false</ImportDirectoryBuildProps>"
            "<ImportDirectoryBuildTargets>false</ImportDirectoryBuildTargets><TargetFramework>net9.0</TargetFramework>"
            '</PropertyGroup><Import Project="Sdk.props" Sdk="Microsoft.NET.Sdk"/>'
            '<Import Project="Sdk.targets" Sdk="Microsoft.NET.Sdk"/></Project>',
        },
    )
    project = only(model)
    assert (project.sdk, project.lang_version, project.output_type) == ("Microsoft.NET.Sdk", "13.0", "Library")
    assert {"DEBUG", "TRACE"} <= set(project.defines_for())


def test_each_target_framework_is_evaluated_on_its_own(tmp_path):
    content = """
      <PropertyGroup>
        <TargetFrameworks>netstandard2.0; net8.0 ;net472</TargetFrameworks>
        <DefineConstants Condition="'$(TargetFramework)' == 'net8.0'">$(DefineConstants);FAST</DefineConstants>
      </PropertyGroup>
      <ItemGroup Condition="$(TargetFramework.StartsWith('net4'))">
        <PackageReference Include="Old" Version="1"/>
      </ItemGroup>
      <ItemGroup><PackageReference Include="Always" Version="2"/></ItemGroup>
      <ItemGroup Condition="'$(TargetFrameworkIdentifier)' != '.NETCoreApp'">
        <Compile Remove="Modern/**"/><ProjectReference Include="../B/B.csproj"/>
      </ItemGroup>"""
    model = load(
        tmp_path,
        {"A/A.csproj": sdk_project(content, framework=""), "B/B.csproj": sdk_project(), "A/Modern/M.cs": ""},
    )
    project = model.project("A")
    assert project.target_frameworks == ("netstandard2.0", "net8.0", "net472")
    assert "FAST" in project.defines_for("net8.0") and "FAST" not in project.defines_for("net472")
    assert {each.name: each.target_frameworks for each in project.package_references} == {
        "Old": ("net472",),
        "Always": ("netstandard2.0", "net8.0", "net472"),
    }
    assert project.project_references[0].target_frameworks == ("netstandard2.0", "net472")
    assert model.target_frameworks_of("A/Modern/M.cs", "A") == ("net8.0",)
    assert model.projects_of("A/Modern/M.cs") == ("A",)


@pytest.mark.parametrize(
    ("options", "expected"),
    [(LINUX, {"DEBUG", "UNIX"}), (ProjectOptions("Release", operating_system="Windows"), {"RELEASE", "WIN"})],
)
def test_configuration_and_operating_system_are_those_of_the_options(tmp_path, options, expected):
    content = """<PropertyGroup>
      <DefineConstants Condition="'$(OS)' == 'Windows_NT'">$(DefineConstants);WIN</DefineConstants>
      <DefineConstants Condition="!$([MSBuild]::IsOSPlatform('Windows'))">$(DefineConstants);UNIX</DefineConstants>
    </PropertyGroup>"""
    project = only(load(tmp_path, {"A.csproj": sdk_project(content)}, options))
    assert {"DEBUG", "RELEASE", "WIN", "UNIX"} & set(project.defines_for()) == expected


def test_the_configuration_given_from_outside_cannot_be_overridden(tmp_path):
    content = "<PropertyGroup><Configuration>Special</Configuration></PropertyGroup>"
    assert "DEBUG" in only(load(tmp_path, {"A.csproj": sdk_project(content)})).defines_for()


def test_defines_given_without_the_old_value_replace_it(tmp_path):
    content = "<PropertyGroup><DefineConstants>ONE,TWO=2</DefineConstants></PropertyGroup>"
    symbols = set(only(load(tmp_path, {"A.csproj": sdk_project(content)})).defines_for())
    assert {"ONE", "TWO", "DEBUG"} <= symbols
    assert "TRACE" not in symbols


def test_implicit_defines_can_be_switched_off(tmp_path):
    content = (
        "<PropertyGroup><DisableImplicitFrameworkDefines>true</DisableImplicitFrameworkDefines>"
        "<DisableImplicitConfigurationDefines>true</DisableImplicitConfigurationDefines>"
        "<DisableDiagnosticTracing>true</DisableDiagnosticTracing></PropertyGroup>"
    )
    assert only(load(tmp_path, {"A.csproj": sdk_project(content)})).defines_for() == ()


def test_an_unknown_condition_is_recorded_and_what_it_guards_left_out(tmp_path):
    content = """
      <PropertyGroup>
        <LangVersion Condition="$([System.DateTime]::Now.Year) > 2020">preview</LangVersion>
        <OutputType Condition="'$(LangVersion)' == 'preview'">Exe</OutputType>
      </PropertyGroup>"""
    project = only(load(tmp_path, {"A.csproj": sdk_project(content)}))
    assert project.lang_version == "12.0"  # neither outcome is assumed: the compiler's default stands in
    assert project.output_type == "Library"
    found = {(each.affects, each.path) for each in project.unknown_conditions}
    assert ("LangVersion", "A.csproj") in found
    first = next(each for each in project.unknown_conditions if "DateTime" in each.text)
    assert first.line == 3
    assert "DateTime" in first.reason


def test_an_unknown_value_falls_back_to_the_default_and_is_recorded(tmp_path):
    content = "<PropertyGroup><RootNamespace>X$([System.Guid]::NewGuid())</RootNamespace></PropertyGroup>"
    project = only(load(tmp_path, {"A.csproj": sdk_project(content)}))
    assert project.root_namespace == "A"
    assert [each.affects for each in project.unknown_conditions] == ["RootNamespace"]


def test_unknown_values_that_nothing_depends_on_are_not_reported(tmp_path):
    content = "<PropertyGroup><Copyright>$([System.DateTime]::Now.Year)</Copyright></PropertyGroup>"
    assert only(load(tmp_path, {"A.csproj": sdk_project(content)})).unknown_conditions == ()


def test_choose_takes_the_first_branch_that_holds(tmp_path):
    content = """
      <Choose>
        <When Condition="'$(TargetFramework)' == 'net472'">
          <PropertyGroup><OutputType>Library</OutputType></PropertyGroup>
        </When>
        <When Condition="'$(TargetFramework)' == 'net8.0'">
          <PropertyGroup><OutputType>Exe</OutputType></PropertyGroup>
          <ItemGroup><PackageReference Include="Chosen" Version="1"/></ItemGroup>
          <Choose><Otherwise><ItemGroup><PackageReference Include="Inner" Version="1"/></ItemGroup></Otherwise></Choose>
        </When>
        <Otherwise><ItemGroup><PackageReference Include="Other" Version="1"/></ItemGroup></Otherwise>
      </Choose>"""
    project = only(load(tmp_path, {"A.csproj": sdk_project(content)}))
    assert project.output_type == "Exe"
    assert packages(project) == {"Chosen": "1", "Inner": "1"}


def test_explicit_imports_are_followed_with_their_own_folder_as_base(tmp_path):
    model = load(
        tmp_path,
        {
            "build/Common.props": '<Project><Import Project="More.props"/><ItemGroup>'
            '<Compile Include="$(MSBuildThisFileDirectory)Shared.cs" Link="Shared.cs"/></ItemGroup></Project>',
            "build/More.props": "<Project><PropertyGroup><LangVersion>latest</LangVersion></PropertyGroup></Project>",
            "build/Shared.cs": "",
            "src/A/A.csproj": sdk_project('<Import Project="..\\..\\build\\Common.props"/>'),
        },
    )
    assert only(model).lang_version == "latest"
    assert model.projects_of("build/Shared.cs") == ("A",)
    assert set(model.inputs) == {"build/Common.props", "build/More.props", "src/A/A.csproj"}


def test_imports_by_wildcard_take_every_match(tmp_path):
    model = load(
        tmp_path,
        {
            "build/1.props": "<Project><PropertyGroup><LangVersion>9</LangVersion></PropertyGroup></Project>",
            "build/2.props": "<Project><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>",
            "A.csproj": sdk_project('<ImportGroup><Import Project="build/*.props"/></ImportGroup>'),
        },
    )
    assert (only(model).lang_version, only(model).output_type) == ("9", "Exe")


@pytest.mark.parametrize(
    ("element", "part"),
    [
        ('<Import Project="..\\outside.props"/>', "leads outside the workspace"),
        ('<Import Project="/etc/passwd"/>', "leads outside the workspace"),
        ('<Import Project="C:\\tools\\x.props"/>', "leads outside the workspace"),
        ('<Import Project="missing.props"/>', "does not exist"),
        ('<Import Project="broken.props"/>', "not well-formed"),
        ('<Import Project="$(Nothing)"/>', "comes to nothing"),
    ],
)
def test_imports_that_cannot_be_followed_become_status_rows(tmp_path, element, part):
    (tmp_path / "outside.props").write_text("<Project/>", encoding="utf-8")
    model = load(tmp_path / "root", {"A.csproj": sdk_project(element), "broken.props": "<Project>"})
    assert only(model).target_frameworks == ("net8.0",)
    [status] = model.statuses
    assert part in status.message
    assert (status.path, status.line) == ("A.csproj", 1)


def test_an_import_whose_condition_is_unknown_is_not_followed(tmp_path):
    model = load(
        tmp_path,
        {
            "x.props": "<Project><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>",
            "A.csproj": sdk_project("<Import Project=\"x.props\" Condition=\"'$(NuGetPackageRoot)' != ''\"/>"),
        },
    )
    assert only(model).output_type == "Library"
    assert only(model).unknown_conditions[0].affects == "Import"


def test_a_file_that_is_imported_twice_takes_part_once(tmp_path):
    props = "<Project><PropertyGroup><RootNamespace>$(RootNamespace)x</RootNamespace></PropertyGroup></Project>"
    imports = '<Import Project="p.props"/><Import Project="./p.props"/>'
    assert only(load(tmp_path, {"A.csproj": sdk_project(imports), "p.props": props})).root_namespace == "Ax"


def test_import_loops_and_chains_end(tmp_path):
    files = {f"p{i}.props": f'<Project><Import Project="p{i + 1}.props"/></Project>' for i in range(100)}
    files["p100.props"] = '<Project><Import Project="p0.props"/></Project>'
    files["A.csproj"] = sdk_project('<Import Project="p0.props"/><Import Project="A.csproj"/>')
    model = load(tmp_path, files)
    assert any("nested deeper" in message for message in messages(model))


def test_solution_dir_is_known_where_the_solutions_agree(tmp_path):
    project = sdk_project('<Import Project="$(SolutionDir)build/x.props"/>')
    props = "<Project><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>"
    solution = '<Solution><Project Path="A/A.csproj"/></Solution>'
    model = load(tmp_path / "one", {"S.slnx": solution, "A/A.csproj": project, "build/x.props": props})
    assert only(model).output_type == "Exe"
    other = '<Solution><Project Path="../A/A.csproj"/></Solution>'
    model = load(
        tmp_path / "two", {"S.slnx": solution, "t/T.slnx": other, "A/A.csproj": project, "build/x.props": props}
    )
    assert only(model).output_type == "Library"
    assert "differs between the solutions" in only(model).unknown_conditions[0].reason


def test_a_project_in_the_old_format_is_read_as_written(tmp_path):
    content = """<?xml version="1.0" encoding="utf-8"?>
<Project ToolsVersion="15.0" xmlns="http://schemas.microsoft.com/developer/msbuild/2003">
  <Import Project="$(MSBuildExtensionsPath)\\$(MSBuildToolsVersion)\\Microsoft.Common.props"
          Condition="Exists('$(MSBuildExtensionsPath)\\$(MSBuildToolsVersion)\\Microsoft.Common.props')" />
  <PropertyGroup>
    <Configuration Condition=" '$(Configuration)' == '' ">Debug</Configuration>
    <Platform Condition=" '$(Platform)' == '' ">x86</Platform>
    <OutputType>WinExe</OutputType>
    <RootNamespace>Old.App</RootNamespace>
    <AssemblyName>OldApp</AssemblyName>
    <TargetFrameworkVersion>v4.7.2</TargetFrameworkVersion>
  </PropertyGroup>
  <PropertyGroup Condition=" '$(Configuration)|$(Platform)' == 'Debug|x86' ">
    <DefineConstants>DEBUG;TRACE</DefineConstants>
  </PropertyGroup>
  <PropertyGroup Condition=" '$(Configuration)|$(Platform)' == 'Release|x86' ">
    <DefineConstants>TRACE;SHIP</DefineConstants>
  </PropertyGroup>
  <ItemGroup>
    <Compile Include="Program.cs" />
    <Compile Include="..\\Common\\Util.cs"><Link>Common\\Util.cs</Link></Compile>
    <ProjectReference Include="..\\Lib\\Lib.csproj"><Name>Lib</Name></ProjectReference>
  </ItemGroup>
  <Import Project="$(MSBuildToolsPath)\\Microsoft.CSharp.targets" />
</Project>"""
    model = load(
        tmp_path,
        {
            "App/App.csproj": "\ufeff" + content,
            "App/packages.config": '<packages><package id="Newtonsoft.Json" version="9.0.1" /></packages>',
            "App/Program.cs": "",
            "App/Unlisted.cs": "",
            "Common/Util.cs": "",
            "Lib/Lib.csproj": sdk_project(),
            "Directory.Build.targets": language_version("7.1"),
        },
    )
    project = model.project("App")
    assert (project.sdk, project.output_type, project.root_namespace) == ("", "WinExe", "Old.App")
    assert (project.assembly_name, project.target_frameworks, project.lang_version) == ("OldApp", ("net472",), "7.1")
    assert project.defines_for() == ("DEBUG", "TRACE")
    assert packages(project) == {"Newtonsoft.Json": "9.0.1"}
    assert project.package_references[0].source == "packages.config"
    assert model.references("App") == ("Lib",)
    assert model.projects_of("App/Program.cs") == model.projects_of("Common/Util.cs") == ("App",)
    assert model.projects_of("App/Unlisted.cs") == ()
    assert project.compile[0].items[1].link == "Common/Util.cs"
    assert model.statuses == ()


def test_an_unknown_sdk_is_read_as_the_base_sdk_and_said_so(tmp_path):
    model = load(tmp_path, {"A.csproj": sdk_project(sdk="Contoso.Sdk/1.0"), "A.cs": ""})
    assert model.projects_of("A.cs") == ("A",)
    assert "'Contoso.Sdk/1.0' is not known" in messages(model)[0]


def test_sdks_can_be_named_by_an_element_and_add_up(tmp_path):
    content = (
        '<Project Sdk="Microsoft.NET.Sdk"><Sdk Name="Aspire.AppHost.Sdk" Version="9"/><PropertyGroup>'
        "<ImplicitUsings>enable</ImplicitUsings><TargetFramework>net9.0</TargetFramework></PropertyGroup></Project>"
    )
    project = only(load(tmp_path, {"A.csproj": content}))
    assert (project.sdk, project.output_type) == ("Microsoft.NET.Sdk", "Exe")
    assert {"System", "Aspire.Hosting"} <= set(usings(project))


def test_properties_of_the_project_file_cannot_be_reassigned(tmp_path):
    content = (
        "<PropertyGroup><MSBuildProjectDirectory>/etc</MSBuildProjectDirectory></PropertyGroup>"
        '<ItemGroup><Compile Include="$(MSBuildProjectDirectory)/../B.cs"/></ItemGroup>'
    )
    model = load(tmp_path, {"A/A.csproj": sdk_project(content), "B.cs": ""})
    assert model.projects_of("B.cs") == ("A",)
