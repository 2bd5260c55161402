"""What names bind to, on small workspaces."""

from hybrid_index.graph import BindingContext, ProjectFacts, bind_in_processes, bind_workspace


def bind(*texts: str, context: BindingContext | None = None):
    return bind_workspace({f"f{i}.cs": text.encode() for i, text in enumerate(texts)}, context)


def targets(bound, path: str = "f0.cs", kind: str | None = None) -> list[tuple[int, str]]:
    return [(u.line, u.target[1]) for u in bound.references[path] if kind is None or u.kind == kind]


def called(bound, path: str = "f0.cs") -> list[str]:
    return [c.callee[1] for c in bound.calls[path]]


def test_a_local_hides_a_field_of_the_same_name():
    bound = bind("class A { int x;\n void M() { int x = 1;\n x = 2; }\n void N() { x = 3; } }")
    assert targets(bound, kind="write") == [(4, "F:A.x")]


def test_a_receiver_is_followed_through_var_await_and_generics():
    text = """using System.Threading.Tasks; using System.Collections.Generic;
class Order { public int Total; }
class Store { public Task<List<Order>> All() => null; }
class C { async Task M(Store s) { var all = await s.All(); foreach (var o in all) { var t = o.Total; } } }"""
    assert (4, "F:Order.Total") in targets(bind(text))


def test_a_lambda_over_a_sequence_knows_its_parameter():
    text = """using System.Linq; using System.Collections.Generic;
class Order { public int Total; public Order Next; }
class C { object M(List<Order> all) => all.Where(o => o.Total > 1).Select(o => o.Next).First().Next; }"""
    bound = bind(text)
    assert [t for _, t in targets(bound) if t.startswith("F:")] == ["F:Order.Total", "F:Order.Next", "F:Order.Next"]


def test_overloads_are_chosen_by_the_types_of_arguments():
    text = 'class A { void F(int a) {} void F(string a) {} void M() { F(1); F("x"); } }'
    assert called(bind(text)) == ["M:A.F(System.Int32)", "M:A.F(System.String)"]


def test_named_and_optional_arguments_decide_too():
    text = "class A { void F(int a, int b = 0) {} void F(int c) {} void M() { F(b: 1, a: 2); F(c: 1); } }"
    assert sorted(called(bind(text))) == ["M:A.F(System.Int32)", "M:A.F(System.Int32,System.Int32)"]


def test_an_unknown_argument_that_leaves_a_tie_gives_a_possible_reference_only():
    text = "class A { void F(int a) {} void F(string a) {} void M(Unknown u) { F(u.Some()); } }"
    bound = bind(text)
    assert called(bound) == []
    assert [p.name for p in bound.possible["f0.cs"]] == ["F"]


def test_a_member_of_an_unknown_receiver_is_possible_and_not_a_reference():
    bound = bind("class A { public int Size; } class B { int M(Unknown u) => u.Make().Size; }")
    assert targets(bound, kind="read") == []
    assert [p.name for p in bound.possible["f0.cs"]] == ["Size"]


def test_an_overload_that_an_outside_base_may_declare_is_not_guessed():
    text = "class A : Outside { void Raise(object[] e) { } void M() { Raise(1); } }"
    bound = bind(text)
    assert called(bound) == []
    assert [p.name for p in bound.possible["f0.cs"]] == ["Raise"]


def test_an_extension_method_binds_where_its_namespace_is_imported():
    library = "namespace L { public static class E { public static int Twice(this int x) => 2 * x; } }"
    assert called(bind("using L; class A { int M() => 3.Twice(); int N(int i) => i.Twice(); }", library))
    assert not called(bind("class A { int N(int i) => i.Twice(); }", library))


def test_an_extension_block_declares_extension_members():
    library = "static class E { extension(string s) { public int Words() => 1; } }"
    assert called(bind("class A { int M(string t) => t.Words(); }", library)) == ["M:E.Words(System.String)"]


def test_an_attribute_binds_without_its_suffix():
    bound = bind(
        "class MarkAttribute : System.Attribute { public int Level { get; set; } } [Mark(Level = 1)] class A { }"
    )
    assert {t for _, t in targets(bound)} >= {"T:MarkAttribute", "P:MarkAttribute.Level"}


