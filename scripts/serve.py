"""Starts the app on PORT, or on the next free port, and says where it is."""

from __future__ import annotations

import os
import sys

from dpviz import serving
from dpviz.core.errors import CannotServe


def main() -> int:
    """Start the app on the HOST and PORT of the environment; code 2 if they are wrong."""
    host = os.environ.get("HOST") or serving.HOST
    try:
        wanted = serving.read_port(os.environ.get("PORT") or str(serving.PORT))
        return serving.start_on_free_port(host, wanted)
    except CannotServe as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
