"""Every mechanism and estimator: name, source, guarantee, neighbours, cost, what it is good for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Method:
    """One card of the catalogue. Texts may use Markdown with LaTeX between dollar signs."""

    key: str
    title: str
    family: str
    role: str
    summary: str
    guarantee: str
    neighbours: str
    cost: str
    good_for: str
    watch_out: str
    source: str


BOTH = "add/remove one record, replace one record"

METHODS: tuple[Method, ...] = (
    Method(
        key="ApproximateQuantiles",
        title="ApproximateQuantiles (AQ)",
        family="Quantiles",
        role="mechanism",
        summary="Draws the middle quantile by an exponential mechanism, splits the column there, and "
        "goes on in both halves. A record takes part once a level, so the budget is "
        "shared by $L = \\lfloor \\log_2 m \\rfloor + 1$ levels, not by $m$ quantiles.",
        guarantee="pure ε, ρ-zCDP (bounded range, or the paper's split), (ε, δ)",
        neighbours=BOTH,
        cost="about $m$ draws, each independent of $n$ once the column is sorted",
        good_for="many quantiles at once; the default choice from about four quantiles on",
        watch_out="an early error moves the targets below it; heavy ties need a declared resolution",
        source="Kaplan, Schnapp and Stemmer 2021, Algorithm 1; zCDP by Cesar and Rogers 2021",
    ),
    Method(
        key="JointExp",
        title="JointExp",
        family="Quantiles",
        role="mechanism",
        summary="One exponential mechanism over all $m$-tuples of quantiles at once, scored by how far "
        "the counts between neighbouring quantiles are from what they should be.",
        guarantee="pure ε, ρ-zCDP by bounded range, (ε, δ) as one bounded-range mechanism",
        neighbours=BOTH,
        cost="$O(m \\cdot$ window of ranks that can matter$)$, exact, in logarithms",
        good_for="a few quantiles (up to about five), where it is often the most accurate",
        watch_out="for many quantiles of few records its error grows past the other methods",
        source="Gillenwater, Joseph and Kulesza 2021",
    ),
    Method(
        key="IndependentExp",
        title="IndependentExp (AppIndExp)",
        family="Quantiles",
        role="mechanism",
        summary="An exponential mechanism of its own for every quantile, composed; the outputs are "
        "sorted afterwards.",
        guarantee="pure ε (ε/m each), (ε, δ) by optimal composition, ρ-zCDP",
        neighbours=BOTH,
        cost="$m$ draws, each independent of $n$",
        good_for="a baseline, and one or two quantiles",
        watch_out="the budget is divided by all quantiles, so error grows with $m$",
        source="Gillenwater, Joseph and Kulesza 2021; Dong, Durfee and Rogers 2020, Theorem 3",
    ),
    Method(
        key="AggTree",
        title="AggTree",
        family="Quantiles",
        role="mechanism",
        summary="Noisy counts of a complete tree over equal-width leaves; a quantile is read by "
        "interpolation in the leaf where the running count passes $q\\,\\hat n$.",
        guarantee="pure ε (Laplace), ρ-zCDP (Laplace or Gaussian), (ε, δ) (Gaussian)",
        neighbours=BOTH + "; a public N means replace one",
        cost="number of leaves × $\\log n$",
        good_for="very many quantiles, or range counts from the same release",
        watch_out="cannot see finer than a leaf: bounds that are too wide waste leaves",
        source="Dwork et al. 2010; Chan, Shi and Song 2011; as compared in Kaplan et al. 2021",
    ),
    Method(
        key="SanitizedColumn",
        title="Sanitised column",
        family="Quantiles",
        role="mechanism",
        summary="A synthetic column of $\\hat n$ points, the private $i/(\\hat n+1)$ quantiles of "
        "ApproximateQuantiles. $\\hat n$ is declared, or a noisy count that is paid for.",
        guarantee="as ApproximateQuantiles, composed with the count",
        neighbours=BOTH,
        cost="$\\hat n$ draws",
        good_for="feeding tools that expect records, such as a histogram or a fit",
        watch_out="points are not records: nothing about one person can be read from a point",
        source="Kaplan, Schnapp and Stemmer 2021, Corollary 3.6",
    ),
    Method(
        key="ExponentialMechanism",
        title="Exponential mechanism for one quantile",
        family="Building blocks",
        role="mechanism",
        summary="A value between the $k$-th and the next record has density "
        "$\\propto e^{-\\eta\\,|k - qn|}$, with $\\eta = \\varepsilon/(2\\Delta)$ and "
        "$\\Delta = \\max(q, 1-q)$ under add/remove. The density is known in closed form.",
        guarantee="pure ε; ε-bounded range, hence ε²/8-zCDP",
        neighbours=BOTH + " (then Δ = 1)",
        cost="independent of $n$ and of ε: exact rejection from an envelope over blocks of ranks",
        good_for="the step that every method above is made of",
        watch_out="tied records leave no room between them: declare the resolution",
        source="Smith 2011, Algorithm 2; Kaplan et al. 2021, Appendix A",
    ),
    Method(
        key="spread",
        title="Spreading ties",
        family="Building blocks",
        role="per-record map",
        summary="Each value is spread uniformly over ± half the declared resolution before an "
        "exponential mechanism sees it; outputs may be rounded back to the grid.",
        guarantee="a map of single records: the budget is unchanged",
        neighbours=BOTH,
        cost="$n$ draws and a sort",
        good_for="integers, ratings, prices: anything with ties",
        watch_out="without it the mechanism drifts away from heavy ties",
        source="this project; the AQ authors add a Gaussian of scale 1e-5 instead",
    ),
    Method(
        key="CountTree",
        title="Noisy count tree",
        family="Trees",
        role="mechanism",
        summary="Counts of nested equal-width intervals, $f^l$ of them on level $l$, each with noise of "
        "its own. One record changes one count a level, so the levels share the budget: evenly, "
        "geometrically, leaves only, by own weights, or as the workload wants it.",
        guarantee="pure ε (Laplace, discrete Laplace), ρ-zCDP (any noise), (ε, δ) (Gaussian)",
        neighbours=BOTH + "; a public N means replace one",
        cost="linear in the number of nodes, after one search for every leaf edge",
        good_for="range counts, histograms at several scales, a CDF, all from one release",
        watch_out="the tree cannot see finer than a leaf",
        source="Honaker 2019; Manohar 2014; Cormode et al. 2012, §4; Hay et al. 2010",
    ),
    Method(
        key="workload_optimal",
        title="Workload-optimal level budgets",
        family="Trees",
        role="planning",
        summary="With noise that is constant by level, the variance of any query after least squares is "
        "$\\sum_k \\|P_k c\\|^2/\\Lambda_k$ with only $h+1$ eigenvalues. The split that makes it "
        "smallest on a workload is exact in ρ, and the best found under pure ε.",
        guarantee="a public choice: spends nothing",
        neighbours="as the tree",
        cost="milliseconds",
        good_for="knowing in advance which queries will be asked",
        watch_out="it may leave whole levels out; queries outside the workload can suffer",
        source="this project",
    ),
    Method(
        key="Quadtree",
        title="Quadtree",
        family="Maps",
        role="mechanism",
        summary="Rectangles cut at their midpoints, four children each; nothing is spent on the "
        "structure. Named settings: baseline (even split, raw), geo (geometric, raw), post (even, "
        "least squares), opt (geometric, least squares), and the workload-optimal split.",
        guarantee="pure ε (Laplace, discrete Laplace), ρ-zCDP, (ε, δ) (Gaussian)",
        neighbours=BOTH + "; a public N means replace one",
        cost="one pass over the points, then linear in the number of nodes",
        good_for="the first map to try; with opt and pruning it is hard to beat",
        watch_out="too tall hurts: the leaves then hold less than their noise",
        source="Cormode et al. 2012, §3.3 and §4",
    ),
    Method(
        key="KdTree",
        title="kd-tree and kd-hybrid",
        family="Maps",
        role="mechanism",
        summary="Split x, then y in each half, at private medians; the hybrid takes medians on the "
        "upper levels and midpoints below. 30 % of the budget goes to the medians by default.",
        guarantee="pure ε, ρ-zCDP, (ε, δ): as the chosen medians and noise",
        neighbours=BOTH,
        cost="about a second at a million and a half points",
        good_for="data that fills a small part of the box",
        watch_out="the budget for medians is missing at the counts",
        source="Cormode et al. 2012, §6; Inan et al. 2010 (noisy mean)",
    ),
    Method(
        key="HilbertTree",
        title="Hilbert R-tree",
        family="Maps",
        role="mechanism",
        summary="Points become places on a Hilbert curve of order 18; private medians cut the curve. "
        "A node's rectangle is the bounding box of its range on the curve, never of its points.",
        guarantee="as the medians and the noise",
        neighbours=BOTH,
        cost="about two seconds at a million and a half points",
        good_for="clusters of any shape",
        watch_out="rectangles of siblings overlap",
        source="Cormode et al. 2012, §3.3 and §8.2; Kamel and Faloutsos 1994",
    ),
    Method(
        key="KdCell",
        title="kd-cell",
        family="Maps",
        role="mechanism",
        summary="Noisy counts on a fixed grid; a kd-tree grown on them alone until nodes look "
        "uniform; fresh noisy counts at its leaves.",
        guarantee="pure ε, ρ-zCDP",
        neighbours=BOTH,
        cost="cells of the grid, and one pass over the points",
        good_for="showing that a structure may come from a release",
        watch_out="the uniformity test and the split of the budget are choices of this project",
        source="Xiao, Xiong and Yuan 2010; Cormode et al. 2012, §8.2",
    ),
    Method(
        key="grids",
        title="Uniform grid, adaptive grid, PrivTree",
        family="Maps",
        role="mechanism",
        summary="What users of today would pick: one grid whose size follows a guideline, a second "
        "grid inside each of its cells, and a tree that grows where noisy counts stay above a "
        "threshold, however deep.",
        guarantee="pure ε, ρ-zCDP; grids also (ε, δ)",
        neighbours=BOTH,
        cost="one or two passes over the points",
        good_for="comparison, and maps without a height to choose",
        watch_out="PrivTree spends half of its budget on the structure",
        source="Qardaji, Yang and Li 2013; Zhang, Xiao and Xie 2016",
    ),
    Method(
        key="private_medians",
        title="Private medians",
        family="Maps",
        role="mechanism",
        summary="Exponential mechanism, smooth sensitivity, noisy mean, cells, and the first two on "
        "a fresh 1 % sample for every median, amplified exactly: "
        "$\\varepsilon = \\ln(1 + p(e^{\\varepsilon'} - 1))$.",
        guarantee="pure ε and ρ (exponential, noisy mean, cells), (ε, δ) (smooth), ε (sampled)",
        neighbours=BOTH + "; sampled ones: add/remove only",
        cost="one pass a level; the exponential one does not depend on $n$",
        good_for="the splits of kd-trees and Hilbert R-trees",
        watch_out="smooth sensitivity needs a large budget for each split",
        source="Cormode et al. 2012, §6 and §7; Nissim et al. 2007; Balle et al. 2018",
    ),
    Method(
        key="kd-pure, kd-true",
        title="Non-private references",
        family="Maps",
        role="reference, not private",
        summary="kd-pure shows exact medians and exact counts, kd-true exact medians and noisy "
        "counts. They say what privacy costs, and are hidden when the truth is.",
        guarantee="none",
        neighbours="none",
        cost="as a kd-tree",
        good_for="a yardstick",
        watch_out="never release one",
        source="Cormode et al. 2012, §8.2",
    ),
    Method(
        key="match_records",
        title="Private record matching",
        family="Maps",
        role="use of a release",
        summary="Two parties compare only records that fall in the same cell, grown by the matching "
        "distance, of a decomposition of one side; padded to the noisy counts.",
        guarantee="that of the decomposition",
        neighbours="as the decomposition",
        cost="one search for each record",
        good_for="cutting the cost of a secure comparison",
        watch_out="a noisy count below the true one leaves records out",
        source="Inan et al. 2010; Cormode et al. 2012, §8.3",
    ),
    Method(
        key="from_below",
        title="Estimates from below and from above",
        family="Estimators",
        role="post-processing",
        summary="From below combines a node with its descendants, from above with everything outside "
        "its subtree. Each uses part of what the tree knows.",
        guarantee="post-processing: spends nothing",
        neighbours="as the tree",
        cost="linear in the number of nodes",
        good_for="seeing where the information in the efficient estimate comes from",
        watch_out="children do not sum to their parent",
        source="Honaker 2019, §3.1 and §3.2",
    ),
    Method(
        key="efficient",
        title="Efficient estimates of a noisy tree",
        family="Estimators",
        role="post-processing",
        summary="Combines the noisy count of a node with all counts below, above and beside it, by "
        "inverse-variance weighting: generalised least squares in linear time.",
        guarantee="post-processing: spends nothing",
        neighbours="as the tree",
        cost="linear in the number of nodes",
        good_for="every reading of a tree; counts become consistent",
        watch_out="only as good as the stated variances",
        source="Honaker 2019, equations 10-13; Cormode et al. 2012, Theorem 5",
    ),
    Method(
        key="prune",
        title="Pruning",
        family="Estimators",
        role="post-processing",
        summary="Drops what lies below a node whose noisy estimate is under a threshold (32 by "
        "default); the node's area answers for it.",
        guarantee="post-processing: spends nothing",
        neighbours="as the tree",
        cost="linear in the number of nodes",
        good_for="maps with large empty parts",
        watch_out="a selection: error bars hold only given what was kept",
        source="Cormode et al. 2012, §7",
    ),
    Method(
        key="cdf",
        title="CDF from a tree, smoothed",
        family="Estimators",
        role="post-processing",
        summary="Running counts at the leaf edges, then the closest monotone ones in squares (isotonic "
        "regression). Quantiles, mean, variance, mode and range counts are read from it.",
        guarantee="post-processing: spends nothing",
        neighbours="as the tree",
        cost="linear in the number of edges",
        good_for="any number of quantiles from one release",
        watch_out="after smoothing only the simultaneous band keeps its meaning",
        source="Manohar 2014; Barlow and Brunk 1972",
    ),
    Method(
        key="cdf_band",
        title="Error bands of a CDF",
        family="Estimators",
        role="public statement",
        summary="Noise does not depend on the data, so trees of pure noise through the same linear "
        "estimator give the pointwise and the simultaneous half-width.",
        guarantee="needs no data: spends nothing",
        neighbours="as the tree",
        cost="2,000 simulated trees: well under half a second",
        good_for="saying how far the curve can be off, before anything is released",
        watch_out="noise only: what lies inside one leaf is not covered",
        source="Manohar 2014 (α and β); this project (simultaneous band)",
    ),
)


def method(key: str) -> Method:
    """The card of a mechanism or estimator, by its name in the code."""
    return next(card for card in METHODS if card.key == key)


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
        "A property of exponential mechanisms that is stronger than ε-DP: it turns into ε²/8-zCDP "
        "instead of ε²/2, so the same ρ buys twice the ε.",
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
