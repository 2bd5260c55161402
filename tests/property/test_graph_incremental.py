"""Edits followed one by one end in the bindings of a full rebuild."""

from hypothesis import given, settings
from hypothesis import strategies as st

from hybrid_index.graph import BindingContext, LiveWorkspace, bind_workspace

NAMES = ["A", "B", "C"]
MEMBERS = ["X", "Y"]

members = st.one_of(
    st.builds("public {} {};".format, st.sampled_from(["int", *NAMES]), st.sampled_from(MEMBERS)),
    st.builds(
        "public {} {}({} p) => p.X;".format, st.sampled_from(NAMES), st.sampled_from(MEMBERS), st.sampled_from(NAMES)
    ),
    st.builds(
        "object M{}({} p) {{ var q = p.{}; return q.{}; }}".format,
        st.integers(0, 1),
        *[st.sampled_from(NAMES), st.sampled_from(MEMBERS), st.sampled_from(MEMBERS)],
    ),
    st.builds("public static {0} operator +({0} a, int b) => a;".format, st.sampled_from(NAMES)),
    st.builds("object N({} p) => p.X + 1;".format, st.sampled_from(NAMES)),
    st.builds("static void E(this {} p, int n) {{ p.E(1); }}".format, st.sampled_from(NAMES)),
)
types = st.builds(
    "class {}{} {{ {} }}".format,
    st.sampled_from(NAMES),
    st.sampled_from(["", " : A", " : B", " : I"]),
    st.lists(members, max_size=4).map("\n".join),
)
texts = st.builds(
    "{}{}\n{}".format,
    st.sampled_from(["", "using N; ", "global using N; "]),
    st.sampled_from(["", "namespace N; ", "namespace M; "]),
    st.lists(types, max_size=2).map("\n".join),
)
paths = st.sampled_from(["1.cs", "2.cs", "3.cs"])


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(paths, texts, min_size=1), st.lists(st.tuples(paths, st.none() | texts), max_size=4))
def test_following_edits_equals_binding_from_scratch(start, edits):
    files = {path: text.encode() for path, text in start.items()}

    def read(path: str) -> bytes:
        if path not in files:
            raise FileNotFoundError(path)
        return files[path]

    first = bind_workspace(files)
    live = LiveWorkspace(first.facts, BindingContext(), read)
    references, calls, possible = dict(first.references), dict(first.calls), dict(first.possible)
    for path, text in edits:
        if text is None:
            files.pop(path, None)
            for table in (references, calls, possible):
                table.pop(path, None)
        else:
            files[path] = text.encode()
        for changed, result in live.change({path}).items():
            references[changed], possible[changed], calls[changed] = result
    whole = bind_workspace(files)
    assert (references, calls, possible) == (whole.references, whole.calls, whole.possible)
    assert sorted(live.edges(), key=repr) == sorted(whole.edges, key=repr)
