"""What runs on two columns prove to be lost, by a mechanism that claims ε and by a broken twin."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from dpviz.core.confidential import confidential
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.loss import Claim
from dpviz.experiments.privacy.privacy_audit import Audit, most_provable
from dpviz.experiments.privacy.single_queries import Query
from dpviz.experiments.twins.tree_query import Stability, TreeQuery
from dpviz.experiments.twins.twins import DOUBLES, LAYERS, Twin

MOST = 700  # of exponents that a double holds
CATCHABLE = 1.1  # times the claim: a twin that loses less is hardly ever caught


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """An audit beside the ε that this pair of columns really loses.

    tells, how many outputs on the first column the other cannot give, is None where that was not
    asked.
    """

    audit: Audit
    attained: float
    tells: int | None = None


@dataclass(frozen=True, slots=True)
class AuditQuestion:
    """What was run, so many times on each column, and what is wrong with the twin, if there is one.

    is_made_up: the columns are of nobody's values.
    """

    query: Query | TreeQuery
    claim: Claim
    runs: int
    confidence: float
    mistake: Twin | None
    is_made_up: bool


class Undetected(Enum):
    """Why a twin is not caught."""

    WITHIN = "on these columns it keeps the claim"
    FEW = "so many runs could prove the claim at most"
    NEAR = "on these columns it loses hardly more than the claim"
    UNLUCKY = "more runs come nearer to what it loses"


@dataclass(frozen=True, slots=True)
class Layers:
    """How far (L2) a person in every leaf moves a tree's counts, and for what the twin has noise.

    That is layers times each, √leaves.
    """

    leaves: int
    moved: float
    layers: int
    each: float


@confidential("asked")
@dataclass(frozen=True, slots=True, eq=False)
class AuditNumbers:
    """What both mechanisms prove, of counted runs each: the others chose the event.

    limit is the most that so many runs can prove; one audit in `odds` accuses a mechanism that
    keeps its claim. refuted and caught say whose bound exceeds the claim; why is None unless a twin
    is not caught.
    """

    asked: AuditQuestion
    counted: int
    limit: float
    odds: int
    honest: Proof
    twin: Proof | None
    refuted: bool
    caught: bool
    why: Undetected | None
    layers: Layers | None

    @property
    def asks_doubles(self) -> bool:
        """Whether the event is an output that only the first column can give."""
        return self.asked.mistake is DOUBLES

    @property
    def proofs(self) -> tuple[Proof, ...]:
        """The honest mechanism's, and the twin's if there is one."""
        return (self.honest,) if self.twin is None else (self.honest, self.twin)


def answer(asked: AuditQuestion, proofs: Sequence[Proof]) -> AuditNumbers:
    """The mechanism's own proof comes first, then the twin's."""
    honest, twin = proofs[0], (proofs[1] if asked.mistake else None)
    counted = asked.runs if asked.mistake is DOUBLES else asked.runs // 2
    limit = most_provable(counted, asked.confidence)
    return AuditNumbers(
        asked=asked,
        counted=counted,
        limit=limit,
        odds=round(1 / (1 - asked.confidence)),
        honest=honest,
        twin=twin,
        refuted=honest.audit.bound > asked.claim.epsilon,
        caught=twin is not None and twin.audit.bound > asked.claim.epsilon,
        why=None if twin is None else _why(twin, asked.claim.epsilon, limit),
        layers=_layers(asked),
    )


def is_chance(audit: Audit, claimed: float) -> bool:
    """Whether the event came more often than a claim allows, and its bound does not."""
    return audit.times > math.exp(min(claimed, MOST)) and audit.bound <= claimed


def is_count(query: Query | TreeQuery) -> bool:
    """Whether outputs are numbers of people."""
    return isinstance(query, CountQuery)


def _why(twin: Proof, claimed: float, limit: float) -> Undetected | None:
    if twin.audit.bound > claimed:
        return None
    if twin.attained <= claimed:
        return Undetected.WITHIN
    if limit <= claimed:
        return Undetected.FEW
    return Undetected.NEAR if twin.attained < CATCHABLE * claimed else Undetected.UNLUCKY


def _layers(asked: AuditQuestion) -> Layers | None:
    query = asked.query
    if asked.mistake is not LAYERS or not isinstance(query, TreeQuery):
        return None
    wrong = TreeQuery(query.fanout, query.layers, Stability.LAYERS)
    return Layers(query.leaves, query.moved, query.layers, wrong.noise_for / query.layers)
