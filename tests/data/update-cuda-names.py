#!/usr/bin/env python3
"""Collects the names of the functions that CUDA headers declare into cuda-names.txt.

Usage: update-cuda-names.py INCLUDE_DIR...

Names are facts; no header text is kept. Names of a header that is not found in any of the folders stay as they are.
"""

import pathlib
import re
import sys

# Header -> what its functions begin with.
HEADERS = {
    "cuda.h": "cu",
    "cuda_runtime_api.h": "cuda",
    "cuda_runtime.h": "cuda",
    "cudaGL.h": "cu(?:GL|Graphics|WGL)",
    "cuda_gl_interop.h": "cuda(?:GL|Graphics|WGL)",
    "nvrtc.h": "nvrtc",
    "cublas_api.h": "cublas",
    "cublas_v2.h": "cublas",
    "cublasLt.h": "cublasLt",
    "cufft.h": "cufft",
    "cufftXt.h": "cufftXt",
    "curand.h": "curand",
    "cusparse.h": "cusparse",
    "cusolverDn.h": "cusolverDn",
    "cusolverSp.h": "cusolverSp",
    "cudnn_graph.h": "cudnn",
    "cudnn_ops.h": "cudnn",
    "cudnn_cnn.h": "cudnn",
    "nccl.h": "nccl",
    "nccl.h.in": "nccl",
}

TARGET = pathlib.Path(__file__).with_name("cuda-names.txt")


def names_in(header: pathlib.Path, prefix: str) -> set[str]:
    """The names declared or defined as macros for a function in one header."""
    text = header.read_text(encoding="utf-8", errors="replace")
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)
    called = re.findall(rf"\b({prefix}[A-Z]\w*)\s*\(", text)
    aliases = re.findall(rf"^#\s*define\s+({prefix}[A-Z]\w*)\s+{prefix}\w+[ \t]*$", text, flags=re.MULTILINE)
    return {name for name in called + aliases if re.search("[a-z]", name[2:])}


def main() -> None:
    """Merges what the headers say into the list."""
    known = set(TARGET.read_text().split()) if TARGET.exists() else set()
    found: dict[str, set[str]] = {}
    for folder in map(pathlib.Path, sys.argv[1:]):
        for header, prefix in HEADERS.items():
            if (folder / header).exists():
                found.setdefault(prefix, set()).update(names_in(folder / header, prefix))
    for prefix in found:
        known = {it for it in known if not re.match(rf"{prefix}[A-Z]\w*$", it)}
    known = known.union(*found.values())
    TARGET.write_text("".join(f"{name}\n" for name in sorted(known)))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main()
