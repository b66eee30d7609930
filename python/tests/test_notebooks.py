"""The notebooks of examples/notebooks: each cell runs, in order, in one process. With NOTEBOOK_PICTURES=FOLDER their figures stay there.

A cell that raises SystemExit("SKIP: ...") ends its notebook, and the test says why."""

import glob
import io
import json
import os
import contextlib
import unittest

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "notebooks")

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import PIL  # noqa: F401
except ImportError:
    plt = None

import fftgen

try:
    fftgen._core.host_plan("c2c f32 n=8")
    KERNELS = None
except NotImplementedError as reason:
    KERNELS = str(reason)


def run(path):
    """The text that its cells print."""
    with open(path, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    names, said = {"__name__": "__main__"}, io.StringIO()
    for number, cell in enumerate(cells):
        if cell["cell_type"] != "code":
            continue
        code = compile("".join(cell["source"]), f"{os.path.basename(path)}, cell {number}", "exec")
        with contextlib.redirect_stdout(said):
            exec(code, names)
    return said.getvalue()


def keep_figures(name):
    folder = os.environ.get("NOTEBOOK_PICTURES")
    for number in plt.get_fignums():
        if folder:
            plt.figure(number).savefig(os.path.join(folder, f"{name}-{number}.png"), bbox_inches="tight")
    drawn = len(plt.get_fignums())
    plt.close("all")
    return drawn


@unittest.skipUnless(plt, "no matplotlib with Pillow (python3-matplotlib)")
@unittest.skipIf(KERNELS, f"no kernels: {KERNELS}")
class Notebooks(unittest.TestCase):
    def check(self, name, figures):
        path = os.path.join(FOLDER, name + ".ipynb")
        try:
            run(path)
        except SystemExit as reason:
            plt.close("all")
            self.skipTest(str(reason))
        self.assertEqual(keep_figures(name), figures)

    def test_all_are_here(self):
        here = {os.path.basename(p)[:-6] for p in glob.glob(os.path.join(FOLDER, "*.ipynb"))}
        self.assertEqual(here, {name[5:] for name in dir(self) if name.startswith("test_") and name not in ("test_all_are_here", "test_outputs_are_left_out")})

    def test_outputs_are_left_out(self):
        """Which would differ each time."""
        for path in glob.glob(os.path.join(FOLDER, "*.ipynb")):
            with open(path, encoding="utf-8") as file:
                for cell in json.load(file)["cells"]:
                    self.assertFalse(cell.get("outputs"), path)

    def test_spectrogram(self):
        self.check("spectrogram", 1)

    def test_image_filter(self):
        self.check("image_filter", 1)

    def test_radar(self):
        self.check("radar", 1)

    def test_long_convolution(self):
        self.check("long_convolution", 1)

    def test_raw_kernel(self):
        self.check("raw_kernel", 0)


if __name__ == "__main__":
    unittest.main()
