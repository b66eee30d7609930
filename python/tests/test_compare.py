"""python -m fftgen.compare: a page in a few seconds, whole, with its data; what is measured is right."""

import contextlib
import html.parser
import io
import json
import os
import re
import tempfile
import unittest

import numpy as np
from fftgen import _contenders, _page, compare


class Tags(html.parser.HTMLParser):
    """Tags that are opened are closed."""

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        if tag not in ("meta", "img", "path", "use", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class Page(unittest.TestCase):
    def test_page(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()) as said:
            page, data = os.path.join(folder, "page.html"), os.path.join(folder, "data.json")
            self.assertEqual(compare.main(["--quick", "--seconds", "8", "--device", "host", "-o", page, "--json", data]), 0)
            with open(page, encoding="utf-8") as file:
                text = file.read()
            with open(data, encoding="utf-8") as file:
                data = json.load(file)
        self.assertIn("One transform", said.getvalue())
        tags = Tags()
        tags.feed(text)
        self.assertEqual(tags.open, [])
        self.assertFalse(re.search(r'(src|href)="(?!data:|#)', text), "something outside the page")
        self.assertEqual(json.loads(re.search(r'id="data">(.*?)</script>', text, re.S).group(1)), data)
        self.assertEqual([s["id"] for s in data["sections"]], ["one", "constant", "batches", "awkward", "planes", "kinds", "windows", "image"])
        for word in ("processor", "Python", "libraries", "date"):
            self.assertIn(word, data["machine"])
        for row in data["sections"][0]["rows"]:
            self.assertLessEqual({"fftgen", "fftgen, plan"}, set(row["times"]))
            for error in row.get("errors", {}).values():
                self.assertLess(error, 1e-6)

    def test_all_compute_the_same(self):
        rng = np.random.default_rng(2)
        for name, x in (("fft", rng.standard_normal((3, 24)) + 1j * rng.standard_normal((3, 24))), ("rfft", rng.standard_normal((3, 4, 6)))):
            axes = (1,) if name == "fft" else (1, 2)
            wanted = getattr(np.fft, name + "n")(x, axes=axes)
            for c in _contenders.find("host", 0):
                ready = c.prepare(_contenders.Case(name, x, axes))
                ready.run()
                ready.wait()
                np.testing.assert_allclose(ready.result(), wanted, atol=1e-10, err_msg=c.name)

    def test_ratios_and_pictures(self):
        section = {"rows": [{"times": {"fftgen": [1., 2., 3.], "fftgen, plan": [4.], "a": [8.], "b": [4.]}}, {"times": {"a": [1.]}}]}
        self.assertEqual(_page.mean_ratio(section), (2., 1))
        self.assertEqual(_page.png(np.zeros((2, 3)))[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(len(compare.measure(_contenders.Ready(lambda: None, lambda: None, lambda: None), .01, 1e-6, 7)), 7)


if __name__ == "__main__":
    unittest.main()
