"""What the terms on screen mean, in a sentence or two each."""

GLOSSARY: tuple[tuple[str, str], ...] = (
    (
        "Record",
        "All data of one person in the file. If a person has several lines, decide first what is "
        "protected: a line, a day, a person.",
    ),
    (
        "Neighbours",
        "Two files that differ in one record: one person added or removed, or one person's values "
        "replaced (then the number of people is public).",
    ),
    (
        "Differential privacy",
        "A promise about a method: every answer is almost equally likely with or without any one "
        "person.",
    ),
    (
        "ε (epsilon)",
        'How much "almost" allows. One person\'s record changes odds at most e^ε times: 1.11 at 0.1, '
        "2.72 at 1, 22,027 at 10. Smaller is more private.",
    ),
    (
        "δ, ρ",
        "Other ways to state the limit. δ is a tiny chance that may come on top of e^ε times the "
        "other; ρ limits typical loss and adds up well.",
    ),
    (
        "Mechanism",
        "The recipe with randomness that turns confidential data into a published answer and spends "
        "budget.",
    ),
    (
        "Noise",
        "A random amount from a known law, added to hide one person's effect. The law is public; "
        "the drawn amount is not.",
    ),
    (
        "Sensitivity",
        "The most that one protected unit can change an answer: 1 for a count, k where it may have k "
        "rows, the upper bound for a sum of one amount each from 0.",
    ),
    (
        "Bounds, clipping",
        "Public limits for values, declared without the data. Values outside are moved to the "
        "limit. Taking them from the data would publish somebody's value.",
    ),
    (
        "Budget, composition",
        "The total ε allowed. Answers about the same people add up; answers about groups without "
        "common members, split by a public rule, do not (two do where people are replaced).",
    ),
    (
        "Post-processing",
        "Anything done with published answers alone: rounding, plotting, combining. It costs no "
        "privacy.",
    ),
    (
        "Reconstruction",
        "Solving published exact statistics, like equations, for the records behind them.",
    ),
    (
        "Local, central",
        "Who adds the noise: each phone to its own answer, so that nobody has to be trusted, or one "
        "server that sees all answers and adds it once.",
    ),
    (
        "Tree of counts",
        "Counts of small groups, of groups of these, and so on up to everybody. A range needs few "
        "of its nodes, but everyone is counted once on every level.",
    ),
    (
        "δ (delta), exactly",
        "What the ε bound may be missed by: P(S) ≤ e^ε P′(S) + δ for every set S of outputs. Far "
        "below 1/n. The chance of an output that speaks more than e^ε is another number, often larger.",
    ),
    (
        "ρ (rho), zCDP",
        "Zero-concentrated DP: bounds the whole distribution of the privacy loss. It composes by "
        "adding. ε-DP costs at most ρ = ε²/2. Back it is dearer: ρ = ½ allows ε = 5.8 at δ = 10⁻⁶, by "
        "ρ + 2√(ρ ln 1/δ).",
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
        "ε tanh(ε/2), about ε²/2. So the same ρ buys about twice the ε.",
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
MEANING = dict(GLOSSARY)
