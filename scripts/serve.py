"""Starts the app on PORT, or on the next free port, and says where it is.

WORKERS says how many processes, BASE_PATH below which path a proxy shows the app, and NAMES by
which names browsers reach that.
"""

from __future__ import annotations

import os
import sys

from dpviz import serving, several
from dpviz.core.errors import CannotServe


def main() -> int:
    """Start the app as HOST, PORT, WORKERS, BASE_PATH and NAMES say; code 2 if they are wrong."""
    host = os.environ.get("HOST") or serving.HOST
    try:
        wanted = serving.read_port(os.environ.get("PORT") or str(serving.PORT))
        if base := os.environ.get("BASE_PATH"):
            serving.put_below(serving.read_base_path(base))
        serving.answer_to(host, serving.read_names(os.environ.get("NAMES", "")))
        run = several.starter(several.read_workers(os.environ.get("WORKERS") or "1"))
        return serving.start_on_free_port(host, wanted, run)
    except CannotServe as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
