"""The API against its own description, by schemathesis: made-up requests get the answers that it names.

    uv run python benchmarks/serve_api.py --examples 50

One check is left out: that whatever fits the description is accepted. A filter has to name a field of the
collection, and weights have to be of different rankings: JSON Schema cannot say that.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

LINES = 100_000  # of answers that a scripted language model has: one a question


def settings(output: Path) -> list[str]:
    script = output / "answers.jsonl"
    script.write_text('{"statements": []}\n' * LINES, "utf-8")
    given = {
        "OUTPUT_DIR": output,
        "QDRANT_URL": "",
        "EMBEDDING_MODEL": "hashing/384",
        "SPARSE_EMBEDDING_MODEL": "hashing/sparse",
        "LLM_MODEL": f"scripted/{script}",
        "RERANKER": "",
        "HF_HUB_OFFLINE": 1,
        "RERANK_TIMEOUT_SECONDS": 1,
        "SERVER_REQUESTS_PER_SECOND": 1_000_000,
        "SERVER_ASKS_PER_MINUTE": 1_000_000,
    }
    return [part for name, value in given.items() for part in ("-s", f"{name}={value}")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=50)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder)
        docs = Path(__file__).parents[1] / "docs"
        own = settings(output)
        run = [sys.executable, "-m", "scrapy"]
        quick = ["-s", "LOG_LEVEL=ERROR", "-s", "PROGRESS_ENABLED=0"]
        subprocess.run([*run, "crawl", "files", "-a", f"path={docs}", *own, *quick], check=True)
        server = subprocess.Popen(
            [*run, "serve", "--port", "0", *own], stdout=subprocess.PIPE, text=True, env=os.environ
        )
        try:
            assert server.stdout
            url = server.stdout.readline().split()[2]
            checked = subprocess.run(
                [
                    *(str(Path(sys.executable).with_name("st")), "run", f"{url}openapi.json"),
                    *("--max-examples", str(options.examples), "--phases", "examples,coverage,fuzzing"),
                    *("--exclude-checks", "positive_data_acceptance"),
                ],
                check=False,
                cwd=folder,
            )
        finally:
            server.terminate()
            server.wait()
    sys.exit(checked.returncode)


if __name__ == "__main__":
    main()
