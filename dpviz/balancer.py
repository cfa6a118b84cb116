"""HAProxy's configuration: one address in front of several server processes.

`python -m dpviz.balancer [--base-path PATH] HOST:PORT …` prints the one for containers.
"""

import argparse
from collections.abc import Sequence

from dpviz import serving
from dpviz.core.errors import CannotServe
from dpviz.core.places import LETTERS

MOST = len(LETTERS)
COOKIE = "dpviz"
CONNECTIONS = 4000

# a busy process may answer late: only three failed checks take it out, and its sessions stay open.
# A process that died refuses connections, and the next process is asked at once
TEMPLATE = """\
# Written by dpviz/balancer.py. Nothing is logged: there is no `log` line.
global
    maxconn {connections}
    # a port that is in use is an error, never shared
    noreuseport

defaults
    mode http
    timeout connect 5s
    timeout http-request 15s
    timeout queue 30s
    timeout client 60s
    timeout server 60s
    # a session's websocket, which may be silent
    timeout tunnel 12h
    timeout client-fin 30s
    retries 3
    option redispatch 1
{resolvers}
listen dpviz
    bind {bind}
    balance leastconn

    # the websocket, uploads and media of a browser belong to the process that holds its session
    cookie {cookie} insert indirect nocache httponly attr SameSite=Lax

    # a lecture's code begins with the letter of the process that holds the lecture. HAProxy sets no
    # cookie where use-server has chosen, so that it is set here for all that follows
    http-request set-var(txn.lecture) url_param(follow),bytes(0,1),upper if {{ url_param(follow) -m found }}
    http-request set-var(txn.lecture) url_param(lead),bytes(0,1),upper if {{ url_param(lead) -m found }}
    http-request set-var(txn.lecture) url_param(room),bytes(0,1),upper if {{ url_param(room) -m found }}
    http-request set-var(txn.lecture) url_param(host),bytes(0,1),upper if {{ url_param(host) -m found }}
    http-request set-var(txn.lecture) path,field({field},/),bytes(0,1),upper if {{ path_beg {base}/lecture/ }}
    use-server %[var(txn.lecture)] if {{ var(txn.lecture) -m found }}
    http-after-response add-header Set-Cookie "{cookie}=%s; path=/; HttpOnly; SameSite=Lax" if {{ var(txn.lecture) -m found }} !{{ status 503 }}

    option httpchk GET {base}/_stcore/health
    timeout check 10s
    default-server check inter 2s fall 3 rise 1{default}
{servers}
"""  # noqa: E501  a rule of HAProxy stands on one line
# names of containers are looked up again, since a container that is started anew may move
RESOLVERS = """
resolvers containers
    nameserver engine 127.0.0.11:53
    hold valid 5s
"""


def configuration(
    bind: str,
    servers: Sequence[str],
    *,
    base: str = "",
    names: bool = False,
    connections: int = CONNECTIONS,
) -> str:
    """The text of the configuration.

    `bind` is what HAProxy listens on, each server HOST:PORT in the order of the processes, base
    the app's path such as '/dpviz'; names says that hosts are containers of one network.
    """
    rows = zip(LETTERS, servers, strict=False)
    return TEMPLATE.format(
        bind=bind,
        cookie=COOKIE,
        connections=connections,
        base=base,
        field=base.count("/") + 3,
        resolvers=RESOLVERS if names else "",
        default=" resolvers containers init-addr last,libc,none" if names else "",
        servers="\n".join(f"    server {name} {place} cookie {name}" for name, place in rows),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the configuration for containers, listening on port 8501."""
    parser = argparse.ArgumentParser(prog="python -m dpviz.balancer", allow_abbrev=False)
    parser.add_argument("--base-path", default="", metavar="PATH")
    parser.add_argument("servers", nargs="+", metavar="HOST:PORT")
    chosen = parser.parse_args(arguments)
    try:
        base = serving.read_base_path(chosen.base_path)
    except CannotServe as error:
        parser.error(str(error))
    print(configuration(":8501", chosen.servers, base=base, names=True), end="")


if __name__ == "__main__":
    main()
