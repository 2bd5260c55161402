"""Property expressions and the functions that are evaluated without an SDK."""

import pytest
from test_projects_conditions import scope_of

from hybrid_index.projects.expressions import MAX_VALUE_LENGTH, expand

PROPERTIES = {
    "Name": "Contoso.Shop.Tests",
    "Version": "4.8.0-beta.1",
    "List": "a;b;c",
    "Empty": "",
    "TargetFramework": "net8.0-windows10.0.19041",
}


def evaluated(text, system="Linux", paths=("src/App/App.csproj", "Directory.Build.props", "src/Common.props")):
    notes = []
    value = expand(text, scope_of(PROPERTIES, paths=paths, system=system), notes)
    return value, notes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("$(Name)", "Contoso.Shop.Tests"),
        ("$(name)", "Contoso.Shop.Tests"),
        ("$( Name )", "Contoso.Shop.Tests"),
        ("$(Undefined)", ""),
        ("a $(open", "a $(open"),
        ("$(Name.Length)", "18"),
        ("$(Name.Replace('.', '_'))", "Contoso_Shop_Tests"),
        ('$(Name.Replace(".", ""))', "ContosoShopTests"),
        ("$(Name.ToLowerInvariant().ToUpper())", "CONTOSO.SHOP.TESTS"),
        ("$(Name.Split('.')[1])", "Shop"),
        ("$(Name[0])", "C"),
        ("$(Name.Substring(8))", "Shop.Tests"),
        ("$(Name.Substring(0, 7))", "Contoso"),
        ("$(Name.Substring(0, $(Name.LastIndexOf('.'))))", "Contoso.Shop"),
        ("$(Name.IndexOf('Shop'))", "8"),
        ("$(Name.EndsWith('.tests', StringComparison.OrdinalIgnoreCase))", "True"),
        ("$(Name.TrimEnd('st'))", "Contoso.Shop.Te"),
        ("$(Name.Remove(7))", "Contoso"),
        ("$(Name.Insert(0, 'x'))", "xContoso.Shop.Tests"),
        ("$(List.Split(';')[2])", "c"),
        ("$(List.PadLeft(7, '-'))", "--a;b;c"),
        ("$([System.IO.Path]::Combine('a', 'b', 'c.cs'))", "a/b/c.cs"),
        ("$([System.IO.Path]::GetFileName('a\\b\\c.cs'))", "c.cs"),
        ("$([System.IO.Path]::GetFileNameWithoutExtension('a/b.props'))", "b"),
        ("$([System.IO.Path]::GetExtension('a/b.props'))", ".props"),
        ("$([System.IO.Path]::GetDirectoryName('a/b.props'))", "a"),
        ("$([System.IO.Path]::ChangeExtension('a.cs', 'txt'))", "a.txt"),
        ("$([System.IO.Path]::GetFullPath('../x'))", "/shop/src/x"),
        ("$([System.IO.Path]::IsPathRooted('/x'))", "True"),
        ("$([System.IO.File]::Exists('App.csproj'))", "True"),
        ("$([System.String]::IsNullOrEmpty('$(Empty)'))", "True"),
        ("$([System.String]::IsNullOrWhiteSpace(' '))", "True"),
        ("$([System.String]::Join('-', 'a', 'b'))", "a-b"),
        ("$([System.String]::Concat('a', 'b'))", "ab"),
        ("$([System.Version]::Parse('1.2.3').Major)", "1"),
        ("$([System.Version]::Parse('$(Version)').ToString(2))", "4.8"),
        ("$([System.Version]::Parse('1.2').CompareTo('1.10'))", "-1"),
        ("$([System.Version]::Parse('1.2').Revision)", "-1"),
        ("$([System.Convert]::ToInt32('12'))", "12"),
        ("$([MSBuild]::Add(1, 2))", "3"),
        ("$([MSBuild]::Divide(1, 2))", "0.5"),
        ("$([MSBuild]::Modulo(7, 4))", "3"),
        ("$([MSBuild]::VersionGreaterThanOrEquals('8.0', '6.0.1'))", "True"),
        ("$([MSBuild]::VersionLessThan('v10.0', '9.0'))", "False"),
        ("$([MSBuild]::ValueOrDefault('$(Empty)', 'fallback'))", "fallback"),
        ("$([MSBuild]::EnsureTrailingSlash('a\\b'))", "a/b/"),
        ("$([MSBuild]::NormalizePath('$(MSBuildProjectDirectory)', '..', 'x'))", "/shop/src/x"),
        ("$([MSBuild]::NormalizeDirectory('..'))", "/shop/src/"),
        ("$([MSBuild]::MakeRelative('/shop/', '/shop/src/App'))", "src/App"),
        ("$([MSBuild]::GetPathOfFileAbove('Directory.Build.props'))", "/shop/Directory.Build.props"),
        (
            "$([MSBuild]::GetPathOfFileAbove('Common.props', '$(MSBuildThisFileDirectory)../'))",
            "/shop/src/Common.props",
        ),
        ("$([MSBuild]::GetPathOfFileAbove('Nowhere.props'))", ""),
        ("$([MSBuild]::GetDirectoryNameOfFileAbove($(MSBuildThisFileDirectory), 'Common.props'))", "/shop/src"),
        ("$([MSBuild]::GetTargetFrameworkIdentifier('$(TargetFramework)'))", ".NETCoreApp"),
        ("$([MSBuild]::GetTargetFrameworkVersion('net472'))", "4.7.2"),
        ("$([MSBuild]::GetTargetFrameworkVersion('net8.0', 3))", "8.0.0"),
        ("$([MSBuild]::GetTargetPlatformIdentifier('$(TargetFramework)'))", "windows"),
        ("$([MSBuild]::GetTargetPlatformVersion('$(TargetFramework)'))", "10.0.19041"),
        ("$([MSBuild]::GetTargetPlatformIdentifier(''))", ""),
        ("$([MSBuild]::IsTargetFrameworkCompatible('net8.0', 'netstandard2.0'))", "True"),
        ("$([MSBuild]::IsTargetFrameworkCompatible('', 'net6.0'))", "False"),
        ("$([MSBuild]::IsOSPlatform('Linux'))", "True"),
        ("$([MSBuild]::IsOSUnixLike())", "True"),
        ("$([System.OperatingSystem]::IsWindows())", "False"),
        (
            "$([System.Runtime.InteropServices.RuntimeInformation]::IsOSPlatform("
            "$([System.Runtime.InteropServices.OSPlatform]::OSX)))",
            "False",
        ),
        ("$([System.Text.RegularExpressions.Regex]::IsMatch('linux-x64', '^linux|^osx'))", "True"),
        ("$([System.Environment]::GetEnvironmentVariable('CI'))", ""),
        ("$(MSBuildProjectName) $(MSBuildThisFile) $(MSBuildProjectExtension)", "App App.csproj .csproj"),
        ("$(MSBuildThisFileDirectory)", "/shop/src/App/"),
        ("$(MSBuildProjectDirectory)", "/shop/src/App"),
    ],
)
def test_expressions_evaluate_as_msbuild_does(text, expected):
    value, notes = evaluated(text)
    assert (value, notes) == (expected, [])


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("$([System.DateTime]::Now)", "[System.DateTime]::Now is not evaluated"),
        ("$([System.IO.File]::ReadAllText('secret.txt'))", "not evaluated"),
        ("$(Registry:HKEY_LOCAL_MACHINE\\Software@Value)", "does not follow the syntax"),
        ("$(Name.GetType())", "GetType is not evaluated"),
        ("$(Name.Nonsense)", "Nonsense is not evaluated"),
        ("$(Name.Substring(99))", "outside the text"),
        ("$(Name.Substring('x'))", "cannot be evaluated"),
        ("$(Name.Split('.')[9])", "outside 0..2"),
        ("$(Name.PadLeft(100000000))", "too large"),
        ("$([MSBuild]::Divide(1, 0))", "cannot be evaluated"),
        ("$([MSBuild]::Add('x', 1))", "cannot be evaluated"),
        ("$([MSBuild]::GetTargetFrameworkIdentifier('what'))", "not a known target framework"),
        ("$([MSBuild]::IsOSPlatform())", "cannot be evaluated"),
        ("$([System.Text.RegularExpressions.Regex]::IsMatch('aaaa', '(a+)+$'))", "only regular expressions"),
        ("$([System.Version]::Parse('not.a.version'))", "is not a version"),
        ("$([System.IO.File]::Exists('/etc/passwd'))", "outside the workspace"),
        ("@(Compile->'%(Filename)')", "item transform"),
        ("@(+)", "does not follow the syntax"),
        ("%(Filename)", "item that is not known"),
        ("$(VisualStudio.)", "does not follow the syntax"),
        ("$(UserProfile)/x", "set by the SDK or the machine"),
    ],
)
def test_what_is_not_evaluated_leaves_a_note_and_no_text(text, part):
    value, notes = evaluated(text)
    assert value in ("", "/x")
    assert part in notes[0]


def test_deeply_nested_expressions_are_bounded():
    text = "x"
    for _ in range(300):
        text = f"$([System.String]::Copy('{text}'))".replace("''", "'")
    _, notes = evaluated(text)
    assert notes


def test_values_are_bounded():
    scope = scope_of({"A": "x" * 1000})
    for _ in range(12):
        scope.set_property("A", expand("$(A)$(A)", scope, []))
    notes = []
    assert len(expand("$(A)$(A)", scope, notes)) <= MAX_VALUE_LENGTH


def test_windows_answers_for_windows():
    assert evaluated("$(OS)", system="Windows")[0] == "Windows_NT"
    assert evaluated("$([MSBuild]::IsOSPlatform('windows'))", system="Windows")[0] == "True"
    assert evaluated("$([System.IO.Path]::DirectorySeparatorChar)", system="Windows")[0] == "\\"
