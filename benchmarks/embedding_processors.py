r"""Whether another processor makes the same vectors of a model.

    python benchmarks/embedding_processors.py make MODEL_FOLDER TEXTS here.npz
    PYTHONPATH=.venv/lib/python3.11/site-packages qemu-x86_64 -cpu Haswell $(readlink -f .venv/bin/python) \
        benchmarks/embedding_processors.py make MODEL_FOLDER TEXTS there.npz
    python benchmarks/embedding_processors.py compare here.npz there.npz

MODEL_FOLDER holds `model.onnx` and `tokenizer.json`; the bundled models are built in `MODEL_CACHE_DIR`. TEXTS
is a file with one text a line; short ones, for an emulated processor is some fifty times slower. Debian's
`qemu-user` has `qemu-x86_64`; a Haswell has AVX2 and no VNNI. Vectors are written after every ten texts.
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

VOCABULARY = 10_000  # a wider output is that of a sparse model


def pooled(output: NDArray[np.float32]) -> NDArray[np.float32]:
    """The vector of one text, of the length 1."""
    vector = np.log1p(np.maximum(output.max(0), 0)) if output.shape[1] > VOCABULARY else output.mean(0)
    return vector / np.linalg.norm(vector)


def make(folder: Path, texts: Path, target: Path) -> None:
    import onnxruntime
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(256)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
    )
    vectors = []
    for text in texts.read_text(encoding="utf-8").splitlines():
        read = tokenizer.encode(text)
        parts = {
            "input_ids": read.ids,
            "attention_mask": read.attention_mask,
            "token_type_ids": read.type_ids,
        }
        feed = {name: np.array([part], np.int64) for name, part in parts.items()}
        vectors.append(pooled(session.run(None, feed)[0][0]))
        if len(vectors) % 10 == 0:
            np.savez(target, np.array(vectors))
    np.savez(target, np.array(vectors))


def compare(left_file: Path, right_file: Path) -> None:
    with np.load(left_file) as left_archive, np.load(right_file) as right_archive:
        left, right = left_archive["arr_0"], right_archive["arr_0"]
    both = min(len(left), len(right))
    left, right = left[:both], right[:both]
    cosines = (left * right).sum(axis=1)
    print(
        f"{both} texts: {int((left == right).all(axis=1).sum())} vectors equal to the bit,"
        f" largest difference {np.abs(left - right).max():.2g}, smallest cosine {cosines.min():.7f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make")
    making.add_argument("folder", type=Path)
    making.add_argument("texts", type=Path)
    making.add_argument("target", type=Path)
    comparing = commands.add_parser("compare")
    comparing.add_argument("left", type=Path)
    comparing.add_argument("right", type=Path)
    options = parser.parse_args()
    if options.command == "make":
        make(options.folder, options.texts, options.target)
    else:
        compare(options.left, options.right)


if __name__ == "__main__":
    main()
