"""python -m fftgen.compare: a page in a few seconds, whole, with its data; what is measured is right."""

import contextlib
import html.parser
import io
import json
import os
import re
import tempfile
import time
import unittest

import fftgen
import numpy as np
from fftgen import _contenders, _page, _quad, _svg, compare


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
        self.assertEqual([s["id"] for s in data["sections"]], ["runs", "windows", "image", "counts", "one", "constant", "batches", "awkward", "planes", "kinds"])
        for word in ("processor", "Python", "libraries", "date"):
            self.assertIn(word, data["machine"])
        for row in data["sections"][4]["rows"]:
            self.assertIn("fftgen", row["times"])
            if "not whole, for time" not in data["sections"][4]["left_out"]:
                self.assertIn("fftgen, plan", row["times"])
            for error in row.get("errors", {}).values():
                self.assertLess(error, 1e-6)

    def test_row(self):
        """With time enough every library is in the row, and what was left out is said otherwise."""
        plan = next(p for p in compare.plans(True, False) if p.id == "one")
        point, found = plan.points[0], _contenders.find("host", 0)
        failed = set()
        row = compare._row(plan, point, found, time.perf_counter() + 60, 100, False, 1 << 16, failed, compare.Pace())
        self.assertLessEqual({"fftgen", "fftgen, plan"}, set(row["times"]))
        row = compare._row(plan, point, found, time.perf_counter() - 1, 100, False, 1 << 16, failed, compare.Pace())
        self.assertEqual(list(row["times"]), ["fftgen"])
        self.assertIn("some rows are not whole, for time", failed)

    def test_pace(self):
        """What is beside the measurements has its time, so that no row is left out for it."""
        plan = next(p for p in compare.plans(False, False) if p.id == "awkward")
        plan = plan._replace(points=[p._replace(shape=(1, p.shape[1])) for p in plan.points])

        def slow(case):
            time.sleep(.02)
            return _contenders.Ready(lambda: time.sleep(1e-4), lambda: None, lambda: None)

        slow_ones = [_contenders.Contender(name, "1", "host", slow) for name in "ab"]
        begin = time.perf_counter()
        section = compare.section(plan, slow_ones, compare.Clock(60), 8, False, lambda text: None)
        self.assertEqual((len(section["rows"]), section["left_out"]), (len(plan.points), ""))
        self.assertLess(time.perf_counter() - begin, 20)

    def test_version(self):
        self.assertRegex(fftgen.__version__, r"^\d+\.\d+\.\d+$")
        self.assertEqual({c.version for c in _contenders.find("host", 0) if c.name.startswith("fftgen")}, {fftgen.__version__})

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

    def test_quadruple_precision(self):
        rng = np.random.default_rng(5)
        x = rng.standard_normal((3, 24)) * 10. ** rng.integers(-30, 30, (3, 24))
        high, low = _quad.split(_quad.widen(np.concatenate([x, np.zeros((3, 1))], axis=1)))
        np.testing.assert_array_equal(high[:, :-1], x)
        self.assertFalse(low.any() or high[:, -1].any())
        if not _quad._library():
            self.skipTest("no libfftw3q.so.3")
        for name, shape, axes in (("fft", (5, 12), (1,)), ("rfft", (5, 12), (0,)), ("fft", (4, 5, 6), (0, 2)), ("rfft", (4, 5, 6), (0, 1))):
            x = rng.standard_normal(shape) + (1j * rng.standard_normal(shape) if name == "fft" else 0)
            wanted = _quad.transform(name, x, axes)
            self.assertEqual(wanted.precision, _quad.QUAD)
            got = getattr(np.fft, name + "n")(x, axes=axes)
            self.assertTrue(1e-17 < _quad.error(got, wanted) < 4e-16)
            shorter = _quad.transform(name, x, axes, quad_most=0)
            if shorter:  # in extended precision: nearer to it than double is
                self.assertLess(np.abs((wanted.high - shorter.high) + (wanted.low - shorter.low)).max(), 1e-17)

    def test_plots(self):
        section = {"contenders": ["a", "<b>"], "rows": [{"at": 4, "rate": 2., "times": {"a": [1., 2., 3.], "<b>": [1e-3]}, "errors": {"a": 1e-7}},
                                                        {"at": 4096, "rate": 9., "times": {"a": [1.]}, "errors": {"a": 3e-6}}]}
        speed, errors = _svg.of_sections(section, "times"), _svg.of_sections(section, "errors")
        self.assertEqual((speed[0].at, speed[0].middle, speed[1].middle, errors[1].at), ([4, 4096], [1., 9.], [2000.], []))
        for text in (_svg.lines(speed, "speed", "points", "GFLOP/s"), _svg.lines(errors, "errors", "points", "", log_y=True),
                     _svg.runs({"a": [1., 2., 50.]}, {"a": "#000"}, "runs", 1., "s")):
            tags = Tags()
            tags.feed(text)
            self.assertEqual(tags.open, [])
            for number in re.findall(r'\b(?:cx|cy|x|y)="([^"]*)"', text):
                self.assertTrue(-1 <= float(number) <= _svg.WIDTH, number)
        self.assertIn("+1", text)  # far beyond the median
        self.assertEqual([label for _, label in _svg.Scale([1., 9.], 0, 1, zero=True).marks()], [str(k) for k in range(10)])

    def test_ratios_and_pictures(self):
        section = {"rows": [{"times": {"fftgen": [1., 2., 3.], "fftgen, plan": [4.], "a": [8.], "b": [4.]}}, {"times": {"a": [1.]}}]}
        self.assertEqual(_page.mean_ratio(section), (2., 1))
        self.assertEqual(_page.png(np.zeros((2, 3)))[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(len(compare.measure(_contenders.Ready(lambda: None, lambda: None, lambda: None), .01, 1e-6, 7)), 7)


if __name__ == "__main__":
    unittest.main()
