"""MSBuild wildcards."""

import pytest

from hybrid_index.projects.globs import compile_glob, fixed_directory, is_glob


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("src/App/Program.cs", "src/App/Program.cs", True),
        ("src/App/Program.cs", "src/app/program.CS", True),
        ("src/App/Program.cs", "src/App/Program.cs2", False),
        ("src/**/*.cs", "src/A.cs", True),
        ("src/**/*.cs", "src/a/b/A.cs", True),
        ("src/**/*.cs", "srcs/A.cs", False),
        ("src/**/*.cs", "src/A.csx", False),
        ("src/*.cs", "src/a/A.cs", False),
        ("**/*.cs", "A.cs", True),
        ("src/**", "src/a/b.txt", True),
        ("src/**", "src", False),
        ("src/**/*.*", "src/a/LICENSE", True),
        ("src/*.*", "src/LICENSE", True),
        ("src/bin/**", "src/bin2/x.cs", False),
        ("src/**/obj/**", "src/a/obj/b/c.cs", True),
        ("src/**/obj/**", "src/obj/c.cs", True),
        ("src/**/.*/**", "src/a/.vs/b.cs", True),
        ("src/**/.*/**", "src/a/b.cs", False),
        ("src/?.cs", "src/A.cs", True),
        ("src/?.cs", "src/AB.cs", False),
        ("src/*Tests/**/*.g.cs", "src/UnitTests/x/y.g.cs", True),
        ("src/**/**/*.cs", "src/A.cs", True),
        ("src/**/a/**/b/**/c/**/*.cs", "src/1/a/2/b/c/3/4/x.cs", True),
        ("src/**/a/**/b/**/c/**/*.cs", "src/1/a/2/c/b/x.cs", False),
        ("src/*a*b*c*d*.cs", "src/1a2b3c4d5.cs", True),
        ("src/*a*b*c*d*.cs", "src/1a2b4d3c5.cs", False),
        ("src/[x].cs", "src/[x].cs", True),
        ("src/**.cs", "src/a.cs", True),
        ("src/**.cs", "src/b/a.cs", False),
    ],
)
def test_wildcards_match_as_msbuild_does(pattern, path, expected):
    assert compile_glob(pattern)(path.lower()) is expected


def test_the_fixed_folder_is_what_stands_before_the_first_wildcard():
    assert fixed_directory("Src/App/**/*.cs") == "src/app"
    assert fixed_directory("Src/App/A.cs") == "src/app"
    assert fixed_directory("**/*.cs") == ""
    assert not is_glob("src/a.cs")


def test_hostile_patterns_cannot_take_exponential_time():
    # A backtracking engine would need longer than the age of the universe for this pair; the test simply ends.
    pattern = "**/" + "*a" * 60 + "/**/" * 30 + "b"
    assert compile_glob(pattern)("/".join(["a" * 200] * 30)) is False