def test_new_without_a_type_refers_to_the_constructor_of_its_target():
    bound = bind("class P { public P(int x) { } } class A { P p = new(1); }")
    assert [(u.target[1], u.implicit) for u in bound.references["f0.cs"] if u.kind == "construct"] == [
        ("M:P.#ctor(System.Int32)", True),
        ("T:P", True),
    ]


def test_operators_are_implicit_references():
    text = "struct V { public static V operator +(V a, V b) => a; } class A { V M(V a, V b) => a + b; }"
    assert called(bind(text)) == ["M:V.op_Addition(V,V)"]


def test_patterns_bring_typed_names_into_scope():
    text = "class S { public int R; } class A { int M(object o) => o is S { R: 1 } s ? s.R : 0; }"
    assert [t for _, t in targets(bind(text)) if t == "F:S.R"] == ["F:S.R", "F:S.R"]


def test_using_static_alias_and_global_usings_are_followed():
    library = "namespace L { public static class K { public const int One = 1; } public class Long { public int V; } }"
    user = "class A { int M(Short s) => One + s.V; }"
    bound = bind(user, library, "global using static L.K; global using Short = L.Long;")
    assert {t for _, t in targets(bound)} == {"T:L.Long", "F:L.K.One", "F:L.Long.V"}


def test_two_projects_with_the_same_type_are_kept_apart():
    files = {
        "a/X.cs": b"namespace N; public class X { public int A; }",
        "b/X.cs": b"namespace N; public class X { public int A; }",
        "c/U.cs": b"class U { int M(N.X x) => x.A; }",
    }
    context = BindingContext(
        {"a": ProjectFacts(("a/X.cs",)), "b": ProjectFacts(("b/X.cs",)), "c": ProjectFacts(("c/U.cs",), ("b",))}
    )
    bound = bind_workspace(files, context)
    assert {u.target[0] for u in bound.references["c/U.cs"]} == {"b/X.cs"}


def test_the_defines_of_the_project_choose_the_branch():
    text = (
        b"#if NEW\nclass A { public int N; }\n#else\nclass A { public int O; }\n#endif\nclass B { int M(A a) => a.N; }"
    )
    context = BindingContext({"p": ProjectFacts(("f.cs",), defines=frozenset(["NEW"]))})
    bound = bind_workspace({"f.cs": text}, context)
    assert "F:A.N" in {u.target[1] for u in bound.references["f.cs"]}
    assert {d.name for d in bound.facts["f.cs"].declarations} >= {"N", "O"}


def test_documentation_references_are_kept_apart_from_uses():
    text = """/// <see cref="B.F(int)"/> and <see cref="B.N"/>
class A { /// <see cref="M"/>
  void M() { } }
class B { public void F(int x) { } public void F(string x) { } public int N; }"""
    bound = bind(text)
    assert [(u.line, u.column, u.target[1]) for u in bound.references["f0.cs"] if u.kind == "cref"] == [
        (1, 16, "T:B"),
        (1, 18, "M:B.F(System.Int32)"),
        (1, 43, "T:B"),
        (1, 45, "F:B.N"),
        (2, 26, "M:A.M"),
    ]


def test_hierarchy_edges_include_members():
    text = """interface I { void F(); } abstract class B { public abstract int G(); }
class D : B, I { public void F() { } public override int G() => 1; }"""
    edges = {(a[1], kind, b[1]) for a, kind, b in bind(text).edges if isinstance(b, tuple)}
    assert edges == {
        ("T:D", "base", "T:B"),
        ("T:D", "interface", "T:I"),
        ("M:D.F", "implements", "M:I.F"),
        ("M:D.G", "overrides", "M:B.G"),
    }


def test_worker_processes_give_the_same_result():
    files = {f"f{i}.cs": f"class A{i} {{ public int X; int M(A{(i + 1) % 4} o) => o.X; }}".encode() for i in range(4)}
    one, many = bind_workspace(files), bind_in_processes(files)
    assert (one.references, one.calls, one.edges) == (many.references, many.calls, many.edges)


def test_garbage_binds_to_nothing_and_does_not_fail():
    bound = bind('\x00\x01 class { ((( ]] => " unterminated', "@@@ namespace ; using = ;", "{" * 3000)
    assert all(not refs for refs in bound.references.values())
