"""What is said of the price of trust."""

from dpviz.answers.privacy.amounts import tiny
from dpviz.answers.privacy.trust import BINS, NOBODY, SERVER, SHUFFLER, TWO, TrustNumbers
from dpviz.answers.said import Line, Said, Table, plain, private, unmarked
from dpviz.experiments.privacy.local_median import RUNS

WHAT = {"count": "a count", "median": "the median's rank", "cdf": "a point of the CDF"}
# who sees what, and what has to hold for the promise
MUST = {
    SERVER: ("every value", "the server, with all values"),
    TWO: ("a random share of each value", "that the two do not work together"),
    SHUFFLER: ("reports, randomised a little, not whose", "the shuffler, to hide who sent what"),
    NOBODY: ("reports, randomised by each person", "nobody"),
}
COLUMNS = ("Trusted", "What arrives there", "One must trust", "Off by", "Promise")


def say(found: TrustNumbers) -> Said:
    """Everything."""
    off = {one.trusted: off_by(one.error) for one in found.lines}
    people, epsilon = f"{found.people:,}", f"{found.epsilon:.4g}"
    more = rounded(found.more)
    if found.times > 1:
        first = (
            f"At n = {people} and ε = {epsilon}, trusting nobody costs {rounded(found.times)} "
            f"times the error; it takes {more} times the people for the same error in per cent."
        )
        brief = f"Trusting nobody costs {rounded(found.times)} times the error."
    else:
        first = f"At n = {people} and ε = {epsilon}, trusting nobody costs no more error."
        brief = "Trusting nobody costs no more error here."
    second = (
        f"How far {WHAT[found.question]} is off, in people: {private(off[SERVER])} with one "
        f"trusted server, {private(off[NOBODY])} with none. A shuffler makes that "
        f"{private(off[SHUFFLER])}, but for a chance of about {plain(tiny(found.delta))}."
    )
    return Said(
        Line(first, brief),
        Line(second, f"{plain(off[SERVER])} with one server, {plain(off[NOBODY])} with none."),
        [("trust " + who, each) for who, each in off.items()],
        unmarked(f"{first} {second}"),
        tables=(_table(found, off),),
    )


def off_by(error: float) -> str:
    """An error in people: "± 1.4", "± 96", "± 30,300"."""
    return f"± {error:.2g}" if error < 10 else f"± {error:,.0f}"


def rounded(number: float) -> str:
    """Two digits that count, in full: 29, 850, 1.4, 2,300,000."""
    return f"{float(f'{number:.2g}'):,.10g}"


def _table(found: TrustNumbers, off: dict[str, str]) -> Table:
    epsilon = f"{found.epsilon:.4g}"
    promises = dict.fromkeys(off, f"ε = {epsilon}")
    promises[SHUFFLER] = f"ε = {epsilon}, δ = {tiny(found.delta)}"
    rows = tuple((who, *MUST[who], off[who], promises[who]) for who in off)
    return Table(
        "Who must be trusted", "Each trust with its error", COLUMNS, rows,
        {"Off by": "Root mean square, in people"},
        (
            "One person's value is replaced by another; who takes part is public. All programs "
            "follow the protocol: a server that is not trusted may read what it gets, no more.",
            _before(found),
            _method(found),
            "No data is read. Reports of a data set here would be simulated from it: "
            "in earnest each is made where its value is.",
        ),
    )  # fmt: skip


def _before(found: TrustNumbers) -> str:
    """What a report promises alone, and which bound is behind it."""
    where = ", each round shuffled by itself" if SHUFFLER in found.searched else ""
    return (
        f"Before the shuffler a report holds ε = {found.local:.3g}{where}: alone it promises no "
        "more. The bound is that of clones, proved, for answers of yes or no sharper."
    )


def _method(found: TrustNumbers) -> str:
    if found.question == "count":
        return (
            "Two servers add the noise of one server each to sums of their shares: √2 times its "
            "error. People report yes or no by randomised response."
        )
    tree = (
        f"A CDF has {BINS:,} equal bins with as many people in each; its error is that of all "
        "inner edges, by a tree of noisy counts, or of reports of one level each, and least "
        "squares. Two servers add noise each: √2 times the tree's error."
    )
    if found.question == "median":
        first = "One server draws the median by the exponential mechanism"
        if not found.searched:
            return f"{first}; all others read it from their CDF. {tree}"
        who, sure = " and ".join(f"that of {one}" for one in found.searched), 100 * found.sure
        others = (
            "Whoever else there is reads the median from a CDF." if len(found.searched) < 3 else ""
        )
        return (
            f"{first}. In rounds each person is asked whether the value lies below one number: so "
            f"`LocalQuantiles` finds {who}. Its error is known to within {rounded(sure)} % (two "
            f"standard errors) from {RUNS} runs or more on values evenly over half of their "
            f"bounds. {others} {tree}"
        )
    return tree
