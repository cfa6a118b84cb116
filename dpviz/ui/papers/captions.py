"""What each reproduced figure shows, and how it differs from the printed one."""

from __future__ import annotations

_STUDY = (
    "Each trial draws 1,000 records without replacement, breaks ties as the authors do (Gaussian "
    "noise of 1e-5) and declares (−100, 100); means with two standard errors. Differs from the "
    "print: fewer m; our AQ uses the sensitivity max(q, 1 − q) of an unfloored target where the "
    "paper's appendix A uses 1, so it is somewhat better at the same budget; "
    "AggTree has fanout 10 and height 3, which the paper does not state."
)

# found in the complete preset with the real sets: 100 trials, m = 1, 5, 10, …, 120
_PURE = (
    "As printed, JointExp wins only for a few small m and falls far behind from about 25. Not as "
    "printed: AggTree is level with AQ, or a little better, from about m = 40 on in every set but "
    "Adult hours."
)
_ZCDP = (
    "As printed, AQ is far ahead of AppIndExp and JointExp from small m on, in every set but Adult "
    "age. Not as printed: there AggTree is best at most m, and at a few m on Goodreads pages. Our "
    "variants split ρ by ε²/8 instead of ε²/2: half the gap on Uniform, Normal and Adult hours, "
    "less elsewhere."
)

_POINTS = (
    "Add/remove neighbours, geometric split, 30 % of the budget to private medians; means with two "
    "standard errors of the median relative error over non-empty rectangles (quick: 200 rectangles "
    "a shape, 2 releases; full: 600, 10). Differs from the print: 1.63 million made-up points in "
    "towns and along roads of the paper's box stand in for the road crossings of TIGER. On the data "
    "in use the shapes (1, 1), (10, 10) and (15, .2) are scaled to the box, and the fewer points "
    "there are, the larger the errors and the lower the best height. The rectangles were chosen by "
    "looking at the points: fair for measuring, not for a release."
)

