"""HTML that cannot be broken by what stands in it."""

from html.parser import HTMLParser

from gridmill.report.tree import node, page, style

EVIL = "</title><script>alert(1)</script>&lt;\"'"


class Found(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.attributes: dict[str, str | None] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.update(attrs)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_a_text_stays_a_text() -> None:
    found = Found(page(node("p", EVIL)))
    assert (found.tags, "".join(found.texts).strip()) == (["p"], EVIL)


def test_an_attribute_stays_an_attribute() -> None:
    found = Found(page(node("p", title=EVIL)))
    assert (found.tags, found.attributes) == (["p"], {"title": EVIL})


def test_texts_and_elements_keep_their_order() -> None:
    assert "<p>a<b>c</b>d<i></i>ef</p>" in page(node("p", "a", node("b", "c"), "d", node("i"), "e", "f"))


def test_what_nobody_can_see_is_made_visible() -> None:
    assert r"a\x00b\u202ec" in page(node("p", "a\0b\u202ec"))


def test_names_that_python_keeps_for_itself_can_be_written() -> None:
    assert '<p class="a" aria-label="b" viewBox="c"></p>' in page(node("p", class_="a", aria_label="b", viewBox="c"))


def test_a_style_sheet_is_not_escaped() -> None:
    assert "<style>a > b {}</style>" in page(node("head", style("a > b {}")))
