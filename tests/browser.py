"""What a reader sees, in a real browser: JupyterLab with the kernel, and the report of an audit.

    .lab/venv/bin/python -m pip install selenium
    .lab/venv/bin/python tests/browser.py

It wants `jackknife lab --setup` to have been run, the command `jackknife` built in release mode, and Chromium with its
driver (Debian: chromium, chromium-driver). With `--picture FILE` the notebook's picture is kept.
"""

import argparse
import json
import os
import pathlib
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAB = pathlib.Path(os.environ.get("JACKKNIFE_LAB", ROOT / ".lab"))
NOTEBOOK = "01_naive_jackknife.ipynb"
PICTURE = None


def browser():
    options = webdriver.ChromeOptions()
    flags = "headless=new no-sandbox disable-gpu disable-quic no-first-run disable-background-networking"
    flags += " disable-component-update disable-sync disable-dev-shm-usage window-size=1400,1000"
    for flag in flags.split():
        options.add_argument("--" + flag)
    options.add_argument("--user-data-dir=" + tempfile.mkdtemp())
    options.binary_location = "/usr/bin/chromium"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(service=webdriver.ChromeService("/usr/bin/chromedriver"), options=options)
    driver.set_script_timeout(300)
    return driver


def console_errors(driver):
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]


class Server:
    """JupyterLab on 127.0.0.1 over a copy of the notebooks, with or without Plotly's extension."""

    def __init__(self, plotly):
        self.folder = tempfile.TemporaryDirectory(dir=ROOT / "notebooks", prefix=".browser-")
        text = (ROOT / "notebooks" / NOTEBOOK).read_text().replace('path = \\"..\\"', 'path = \\"../..\\"')
        (pathlib.Path(self.folder.name) / NOTEBOOK).write_text(text)
        self.home = tempfile.TemporaryDirectory()
        home = pathlib.Path(self.home.name)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        token = secrets.token_hex(8)
        arguments = ["--no-browser", "--allow-root", "--expose-app-in-browser", "--ip=127.0.0.1", f"--port={port}"]
        arguments += [f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={self.folder.name}"]
        if not plotly:
            arguments.append("--LabApp.labextensions_path=[]")
        environment = dict(os.environ, JUPYTER_CONFIG_DIR=str(home / "config"), JUPYTER_DATA_DIR=str(home / "data"))
        environment["JUPYTER_RUNTIME_DIR"] = str(home / "runtime")
        self.log = open(home / "log", "w+")
        self.process = subprocess.Popen(
            [LAB / "venv/bin/python", "-m", "jupyterlab", *arguments], env=environment, stdout=self.log, stderr=self.log
        )
        self.address = f"http://127.0.0.1:{port}/lab/tree/{NOTEBOOK}?token={token}"
        for _ in range(120):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/api?token={token}", timeout=1)
                return
            except OSError:
                time.sleep(0.5)
        raise RuntimeError("JupyterLab did not start: " + pathlib.Path(self.log.name).read_text()[-2000:])

    def close(self):
        """Ends the server with its kernels; one that does not listen is ended all the same, and its last words shown."""
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            print("JupyterLab did not end by itself: " + pathlib.Path(self.log.name).read_text()[-2000:], file=sys.stderr)
            self.process.kill()
            self.process.wait()
        self.log.close()
        self.folder.cleanup()
        self.home.cleanup()


class Notebook(unittest.TestCase):
    def open(self, plotly):
        server, driver = Server(plotly), browser()
        self.addCleanup(server.close)
        self.addCleanup(driver.quit)
        driver.get(server.address)
        # Lab shows the page before it has read the notebook, and the notebook before the kernel answers.
        whole = "return window.jupyterapp?.shell.currentWidget?.content?.widgets?.length"
        status = "return jupyterapp.shell.currentWidget.sessionContext?.session?.kernel?.status"
        cells = len(json.loads((ROOT / "notebooks" / NOTEBOOK).read_text())["cells"])
        WebDriverWait(driver, 180).until(lambda d: d.execute_script(whole) == cells, "Lab shows every cell")
        WebDriverWait(driver, 180).until(lambda d: d.execute_script(status) == "idle", "the kernel answers")
        return driver

    def figures(self, driver, selector, drawn):
        """Brings each cell with a figure into view, since Lab draws only what is seen, and waits until it is drawn."""
        cells = driver.execute_script(
            "const cells = jupyterapp.shell.currentWidget.content.widgets;"
            "const shown = c => c.model.type === 'code' ? c.model.outputs.toJSON() : [];"
            "const figure = o => 'application/vnd.plotly.v1+json' in (o.data || {});"
            "return [...cells.keys()].filter(k => shown(cells[k]).some(figure))"
        )
        for index in cells:
            driver.execute_script("jupyterapp.shell.currentWidget.content.scrollToItem(arguments[0], 'center')", index)
            look = f"const found = jupyterapp.shell.currentWidget.content.widgets[{index}].node.querySelector('{selector}');"
            WebDriverWait(driver, 60).until(
                lambda d: d.execute_script(look + f"return !!found && ({drawn})"), f"cell {index + 1} shows its figure"
            )
        return len(cells)

    def test_run_all_gives_interactive_figures_and_no_console_error(self):
        driver = self.open(plotly=True)
        driver.execute_script("jupyterapp.commands.execute('notebook:clear-all-cell-outputs')")
        driver.execute_async_script(
            "const done = arguments[0]; jupyterapp.commands.execute('notebook:run-all-cells').then(() => done(), e => done(String(e)))"
        )
        counts = driver.execute_script(
            "return jupyterapp.shell.currentWidget.content.widgets.filter(c => c.model.type === 'code').map(c => c.model.executionCount)"
        )
        self.assertEqual(counts, [counts[0] + k for k in range(len(counts))], "every cell ran, in order")
        self.assertGreater(self.figures(driver, ".js-plotly-plot .main-svg", "true"), 0, "figures are drawn by Plotly")
        self.assertEqual(console_errors(driver), [])
        if PICTURE:
            plot = driver.find_elements(By.CSS_SELECTOR, ".js-plotly-plot")[0]
            driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", plot)
            ActionChains(driver).move_to_element(plot).perform()
            time.sleep(1)
            driver.save_screenshot(PICTURE)

    def test_without_the_extension_the_figures_are_images(self):
        driver = self.open(plotly=False)
        images = self.figures(driver, 'img[src^="data:image"]', "found.naturalWidth > 0")
        self.assertGreater(images, 0, "figures are there as images")
        self.assertEqual(driver.find_elements(By.CSS_SELECTOR, ".js-plotly-plot"), [])
        self.assertEqual(console_errors(driver), [])


class Report(unittest.TestCase):
    WILD = "<script>alert(1)</script>"

    def page(self):
        """A report of yacht with a column that would like to be a script; JACKKNIFE_REPORT names one made before."""
        if "JACKKNIFE_REPORT" in os.environ:
            return pathlib.Path(os.environ["JACKKNIFE_REPORT"]).resolve()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        table, page = pathlib.Path(folder.name) / "yacht.csv", pathlib.Path(folder.name) / "report.html"
        table.write_text((ROOT / "data/yacht.csv").read_text().replace("froude_number", self.WILD, 1))
        command = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release/jackknife"
        subprocess.run([command, "audit", table, "--splits", "2", "--html", page], check=True, stdout=subprocess.DEVNULL)
        return page

    def answers(self, driver, plot):
        """Whether a point of the figure says something when the mouse comes near."""
        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", plot)
        points = plot.find_elements(By.CSS_SELECTOR, ".scatterlayer .point")
        for point in points[:: max(1, len(points) // 6)]:
            ActionChains(driver).move_to_element(point).pause(0.3).perform()
            texts = plot.find_elements(By.CSS_SELECTOR, ".hoverlayer .hovertext")
            if any(text.text.strip() for text in texts):
                return True
        return False

    def test_the_report_opens_offline_with_figures_that_answer_to_the_mouse(self):
        page = self.page()
        driver = browser()
        self.addCleanup(driver.quit)
        driver.get(page.as_uri())
        expected = page.read_text().count("Plotly.newPlot(\"")
        plots = lambda: driver.find_elements(By.CSS_SELECTOR, ".js-plotly-plot")
        drawn = "return [...document.querySelectorAll('.js-plotly-plot')].filter(p => p.querySelector('.main-svg .trace')).length"
        WebDriverWait(driver, 60).until(lambda d: d.execute_script(drawn) == expected)
        self.assertGreaterEqual(expected, 5)
        self.assertEqual(driver.execute_script("return document.querySelectorAll('.js-plotly-plot').length"), expected)

        driver.execute_script("document.querySelectorAll('details').forEach(part => part.open = true)")
        wide = "return [...document.querySelectorAll('.js-plotly-plot')].every(p => p.getBoundingClientRect().width > 300)"
        WebDriverWait(driver, 30).until(lambda d: d.execute_script(wide))
        fits = "return [...document.querySelectorAll('.js-plotly-plot')].every(p => p.querySelector('.main-svg').getBoundingClientRect().right <= innerWidth)"
        WebDriverWait(driver, 30).until(lambda d: d.execute_script(fits))
        for plot in plots():
            self.assertTrue(self.answers(driver, plot), f"a point of `{plot.get_attribute('id')}` says what it is")

        text = driver.find_element(By.TAG_NAME, "body").text
        for words in ["the intervals cover", "what is proven", "worst slice", "Against real refits", "seeds"]:
            self.assertIn(words, text)
        if "JACKKNIFE_REPORT" not in os.environ:
            self.assertIn(self.WILD, text, "a column called <script> is text")
        fetched = driver.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
        self.assertEqual([name for name in fetched if not name.startswith(("file:", "data:", "blob:"))], [])
        self.assertEqual(console_errors(driver), [])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--picture")
    known, rest = parser.parse_known_args()
    PICTURE = known.picture
    unittest.main(argv=[sys.argv[0], *rest])
