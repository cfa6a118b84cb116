"""Links that people mistype and programs mangle: every key that a page binds, with every odd value.

A link holds one odd value for each key of a page's state, so that a few hundred pairs of key and
value take a few dozen runs: each falls back by itself, so the page is the one without them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.intake.samples import samples
from dpviz.ui.visit.data import sample_scopes
from dpviz.ui.visit.declared import NAMES
from dpviz.ui.visit.declared import key as declared
from dpviz.ui.visit.fields import FIELDS

SEED = 20210829
SHARED = ("exam_low", "exam_high", "exam_resolution", "neighbours", "truth")
ODD = (
    "empty", "wrong case", "1e400", "NaN", "10^400", "9" * 400, "<b>no such *thing*</b>",
    "repeated", "None", "-1e-400.5",
)  # fmt: skip
SEVERAL = {"mechanisms", "w_mechanisms", "t_curves"}  # empty is fine: none of them is chosen
FEW = 2  # links of a state that adds a few keys to another one


@dataclass(frozen=True)
class State:
    """A page in a state that a sound link brings it to, and the keys that are mangled there."""

    page: str
    keys: tuple[str, ...]
    link: dict[str, str] = field(default_factory=dict)
    links: int = FEW


def state(page: str, keys: str, links: int = FEW, **link: str) -> State:
    return State(page, tuple(keys.split()), link, links)


ALL = len(ODD)
STATES = (
    state("data", " ".join((*SHARED, "data")), ALL),
    state("data", "axis towns_0_low towns_0_high towns_0_resolution", data="towns"),
    state("data", "towns_1_low towns_1_high towns_1_resolution", data="towns", axis="north"),
    state("methods", "methods_family"),
    state("quantiles", "method notion eps set seed ties rounded runs below", ALL),
    state("quantiles", "split", notion="zcdp", method="AQ"),
    state("quantiles", "bins", notion="zcdp", method="square root"),
    state("quantiles", "fanout height root reading noise", method="AggTree"),
    state("quantiles", "mechanisms", view="compare"),
    state("quantiles", "m", notion="approx", set="m uniform"),
    state("quantiles", "records", neighbours="replace", root="public N", method="AggTree"),
    state("quantiles", "points", view="column"),
    state("quantiles", "b_kind b_bins b_beyond", view="bins"),
    state("quantiles", "b_edges", view="bins", b_kind="own edges"),
    state("quantiles", "b_by b_groups", view="bins", data="towns"),
    state("quantiles", "rho own", notion="zcdp", set="own list"),
    state(
        "trees",
        "view t_reading seed notion eps t_fanout t_height t_split t_noise t_root",
        ALL,
    ),
    state("trees", "t_step t_beta t_curves t_poster", ALL, view="cdf"),
    state("trees", "t_ratio", t_split="geometric"),
    state("trees", "t_weights rho", t_split="own weights", notion="zcdp"),
    state("trees", "t_workload", view="budgets"),
    state("trees", "t_ranges", view="budgets", t_workload="own ranges"),
    state("trees", "delta", notion="approx"),
    state("trees", "t_records", t_root="public", neighbours="replace"),
    state(
        "map",
        "m_method m_second m_height m_expected m_median m_prune m_colour m_sure m_behind m_earth "
        "m_depth m_x0 m_x1 m_y0 m_y1",
        ALL,
    ),
    state("map", "m_threshold m_depth_points", m_method="kd-tree", m_prune="true"),
    state("map", "m_switch m_share m_columns m_tested", m_method="kd-hybrid", m_second="kd-cell"),
    state("map", "m_order m_levels", m_method="Hilbert R-tree"),
    state("map", "m_shares", m_levels="own shares"),
    state(
        "what_if",
        "what given unit off often w_mechanisms w_fanout w_height",
        ALL,
        view="search",
    ),
    state("what_if", "own", what="own", view="search"),
    state("what_if", "over", what="count", view="search"),
    state("what_if", "bins", what="histogram", view="search"),
    state("what_if", "side block", what="map", view="search"),
    state("what_if", "periods", what="running", view="search"),
    state("what_if", "w_axis w_metric w_unit w_runs", view="sweep"),
    state("what_if", "w_map", view="wins"),
    state("what_if", "many_shape many_people many_eps", view="many"),
    state("map", "m_split m_counts", view="places"),
)  # fmt: skip


def mangled(key: str, odd: str, value: Any) -> str | list[str]:
    """An odd text for a key whose value is value without it."""
    sound = str(value)
    if odd == "empty":
        return "nothing" if key in SEVERAL else ""
    if odd == "repeated":
        return [sound, sound]
    if odd == "wrong case":
        same = sound.swapcase() == sound or isinstance(value, bool)
        return "oN" if same else sound.swapcase()
    return odd


def rounds(one: State) -> list[dict[str, str]]:
    """What is odd about each key in each link: over as many links as kinds, each pair once."""
    rng = np.random.default_rng([SEED, STATES.index(one)])
    kinds, shifts = rng.permutation(ALL), rng.permutation(len(one.keys))
    return [
        {key: ODD[kinds[(turn + at) % ALL]] for at, key in zip(shifts, one.keys, strict=True)}
        for turn in range(one.links)
    ]


CORPUS = [(one, odd) for one in STATES for odd in rounds(one)]

# what any number, or any text, may stand for: tried in more states, whatever becomes of it there
NUMBERS = ("0", "1", "-0", "+0", "9" * 15, "1e300", "0.5")
TEXTS = (
    "![forged](http://forged.test/p.png)",
    "[forged](http://forged.test) **forged** :material/bolt: $\\href{http://forged.test}{forged}$",
    "<img src='http://forged.test/p.png' onerror='forged()'><script>forged()</script>",
)
FORGED = "forged"
SCOPES = tuple(scope for one in samples() for scope in sample_scopes(one))
COMMON = (
    *(field.key for field in FIELDS),
    "data",
    "story",  # of a scene's link, whose ε is its own
    "view",
)
DECLARED = tuple(declared(scope, name) for scope in SCOPES for name in NAMES)
# all that a page reads of its link, beside what every page reads
OWN = {
    "start": "",
    "learn": "at beat follow guess half host lead room scene",
    "neighbours": """
        n_at n_line n_noise n_offset n_people n_prior n_quantile n_range n_share n_side
        n_trust n_way n_where n_which""",
    "budget": "b_ask b_eps b_k b_promise b_rho n_at n_line n_noise n_quantile n_side",
    "audit": """
        a_ask n_at n_columns n_confidence n_line n_mistake n_noise n_quantile n_runs n_share
        n_side n_twin n_way n_where n_which""",
    "quantiles": """
        b_beyond b_bins b_by b_edges b_groups b_kind
        below bins detail fanout height m mechanisms method noise own points reading records root
        rounded runs set split ties""",
    "trees": """
        t_beta t_curves t_fanout t_height t_noise t_poster t_ranges t_ratio t_reading
        t_records t_root t_split t_step t_weights t_workload""",
    "map": """
        m_behind m_colour m_columns m_counts m_depth m_depth_points m_earth m_expected m_height
        m_levels m_median m_method m_order m_prune m_second m_share m_shares m_split m_sure
        m_switch m_tested m_threshold m_x0 m_x1 m_y0 m_y1""",
    "what_if": """
        bins block given many_eps many_people many_shape off often over own periods side unit
        w_axis w_fanout w_height w_map
        w_mechanisms w_metric w_runs w_unit what
        w_basis w_compare w_declared w_error w_m w_own w_people w_probability w_set w_shape
        w_suspicion w_target""",
    "papers": """
        fig papers_part_honaker1 papers_part_manohar1 papers_part_psd4 papers_show w_counted
        w_improved w_spatial_points w_spatial_preset w_study""",
    "data": "",
    "methods": "methods_family",
}
ELSEWHERE = (
    *(state(page, "") for page in ("start", "learn", "neighbours", "budget", "audit", "papers")),
    state("learn", "at", story="teach", scene="1", guess="skip"),
    state("learn", "at", story="try", scene="1", guess="skip"),
    state("learn", "eps", story="teach", scene="3", guess="skip"),
    state("neighbours", "n_quantile n_range", view="quantile"),
    state("neighbours", "n_prior n_offset", view="meaning"),
    state("neighbours", "n_trust n_people", view="trust"),
    state("budget", "b_promise", view="accounts", b_ask="quantile"),
    state("audit", "n_runs", a_ask="tree"),
    state("papers", "w_study w_counted w_improved", fig="aq4"),
    state("papers", "w_spatial_preset w_spatial_points", fig="psd3"),
    state("quantiles", "bins records", method="square root", root="public N"),
    state("quantiles", "fanout height", method="AggTree"),
    state("quantiles", "eps", view="recursion"),
    state("trees", "t_fanout t_height", view="running"),
    state("trees", "t_fanout t_height", view="buckets"),
    state("trees", "t_fanout t_height", view="honaker"),
    state("map", "m_height m_x0", view="compare"),
    state("map", "m_height m_x0", view="matching"),
    state("map", "m_split m_counts", view="places"),
    state("what_if", "w_fanout w_height", view="search"),
    state("what_if", "many_shape many_people many_eps", view="many"),
)
PLACES = (*STATES, *ELSEWHERE)


def keys_of(page: str) -> tuple[str, ...]:
    """Every key that a page reads of its link."""
    return (*COMMON, *DECLARED, *OWN[page].split())


def spread(one: State, odd: Sequence[str], keys: Sequence[str], turn: int) -> dict[str, str]:
    """One odd text for each key, so that over as many turns as texts each key has each of them."""
    first = PLACES.index(one) + turn
    return {key: odd[(first + at) % len(odd)] for at, key in enumerate(keys)} | one.link
