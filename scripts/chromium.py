"""A headless Chromium, driven from a script: what the checks of pages share."""

import base64
import json
import os
import shutil
import subprocess
import sys

WIDTH, HEIGHT = 1280, 720
# Far above what is needed, so that a busy machine does not fail; a page that hangs does.
PATIENCE_S = 60


def check(holds, text):
    if not holds:
        sys.exit(f"failed: {text}")


class Browser:
    """Chromium, spoken to in JSON over two pipes (the DevTools protocol)."""

    def __init__(self, profile):
        to_browser, from_browser = os.pipe(), os.pipe()

        def connect():
            # Copies above the targets first: a pipe's end may have one of their numbers.
            reading, writing = os.dup(to_browser[0]), os.dup(from_browser[1])
            while reading < 5:
                reading = os.dup(reading)
            while writing < 5:
                writing = os.dup(writing)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        options = [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--remote-debugging-pipe", f"--user-data-dir={profile}", f"--window-size={WIDTH},{HEIGHT}",
        ]
        self.process = subprocess.Popen(
            ["chromium", *options, "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=connect,
        )
        os.close(to_browser[0])
        os.close(from_browser[1])
        for end in (to_browser[1], from_browser[0]):
            os.set_inheritable(end, False)
        self.writing, self.reading = os.fdopen(to_browser[1], "wb", 0), os.fdopen(from_browser[0], "rb", 0)
        self.received, self.number, self.session = b"", 0, None
        self.complaints, self.requests, self.events = [], [], []
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.writing.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self):
        while b"\0" not in self.received:
            chunk = os.read(self.reading.fileno(), 1 << 20)
            if not chunk:
                sys.exit("Chromium has ended")
            self.received += chunk
        text, self.received = self.received.split(b"\0", 1)
        message = json.loads(text)
        method = message.get("method", "")
        if method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
            self.complaints.append(message["params"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(message["params"]["request"]["url"])
        elif method:
            self.events.append(method)
        return message

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            sys.exit(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def frame(self):
        """Waits until what was asked for is drawn."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def state(self):
        self.frame()
        return self.evaluate("({ ...document.documentElement.dataset })")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1, buttons=1)

    def press(self, key, code=None, text=None):
        more = {"text": text} if text else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=code or key, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code or key)

    def write(self, text):
        for letter in text:
            self.press(letter, text=letter)

    def middle(self, selector):
        box = f"document.querySelector('{selector}').getBoundingClientRect()"
        return self.evaluate(f"(({{ left, top, width, height }}) => [left + width / 2, top + height / 2])({box})")

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))

    def end(self):
        self.process.terminate()
        self.process.wait(PATIENCE_S)


def install():
    if shutil.which("chromium") is None:
        subprocess.run(["apt-get", "update", "-q"], check=True, stdout=subprocess.DEVNULL)
        command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium", "fonts-liberation"]
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
