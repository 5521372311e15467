"""Markdown of people as HTML: nothing in it runs, loads or is followed."""

from __future__ import annotations

from tests.looping import looped
from webapp.common.markdown import render_of_people


@looped(
    "text, html",
    [
        ("a <script>alert(1)</script> b", "<p>a &lt;script&gt;alert(1)&lt;/script&gt; b</p>\n"),
        ('<img src="https://x.example/a.png">', "<p>&lt;img src=&quot;https://x.example/a.png&quot;&gt;</p>\n"),
        (
            "[there](https://x.example/)",
            '<p><a href="https://x.example/" rel="nofollow noopener">there</a></p>\n',
        ),
        (
            "<https://x.example/>",
            '<p><a href="https://x.example/" rel="nofollow noopener">https://x.example/</a></p>\n',
        ),
        (
            "![a board](https://x.example/a.png)",
            '<p>!<a href="https://x.example/a.png" rel="nofollow noopener">a board</a></p>\n',
        ),
        ("[here](javascript:alert(1))", "<p>[here](javascript:alert(1))</p>\n"),
        ("# Why\n\n##### Small", "<h3>Why</h3>\n<h6>Small</h6>\n"),
        ("~~old~~ **new**", "<p><s>old</s> <strong>new</strong></p>\n"),
    ],
)
def test_what_people_write_is_text_and_links_that_nobody_follows(text: str, html: str) -> None:
    assert render_of_people(text) == html


def test_a_table_scrolls_in_a_box_of_its_own() -> None:
    html = render_of_people("| a | b |\n|---|---|\n| 1 | 2 |\n\n<table>")
    assert html.count('<div class="table"') == html.count("</table></div>") == 1
    assert "<p>&lt;table&gt;</p>" in html
