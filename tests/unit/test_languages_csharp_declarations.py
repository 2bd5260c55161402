"""Declarations, ids and positions of C# files."""

from hybrid_index.languages.csharp.symbols import symbols_of
from hybrid_index.languages.csharp.syntax import inactive_ranges, parse


def symbols(text: str, defines=None):
    return symbols_of(parse(text.encode(), defines))


def by_id(text: str):
    return {s.doc_id: s for s in symbols(text)}


def test_every_kind_of_member_is_found_with_its_id():
    found = by_id(
        """namespace N.M;
public class C<T> {
  public const int K = 1; int f, g; event System.Action E; public int P { get; set; }
  public int this[int i] => i; public C(T t) { } ~C() { } static C() { }
  public static C<T> operator +(C<T> a, int? b) => a; public static implicit operator int(C<T> a) => 1;
  U Do<U>(T t, U u, params string[] rest) => u;
  enum Color { Red, Green } delegate void D(ref int x);
}"""
    )
    kinds = {key: symbol.kind for key, symbol in found.items()}
    assert kinds["T:N.M.C`1"] == "class"
    assert kinds["F:N.M.C`1.K"] == "const"
    assert kinds["F:N.M.C`1.g"] == "field"
    assert kinds["E:N.M.C`1.E"] == "event"
    assert kinds["P:N.M.C`1.Item(System.Int32)"] == "indexer"
    assert kinds["M:N.M.C`1.#ctor(`0)"] == "constructor"
    assert kinds["M:N.M.C`1.Finalize"] == "destructor"
    assert kinds["M:N.M.C`1.op_Addition(C{`0},System.Nullable{System.Int32})"] == "operator"
    assert kinds["M:N.M.C`1.op_Implicit(C{`0})~System.Int32"] == "conversion"
    assert kinds["M:N.M.C`1.Do``1(`0,``0,System.String[])"] == "method"
    assert kinds["F:N.M.C`1.Color.Green"] == "enum_member"
    assert kinds["T:N.M.C`1.D"] == "delegate"


def test_a_record_declares_its_constructor_and_properties():
    found = by_id("public record Point(int X, int Y);")
    assert {"T:Point", "M:Point.#ctor(System.Int32,System.Int32)", "P:Point.X", "P:Point.Y"} <= set(found)


def test_columns_count_utf16_units():
    (symbol,) = [s for s in symbols("/* \U0001f600é */ class A { }") if s.name == "A"]
    assert symbol.name_span.start_column == 17


def test_default_accessibility_depends_on_the_container():
    found = by_id("class A { int f; interface I { void M(); } }")
    assert found["T:A"].accessibility == "internal"
    assert found["F:A.f"].accessibility == "private"
    assert found["M:A.I.M"].accessibility == "public"


def test_documentation_is_read_without_markup():
    found = by_id('/// <summary>Ships an <see cref="Order"/>.</summary>\nclass A { }')
    assert found["T:A"].doc_summary == "Ships an Order."
    assert found["T:A"].doc_start_line == 1


def test_a_condition_that_splits_a_construct_does_not_hide_the_type():
    text = "class A\n#if X\n : B\n#else\n : C\n#endif\n{ void M() { } }\nclass D { }"
    assert {"T:A", "M:A.M", "T:D"} <= set(by_id(text))


def test_declarations_of_every_branch_are_found():
    text = "#if X\nclass A { }\n#else\nclass B { }\n#endif"
    assert {s.name for s in symbols(text, ["X"])} == {"A", "B"}


def test_conditions_are_evaluated_with_precedence_and_definitions_of_the_file():
    text = b"#define Q\n#if P || Q && !R\nyes\n#elif S\nno\n#else\nno\n#endif\n"
    off = inactive_ranges(text, frozenset())
    assert [text[a:b].strip() for a, b in off if text[a:b].strip() != b""] == [b"no\n#else\nno"]


def test_syntax_newer_than_the_grammar_does_not_lose_the_type():
    for body in (
        "unsafe void M(byte* p) { *(uint*)p = 1; *p++ = 2; }",
        "void M(A a) { a?.B = 1; }",
        "void M() { F(ref x) = 1; }",
    ):
        assert {"T:A", "M:A.Last"} <= set(by_id("class A { " + body + " void Last() { } }")), body


def test_local_functions_are_listed_under_their_member():
    found = by_id("class A { void M() { int Inner(int x) => x; } }")
    assert found["L:A.M.Inner(System.Int32)"].container == "M:A.M"
