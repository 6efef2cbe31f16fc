"""HTML as a tree that is serialised by the standard library, so that no text can be left unescaped by mistake."""

from xml.etree import ElementTree

from gridmill.logs import visible

Node = ElementTree.Element
Child = Node | str | None

_DOCTYPE = "<!doctype html>\n"


def node(tag: str, *children: Child, **attributes: str | float) -> Node:
    """An element. Of the names of ``attributes`` a trailing ``_`` goes, and ``_`` is ``-``; children None are left out.

    Signs that no reader can see are made visible in texts, as in logs.
    """
    made = Node(tag, {_name(name): _number(value) for name, value in attributes.items()})
    for child in children:
        if isinstance(child, str):
            _append(made, visible(child))
        elif child is not None:
            made.append(child)
    return made


def style(css: str) -> Node:
    """A style sheet of our own, as it stands."""
    made = Node("style")
    made.text = css
    return made


def page(root: Node) -> str:
    """The document."""
    return _DOCTYPE + ElementTree.tostring(root, "unicode", "html") + "\n"


def _append(parent: Node, text: str) -> None:
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-") if name != "viewBox" else name


def _number(value: str | float) -> str:
    return visible(value) if isinstance(value, str) else f"{value:g}"
