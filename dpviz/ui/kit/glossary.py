"""What the terms on screen mean, in a sentence or two each."""

from __future__ import annotations

GLOSSARY: tuple[tuple[str, str], ...] = (
    (
        "ε (epsilon)",
        "The privacy loss that is allowed: no output may become more than e^ε times likelier or "
        "rarer when one record changes. Smaller is more private.",
    ),
    (
        "δ (delta)",
        "What the ε bound may be missed by: P(S) ≤ e^ε P′(S) + δ for every set S of outputs. Far "
        "below 1/n. The chance of an output that speaks more than e^ε is another, larger number.",
    ),
    (
        "ρ (rho), zCDP",
        "Zero-concentrated DP: bounds the whole distribution of the privacy loss. It composes by "
        "adding, and ρ = ½ is roughly comparable to ε = 1.",
    ),
    (
        "Neighbours",
        "The two data sets that a guarantee compares: with one record added or removed, or with one "
        "record replaced (then n is public).",
    ),
    (
        "Privacy loss",
        "The log ratio of an output's likelihoods on two neighbours: how far one output can move "
        "the log odds of an observer. Pure ε bounds it for every output.",
    ),
    (
        "Audit",
        "A statistical test of a claim: outputs on two neighbours are counted, and a lower bound on "
        "ε follows. It can refute a claim of privacy, never prove one.",
    ),
    (
        "Ledger",
        "The account of all releases about the same people: budgets add up, and what was spent "
        "cannot be earned back.",
    ),
    (
        "Workload",
        "The queries that a tree or a map is meant to answer; a budget can be split over its levels "
        "so that their mean variance is least.",
    ),
    (
        "Bounds",
        "The public interval that values are declared to lie in. Values outside are clipped. Taking "
        "them from the data would release the smallest and the largest record.",
    ),
    ("Resolution", "The declared spacing of the values: 1 for whole years, 0 for continuous ones."),
    (
        "Gap",
        "By how many records a private quantile misses: the distance of ⌊q n⌋ from the number of "
        "records below it. Values tied with the true quantile miss nothing.",
    ),
    (
        "Bounded range",
        "A property of exponential mechanisms that is stronger than ε-DP: it costs "
        "ρ = ln((e^ε − 1)/ε) − 1 + ε/(e^ε − 1), about ε²/8, where ε-DP alone costs "
        "ε tanh(ε/2), about ε²/2. So the same ρ buys twice the ε.",
    ),
    (
        "Post-processing",
        "Anything computed from a release alone. It cannot weaken the guarantee and spends nothing.",
    ),
    (
        "ψ (psi)",
        "The width of the bounds divided by the smallest gap between two records; it enters the "
        "theoretical error bounds and is confidential. Undefined when records are tied.",
    ),
    (
        "Bounded error, β",
        "The printed bounds hold with probability 1 − β for the largest gap of all quantiles.",
    ),
)
