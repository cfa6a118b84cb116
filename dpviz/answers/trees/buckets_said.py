"""What is said of buckets that the data choose."""

from dpviz.answers.number_text import counted
from dpviz.answers.said import Line, Said, plain, private, true
from dpviz.answers.trees.buckets import BucketGains, BucketNumbers
from dpviz.answers.trees.names import Names, spread_error


def say(found: BucketNumbers, names: Names) -> Said:
    """Into how many buckets the bins were joined, and with the truth what that saves or costs."""
    buckets, word = counted(found.buckets, "bucket").split(" ")
    bins, are = counted(found.bins, "bin"), "is" if found.bins == 1 else "are"
    headline = f"{bins} {are} published in {private(buckets)} {word}"
    second = "Which bins are joined was chosen with a quarter of the budget."
    if found.off is not None and found.times is not None:
        off = spread_error(found.off)
        headline += f"; a bin is off by {true(off)} {plain(names.noun(off))}"
        costs = "costs more than it saves"
        if found.times <= 1:
            costs = f"saves {100 * (1 - found.times):.0f} %"
        noise = plain(spread_error(found.plain))
        second = f"Plain noise on every bin would be off by {noise}: joining {costs} here."
    return Said(
        Line(f"{headline}."),
        Line(second),
        [
            ("buckets", f"{found.buckets:,} of {bins}"),
            ("longest", counted(found.longest, "bin")),
            ("noise of a bucket", spread_error(found.noise)),
        ],
        "The counts of bins, even inside each bucket that was chosen",
        ["a reference, not a default"],
    )


def when_it_pays(found: BucketGains, names: Names, runs: int) -> str:
    """Up to which ε joining errs less than plain noise in a bin, and what else it does."""
    said = f"It never errs less than plain noise in a bin of these {plain(names.people)}"
    if found.pays_up_to is not None:
        upto = private(f"{found.pays_up_to:g}")
        said = f"It errs less than plain noise in a bin up to ε = {upto}"
    if not found.always:
        far = times_of(found.worst_times)
        said += f"; at ε = {found.worst:g} it errs {far} as far as plain noise"
    return (
        f"{said}. {_running(found)} Measured on the true counts, {counted(runs, 'time')} at each ε."
    )


def _running(found: BucketGains) -> str:
    at = f"at ε = {found.near:g}"
    if found.alike:
        return f"A running count is about as far off either way {at}."
    if found.joined_times > 1:
        far = times_of(found.joined_times)
        return f"A running count is better read off your tree: {at} joining errs {far} as far."
    far = times_of(1 / found.joined_times)
    return f"A running count is better read off the buckets: {at} your tree errs {far} as far."


def times_of(ratio: float) -> str:
    """How many times, with one decimal below ten."""
    return f"{ratio:.1f} times" if ratio < 9.95 else f"{ratio:,.0f} times"
