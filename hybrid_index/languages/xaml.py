"""XAML (WPF, WinUI, MAUI, Avalonia) by element subtree, with what its attributes point to as hints.

Symbols have the ids that the compiler gives the code-behind: `T:` for the class, `F:` for a named element's field.
Resource keys, which are no members, are `K:` and the key.
"""

from __future__ import annotations

import posixpath
import re

from hybrid_index.languages.cutting import tile
from hybrid_index.languages.elements import Element, ElementIndex, element_sections, elements
from hybrid_index.languages.layout import Layout
from hybrid_index.languages.options import ChunkingOptions
from hybrid_index.languages.words import found, joined
from hybrid_index.types import Chunk, ParsedFile, SourceText, Span, Symbol

_CLASS = re.compile(r"\bx:Class\s*=\s*\"([\w.]{1,300})\"")
_NAMED = re.compile(r"(?<![\w:.-])(x:Name|Name|x:Key)\s*=\s*\"([^\"<>{}\n]{1,200})\"")
_NAMES = re.compile(
    r"(?<![\w:.-])(?:x:Name|Name|x:Key|x:Class|x:Uid|AutomationProperties\.(?:AutomationId|Name))\s*=\s*\"([^\"<>{}\n]{1,200})\""
)
_HINTS = re.compile(
    # bindings and what they are typed by
    r"\{(?:Binding|x:Bind|TemplateBinding|CompiledBinding|ReflectionBinding)\s+(?:Path\s*=\s*)?([\w.$()\[\]#^/]{1,200})"
    r"|(?<![\w:.-])(?:x:DataType|DataType|TargetType|x:TypeArguments|d:DataContext)\s*=\s*\"(?:\{[\w:]+\s+)?([\w:.]{1,200})"
    # resources
    r"|\{(?:StaticResource|DynamicResource|ThemeResource|x:Static|x:Type)\s+(?:ResourceKey=)?([\w.:]{1,200})"
    # handlers: an attribute that sounds like an event, with a bare identifier as its value
    r"|(?<![\w:.-])(?:[\w.]*(?:Click|Clicked|Tapped|Loaded|Unloaded|Changed|Pressed|Released|Entered|Exited|Down|Up|Move|Moved"
    r"|Opened|Closed|Opening|Closing|Completed|Invoked|Requested|Executed|CanExecute|Focus|Enter|Leave|Drop|Over|Handler"
    r"|Initialized|Selected|Checked|Unchecked|Toggled|Wheel|Scroll|Activated|Deactivated))\s*=\s*\"([A-Za-z_]\w{1,100})\""
    r"|(?<![\w:.-])(?:Classes|Selector|StyleClass)\s*=\s*\"([^\"{}<>\n]{1,200})\""
    r"|\bClasses\.([\w-]{1,80})\s*="
    r"|(avares://[^\"\s<>]{1,300}|ms-appx://[^\"\s<>]{1,300}|pack://[^\"\s<>]{1,300})"
    r"|\b(?:StartupUri|Source|Include)\s*=\s*\"([^\"{}<>\n]{1,200})\""
)
_TITLES = re.compile(r"(?<![\w:.-])(?:Header|Title|x:Name|Name|x:Key|Text|Content)\s*=\s*\"([^\"{}<>\n]{1,80})\"")
_COMMENT = re.compile(r"<!--(.{1,400}?)-->", re.S)
_LAYOUT_TAGS = frozenset(
    "Grid StackPanel DockPanel WrapPanel Border Panel Canvas ScrollViewer UniformGrid Grid.RowDefinitions".split()
)
_MAX_LINE = 5_000  # columns on longer lines are of no use to anyone


def parse_xaml(source: SourceText, options: ChunkingOptions) -> ParsedFile:
    """Cut XAML along its elements; names, bindings, handlers and resources are indexed beside the text."""
    layout = Layout.of(source)
    stem = posixpath.basename(source.path).split(".")[0]
    declared = _CLASS.search(layout.text)
    type_name = declared[1] if declared else ""
    view = type_name.rpartition(".")[2] or stem
    every = elements(layout)
    index = ElementIndex(every)
    whole = layout.size(1, layout.count) <= options.small_file_chars
    chunks: list[Chunk] = []
    for start, end in tile(layout, [] if whole else element_sections(every), options):
        inside, around = index.take(start, end)
        chunks.append(_chunk(layout, start, end, view, inside, around, is_first=not chunks))
    hints = (type_name,) if type_name else ()
    return ParsedFile(tuple(chunks), tuple(_symbols(layout, every, type_name, view)), hints)


def _chunk(
    layout: Layout, start: int, end: int, view: str, inside: list[Element], around: list[Element], *, is_first: bool
) -> Chunk:
    text = layout.slice(start, end)
    names = found(_NAMES, text)
    titles = [title for element in around for title in _titles(layout, element)]
    main = next((name for name in names if "." not in name and name != view), None)
    return Chunk(
        start,
        end,
        "markup",
        f"{view}.{main}" if main is not None and not is_first else view,
        names=joined([view, *names] if is_first else names),
        context=joined([view, *titles, *(e.tag for e in around if e.tag not in _LAYOUT_TAGS)]),
        docs=joined(" ".join(comment.split()) for comment in found(_COMMENT, text)),
        hints=joined([*found(_HINTS, text), *(e.tag for e in inside if e.tag not in _LAYOUT_TAGS)]),
    )


def _titles(layout: Layout, element: Element) -> list[str]:
    return found(_TITLES, layout.text, element.start, min(element.tag_end, element.start + 2_000))


def _symbols(layout: Layout, every: list[Element], type_name: str, view: str) -> list[Symbol]:
    """The class of the view, its named elements and its resource keys."""
    out: list[Symbol] = []
    qualified = type_name or view
    if type_name and every:
        root = every[0]
        out.append(
            Symbol(
                name=view,
                kind="component",
                qualified_name=qualified,
                doc_id=f"T:{qualified}",
                span=Span(root.start_line, root.end_line),
                name_span=_value_span(layout, _CLASS.search(layout.text)) or Span(root.start_line, root.start_line),
                signature=f"{root.tag} {qualified}",
                roles=("view",),
            )
        )
    for element in every:
        for match in _NAMED.finditer(layout.text, element.start, min(element.tag_end, element.start + 4_000)):
            span = _value_span(layout, match, 2)
            if span is not None:
                out.append(_named(element, match[1], match[2], span, qualified))
    return out


def _named(element: Element, attribute: str, name: str, span: Span, qualified: str) -> Symbol:
    is_key = attribute == "x:Key"
    return Symbol(
        name=name,
        kind="resource" if is_key else "element",
        qualified_name=name if is_key else f"{qualified}.{name}",
        doc_id=f"K:{name}" if is_key else f"F:{qualified}.{name}",
        span=Span(element.start_line, element.end_line),
        name_span=span,
        signature=f"{element.tag} {name}",
        container=f"T:{qualified}",
    )


def _value_span(layout: Layout, match: re.Match[str] | None, group: int = 1) -> Span | None:
    if match is None or len(layout.lines[layout.line_at(match.start()) - 1]) > _MAX_LINE:
        return None
    return layout.span(match.start(group), match.end(group))
