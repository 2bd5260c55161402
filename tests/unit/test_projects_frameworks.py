"""Target framework names and the symbols they imply."""

import pytest
from projects_workspace import load, only, sdk_project

from hybrid_index.projects.frameworks import (
    default_csharp_version,
    framework_of_version,
    implied_symbols,
    is_compatible,
    parse_framework,
)


def symbols(name):
    return set(implied_symbols(parse_framework(name)))


@pytest.mark.parametrize(
    ("name", "identifier", "version", "platform"),
    [
        ("net8.0", ".NETCoreApp", "8.0", ""),
        ("net10.0-windows", ".NETCoreApp", "10.0", "windows"),
        ("net6", ".NETCoreApp", "6.0", ""),
        ("netcoreapp3.1", ".NETCoreApp", "3.1", ""),
        ("netstandard2.1", ".NETStandard", "2.1", ""),
        ("net472", ".NETFramework", "4.7.2", ""),
        ("net48", ".NETFramework", "4.8", ""),
        ("net35", ".NETFramework", "3.5", ""),
        ("NET8.0-Android34.0", ".NETCoreApp", "8.0", "android"),
    ],
)
def test_short_names_are_taken_apart(name, identifier, version, platform):
    framework = parse_framework(name)
    assert (framework.identifier, framework.version_text, framework.platform) == (identifier, version, platform)


@pytest.mark.parametrize(
    "name", ["", "net", "dnx451", "net8.0-", "portable-net45+win8", "netstandard", "net123456", "8.0"]
)
def test_other_names_are_not_guessed(name):
    assert parse_framework(name) is None


def test_modern_dotnet_defines_its_family_and_every_earlier_version():
    assert symbols("net6.0") == {
        "NET", "NET6_0", "NETCOREAPP", "NET5_0_OR_GREATER", "NET6_0_OR_GREATER", "NETCOREAPP1_0_OR_GREATER",
        "NETCOREAPP1_1_OR_GREATER", "NETCOREAPP2_0_OR_GREATER", "NETCOREAPP2_1_OR_GREATER",
        "NETCOREAPP2_2_OR_GREATER", "NETCOREAPP3_0_OR_GREATER", "NETCOREAPP3_1_OR_GREATER",
    }  # fmt: skip


def test_dotnet_core_does_not_define_net():
    assert {"NETCOREAPP", "NETCOREAPP3_1", "NETCOREAPP3_1_OR_GREATER"} <= symbols("netcoreapp3.1")
    assert not {"NET", "NET5_0_OR_GREATER"} & symbols("netcoreapp3.1")


def test_framework_and_standard_define_their_own_families():
    assert {"NETFRAMEWORK", "NET472", "NET20_OR_GREATER", "NET472_OR_GREATER"} <= symbols("net472")
    assert "NET48_OR_GREATER" not in symbols("net472")
    assert {"NETSTANDARD", "NETSTANDARD2_0", "NETSTANDARD1_0_OR_GREATER"} <= symbols("netstandard2.0")
    assert "NETSTANDARD2_1_OR_GREATER" not in symbols("netstandard2.0")


def test_platforms_add_their_symbols():
    assert {"WINDOWS", "WINDOWS7_0", "WINDOWS7_0_OR_GREATER"} <= symbols("net8.0-windows")
    assert {"WINDOWS10_0_19041_0", "WINDOWS10_0_17763_0_OR_GREATER"} <= symbols("net8.0-windows10.0.19041")
    assert "ANDROID" in symbols("net8.0-android")
    assert {"IOS", "IOS17_2"} <= symbols("net8.0-ios17.2")


@pytest.mark.parametrize(
    ("target", "candidate", "expected"),
    [
        ("net8.0", "net6.0", True),
        ("net6.0", "net8.0", False),
        ("net8.0", "netcoreapp3.1", True),
        ("net8.0", "netstandard2.1", True),
        ("net472", "netstandard2.0", True),
        ("net472", "netstandard2.1", False),
        ("net45", "netstandard1.3", False),
        ("net8.0", "net472", False),
        ("net8.0-windows", "net8.0", True),
        ("net8.0", "net8.0-windows", False),
        ("net8.0-windows10.0.17763", "net8.0-windows10.0.19041", False),
        ("netstandard2.1", "netstandard1.0", True),
    ],
)
def test_compatibility_follows_nuget(target, candidate, expected):
    assert is_compatible(parse_framework(target), parse_framework(candidate)) is expected


@pytest.mark.parametrize(
    ("name", "version"),
    [("net9.0", "13.0"), ("net8.0", "12.0"), ("netcoreapp3.1", "8.0"), ("netcoreapp2.1", "7.3"), ("net48", "7.3"),
     ("netstandard2.0", "7.3"), ("netstandard2.1", "8.0"), ("net12.0", "14.0")],
)  # fmt: skip
def test_each_framework_has_a_default_language_version(name, version):
    assert default_csharp_version(parse_framework(name)) == version


def test_the_newest_framework_of_a_project_is_the_one_that_most_code_is_written_for(tmp_path):
    def newest(frameworks):
        content = f"<PropertyGroup><TargetFrameworks>{frameworks}</TargetFrameworks></PropertyGroup>"
        return only(load(tmp_path, {"A.csproj": sdk_project(content, framework="")})).newest_framework

    assert newest("net472;netstandard2.1;net8.0;net6.0") == "net8.0"
    assert newest("net472;netstandard2.0") == "netstandard2.0"
    assert newest("net9.0-ios;net9.0;net10.0") == "net10.0"
    assert newest("net9.0-ios;net9.0") == "net9.0"
    assert newest("$(Nothing)") == ""


def test_old_projects_state_a_framework_version():
    assert framework_of_version("v4.7.2") == "net472"
    assert framework_of_version("4.5") == "net45"
    assert framework_of_version("nonsense") == ""
