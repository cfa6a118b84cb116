"""Stands between Playwright and an installed Firefox: `python firefox.py PROGRAM ARGUMENTS`.

Playwright asks for a colour scheme by a command of WebDriver BiDi that this Firefox may not know
yet. All else is passed on; that command is answered here, by the preference that it stands for.
"""

import json
import subprocess
import sys
import threading
from itertools import count

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.sync.server import ServerConnection, serve

SAYS = "WebDriver BiDi listening on "
SCHEME = "emulation.setMediaFeaturesOverride"
PREFERENCE = "layout.css.prefers-color-scheme.content-override"
SCHEMES = {"dark": 0, "light": 1, None: 2}
OWN = 1 << 40  # numbers of own commands begin here


def relay(program: ServerConnection, address: str) -> None:
    """Passes on what both say; own commands lead from the window's context to the preference."""
    numbers, wishes = count(OWN), dict[int, tuple[int, str | None]]()
    with connect(address, max_size=None, compression=None) as firefox:

        def send(method: str, params: object, wish: tuple[int, str | None]) -> None:
            number = next(numbers)
            wishes[number] = wish
            firefox.send(json.dumps({"id": number, "method": method, "params": params}))

        def listen() -> None:
            for text in firefox:
                said = json.loads(text)
                if (number := said.get("id") or 0) < OWN:
                    program.send(text)
                    continue
                asked, scheme = wishes.pop(number)
                if said["type"] == "error":
                    program.send(json.dumps({**said, "id": asked}))
                elif found := said["result"].get("contexts"):
                    wish = f"Services.prefs.setIntPref('{PREFERENCE}', {SCHEMES[scheme]})"
                    target = {"context": found[0]["context"]}
                    params = {"expression": wish, "target": target, "awaitPromise": False}
                    send("script.evaluate", params, (asked, scheme))
                else:
                    program.send(json.dumps({"type": "success", "id": asked, "result": {}}))
            program.close()

        threading.Thread(target=listen, daemon=True).start()
        try:
            for text in program:
                asked = json.loads(text)
                if asked["method"] == SCHEME:
                    scheme = asked["params"]["features"].get("prefers-color-scheme")
                    send("browsingContext.getTree", {"moz:scope": "chrome"}, (asked["id"], scheme))
                else:
                    firefox.send(text)
        except ConnectionClosed:
            pass  # Playwright has let go of the browser


def main() -> int:
    """Starts Firefox, says where to reach this relay, and lasts as long as it."""
    command = [*sys.argv[1:], "--remote-allow-system-access"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as firefox:
        assert firefox.stderr is not None
        for line in firefox.stderr:
            if line.startswith(SAYS):
                address = f"{line.removeprefix(SAYS).strip()}/session"
                server = serve(
                    lambda one, to=address: relay(one, to), "127.0.0.1", 0, max_size=None,
                    compression=None,
                )  # fmt: skip
                threading.Thread(target=server.serve_forever, daemon=True).start()
                here = f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
                print(f"{SAYS}{here}", file=sys.stderr, flush=True)
            else:
                print(line, end="", file=sys.stderr, flush=True)
    return firefox.returncode


if __name__ == "__main__":
    sys.exit(main())
