"""Conditions: MSBuild's grammar, and the third outcome for what cannot be known."""

import pytest

from hybrid_index.projects.conditions import ConditionSyntaxError, evaluate_condition, parse_condition
from hybrid_index.projects.files import WorkspaceFiles
from hybrid_index.projects.options import ProjectOptions
from hybrid_index.projects.scope import ProjectScope


class NoFiles:
    def read(self, path):
        raise AssertionError(path)

    def exists(self, path):
        return False


def scope_of(properties=None, paths=("src/App/App.csproj", "README.md"), system="Linux"):
    files = WorkspaceFiles(NoFiles(), list(paths), "shop")
    scope = ProjectScope(files, "src/App/App.csproj", ProjectOptions(operating_system=system), "", {})
    for name, value in (properties or {}).items():
        scope.set_property(name, value)
    scope.condition_directory = scope.project_directory
    return scope


def holds(text, properties=None, **options):
    return evaluate_condition(text, scope_of(properties, **options)).value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True),
        ("  ", True),
        ("true", True),
        ("!false", True),
        ("'a' == 'A'", True),
        ("'a' != 'b'", True),
        ("a == 'a'", True),
        ("'$(Name)' == 'Ada'", True),
        ("$(Name) == Ada", True),
        ("'$(Missing)' == ''", True),
        ("'$(Flag)'", True),
        ("$(Flag)", True),
        ("'on' == 'TRUE'", True),
        ("'1.0' == '1'", True),
        ("'0x10' == '16'", True),
        ("'10' > '9'", True),
        ("'4.6.1' < '4.10.0'", True),
        ("'v2' >= 'v2.0.0'", True),
        ("2 <= 2", True),
        ("'a' == 'b' or 'a' == 'a'", True),
        ("'a' == 'b' and 'a' == 'a' or 'c' == 'c'", True),
        ("'a' == 'a' Or 'a' == 'b' AND 'c' == 'd'", True),
        ("('a' == 'a' or 'a' == 'b') and 'c' == 'd'", False),
        ("!('a' == 'b')", True),
        ("HasTrailingSlash('a/')", True),
        ("HasTrailingSlash('a\\')", True),
        ("HasTrailingSlash('a')", False),
        ("'$(Configuration)|$(Platform)' == 'Debug|'", True),
        ("$(Name.StartsWith('Ad'))", True),
        ("!$(Name.Contains('xyz'))", True),
        ("'$([System.String]::Copy('it'))' == 'it'", True),
        ("'a;b' == '$(List)'", True),
        ("'%3B' == ';'", True),
    ],
)
def test_conditions_follow_msbuild(text, expected):
    assert holds(text, {"Name": "Ada", "Flag": "true", "List": "a;b"}) is expected


def test_exists_looks_at_scanned_files_and_folders_relative_to_the_project():
    assert holds("Exists('App.csproj')") is True
    assert holds("Exists('..\\..\\README.md')") is True
    assert holds("Exists('../../src')") is True
    assert holds("Exists('nothing.txt')") is False
    assert holds("Exists('')") is False
    assert holds("Exists('App.csproj;nothing.txt')") is False


def test_exists_outside_the_workspace_is_unknown():
    outcome = evaluate_condition("Exists('../../../outside.txt')", scope_of())
    assert outcome.value is None
    assert "outside the workspace" in outcome.reason


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("$([System.DateTime]::Now.Year) > 2020", "DateTime"),
        ("'$(NuGetPackageRoot)' == ''", "set by the SDK"),
        ("'perhaps'", "neither true nor false"),
        ("'' ", "neither true nor false"),
        ("'abc' < 'abd'", "cannot be ordered"),
        ("Exits('x')", "does not exist in conditions"),
        ("'a' ==", "ends too early"),
        ("('a' == 'a'", "missing"),
        ("'a' == 'a' 'b'", "unexpected"),
        ("'open", "not closed"),
        ("$(open", "not closed"),
        ("'@(Compile->Count())' == '0'", "item transform"),
        ("'%(Filename)' == 'x'", "item that is not known"),
        ("(" * 200 + "true" + ")" * 200, "nested too deeply"),
        ("!" * 200 + "true", "nested too deeply"),
        ("§", "unexpected"),
    ],
)
def test_what_cannot_be_known_says_why(text, part):
    outcome = evaluate_condition(text, scope_of())
    assert outcome.value is None
    assert part in outcome.reason


def test_an_unknown_part_matters_only_where_it_decides():
    unknown = "$([System.DateTime]::Now.Year) > 2020"
    assert holds(f"{unknown} or true") is True
    assert holds(f"{unknown} and false") is False
    assert holds(f"{unknown} and true") is None
    assert holds(f"{unknown} or false") is None
    assert holds(f"!({unknown})") is None


def test_a_property_with_an_uncertain_value_makes_its_conditions_unknown():
    scope = scope_of()
    scope.doubt("Maybe", "true", "it hangs on the clock")
    assert evaluate_condition("'$(Maybe)' == 'true'", scope).reason == "it hangs on the clock"


def test_malformed_conditions_raise_only_from_the_parser():
    with pytest.raises(ConditionSyntaxError):
        parse_condition("== 'a'")