CAPTIONS: dict[str, str] = {
    "aq1": "Fig. 1: the middle quantile is drawn from the whole range, the next two from what it "
    "leaves on its sides, and so on. Differs from the print: not a scheme but a release, 15 "
    "quantiles of 1,000 normal records at ε = 1; hover for the records in each sub-problem. "
    "The outermost ranges go on to −100 and 100.",
    "aq2": "Fig. 2: twelve records and their quartiles. The first draw misses the median by two "
    "records; the targets of both quartiles then move by one record, half the error, for each lies "
    "half-way between the median that moved and an end that did not. Differs from the print: ranks instead of values, and the two "
    "sub-problems on one axis.",
    "aq3": "Fig. 3: 100 bins of equal width over each set's own range.",
    "aq4": f"Fig. 4: mean gap against m at ε = 1 (AppIndExp: δ = 1e-6). {_PURE} {_STUDY}",
    "aq5": f"Fig. 5: Fig. 4 up to m = 35. {_PURE} {_STUDY}",
    "aq6": "Fig. 6: mean gap against m at ρ = ½; JointExp is that of ε = 1, as in the paper. "
    f"{_ZCDP} {_STUDY}",
    "aq7": f"Fig. 7: Fig. 6 up to m = 35. {_ZCDP} {_STUDY}",
    "aq8": "Fig. 8: time of one release from a sorted sample of 1,000 records, averaged over the "
    "six sets. Differs from the print: the paper finds AQ ten times faster than AggTree and a "
    "hundred times faster than AppIndExp, as their authors wrote them in loops; here all four are "
    "vectorised, AggTree and AppIndExp are the fastest, and JointExp works in logarithms on "
    "certified windows. Another computer, and nothing else running, gives other milliseconds.",
    "psd2": "Fig. 2: the variance of a query that uses 8 · 2^l nodes of level l, exactly, in units "
    "of 16/ε². Differs from the print: the heights shown, 5 to 10, are a guess.",
    "psd3": "Fig. 3: quadtrees of height 10, the budget split uniformly (baseline, post) or "
    "geometrically (geo, opt), read raw or by least squares (post, opt). As printed, each step "
    "about halves the error and both together quarter it; an order of magnitude, as the paper has "
    "at best, is not reached here. Not in the paper: quad-workload, the split that suits these very "
    f"rectangles best, another 15 to 30 % less. {_POINTS}",
    "psd4": "Fig. 4: rank error and time of private medians by depth, on uniform points on "
    "[0, 2^26]; ε = .01 a level. As printed, EM is best at every depth and nearly exact at the "
    "root, NM is close to it there and falls behind below, sampling helps SS and costs EM some "
    "accuracy, and cell is poor even where there are many points. Differs from the print: δ = 1e-4 "
    "is the total of a path, sampled medians pay the exact price of sampling instead of 2p·e^ε, "
    "medians of a level are drawn together, so times are far shorter. Quick: three trees; full: 30.",
    "psd5": "Fig. 5: kd-trees of height 8, pruned at 32 after least squares; kd-cell's grid has the "
    "paper's 2182 × 1767 cells, half of its budget, and its leaves are not pruned. As printed, "
    "kd-true stays below 1 % from ε = .5 on, kd-noisymean is weak, kd-cell is good on small squares "
    "(at ε = 1) and loses on larger shapes, and kd-hybrid is the most reliable. Not as printed: at "
    "ε = .1 kd-cell is the worst on every shape; and on 10 × 10 private trees beat kd-pure, whose "
    "cells are wide where points are few, so that spreading their points evenly errs. kd-pure and "
    f"kd-true are not private. {_POINTS}",
    "psd6": "Fig. 6: the best of each family by height at ε = .5; kd-hybrid turns to midpoints "
    "half-way down, the Hilbert curve has order 18; kd-hybrid and Hilbert-R are pruned at 32, "
    "quad-opt is not, as the paper does not say; quick: heights 6, 8 and 10. As printed, a deep "
    "quad-opt is the best on small squares, kd-hybrid of height 8 does as well as quad-opt of "
    "height 10 on the larger shapes, and kd-cell is the worst there. Not as printed: quad-opt is "
    "best at height 9, one less than in the paper, and Hilbert-R has no query that it does much "
    f"worse on; among shallow trees it is often the best. {_POINTS}",
    "psd7a": "Fig. 7a: time of one release, and of least squares and pruning after it, at ε = .5. "
    "As printed, the quadtree is far faster than what follows the points, kd-hybrid is faster than "
    "kd-standard, and post-processing adds next to nothing. Not as printed: kd-cell and Hilbert-R "
    "are not slower than kd-trees, and vectorised code takes a third of a second where the paper "
    "needs a minute (kd-hybrid). Another computer gives other seconds.",
    "psd7b": "Fig. 7b: the share of pairs that need no secure comparison, all count budget at the "
    "leaves. As printed, kd-standard saves most, then kd-noisymean, then quad-baseline. Differs "
    "from the print: the two parties hold random halves of these points instead of the data of Inan "
    "et al., so all ratios are higher; height 5 and ε from .05 to .5 are our choice, a match is "
    ".1 % of the box, and dummies are counted. With few points and a small ε the order turns: on "
    "124,000 postal addresses quad-baseline is best at ε = .05.",
    "honaker1": "Fig. 1: true and private counts of a tree over eight leaves a to h, noise of "
    "deviation 3 on every node. Differs from the print: made-up counts, and the "
    "readings from below, from above and efficient can be chosen too (N private). Your own column: "
    "the Trees page.",
    "honaker2": "Fig. 2: eight of the ways to estimate a + b + c + d, coloured by the weight of each "
    "node. Differs from the print: made-up counts; which eight is our choice.",
    "honaker3": "Fig. 3: the nodes that make the efficient estimate of t100, the leftmost node of "
    "level 2: those at and below it, at and below its sibling, and all others. Differs from the "
    "print: coloured by their weight in t100*; N is private.",
    "honaker4": "Fig. 4: 10,000 trees of 16 Poisson(10) leaves, noise of deviation 3, N known: raw "
    "and efficient errors by node, their ratio, and all four readings. Differs from the print: "
    "mean squared errors in place of the third panel's distributions.",
    "manohar1": "Running counts from a binary tree at ε = .01, raw and smoothed, with α at "
    "β = .05. Differs from the print: 15,000 made-up salaries in thousands up to 512,000 instead "
    "of a large survey, so an α of the poster's size is wide beside the counts; noise of (height + 1)/ε on every "
    "node instead of log D/ε; α by simulation.",
    "manohar2": "The same for age. Differs from the print: 20,000 made-up ages on 128 leaves of a "
    "year; noise of (height + 1)/ε on every node; α by simulation; 6.4 points are expected "
    "outside α, not 5.",
}
