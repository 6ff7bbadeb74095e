"""Prometheus, and what it scrapes."""

import json
import os
import socket
import subprocess
import time
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler

# For how long values may be those of a window that is not full yet.
PATIENCE = 60


class Answer(BaseHTTPRequestHandler):
    """Answers in Prometheus's text format, and says nothing of it."""

    def answer(self, text):
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Prometheus:
    """Debian's Prometheus on a free port, with a store of its own."""

    def __init__(self, scratch, targets, rules, every):
        """`targets` are names of machines with the addresses and paths under which they answer."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        jobs = "".join(
            f"      - targets: ['{address}']\n"
            f"        labels: {{instance: '{name}', __metrics_path__: '{path}'}}\n"
            for name, address, path in targets
        )
        config = scratch / "prometheus.yml"
        config.write_text(
            f"global: {{scrape_interval: {every}s, evaluation_interval: {every}s}}\n"
            f"rule_files: {json.dumps([str(path) for path in rules])}\n"
            "scrape_configs:\n  - job_name: pmu\n    static_configs:\n" + jobs
        )
        check("promtool", "check", "config", str(config))
        self.process = subprocess.Popen(
            [
                "prometheus",
                f"--config.file={config}",
                f"--storage.tsdb.path={scratch / 'store'}",
                f"--web.listen-address=127.0.0.1:{self.port}",
                "--log.level=warn",
            ],
            stderr=open(scratch / "prometheus.log", "w"),
        )
        for _ in range(300):
            try:
                self.get("/-/ready")
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit((scratch / "prometheus.log").read_text())

    def get(self, path, **parameters):
        url = f"http://127.0.0.1:{self.port}{path}?{urllib.parse.urlencode(parameters)}"
        with urllib.request.urlopen(url, timeout=30) as answer:
            return answer.read()

    def query(self, text):
        return json.loads(self.get("/api/v1/query", query=text))["data"]["result"]

    def query_range(self, text, start, step):
        answer = self.get("/api/v1/query_range", query=text, start=start, end=time.time(), step=step)
        return json.loads(answer)["data"]["result"]

    def end(self):
        self.process.terminate()
        self.process.wait()


class Exporter:
    """`pmu export` on a free port, with variables of its own."""

    def __init__(self, pmu, config, environment, log):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.config, self.log = config, log
        self.environment = dict(os.environ, **environment)
        self.command = [pmu, "export", str(config), "--listen", f"127.0.0.1:{self.port}"]
        self.begin()

    def begin(self):
        self.process = subprocess.Popen(self.command, env=self.environment, stderr=open(self.log, "a"))
        for _ in range(300):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=30) as answer:
                    self.text = answer.read().decode()
                return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        raise SystemExit(f"the exporter does not answer: {self.log.read_text()}")

    def end(self):
        self.process.terminate()
        self.process.wait()


def check(*command, environment={}):
    run = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, **environment))
    if run.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{run.stdout}{run.stderr}")
    return run.stdout


def is_near(value, expected, allowed=1e-6):
    return abs(value - expected) <= allowed * max(abs(expected), 1e-9)
