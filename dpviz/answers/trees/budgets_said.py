"""What is said of how the levels of a tree share its budget."""

from dpviz.answers.number_text import significant
from dpviz.answers.said import Line, Said, Table, plain, private
from dpviz.answers.trees.budgets import BudgetsNumbers
from dpviz.answers.trees.names import Names, spread_error

PUBLIC = "It depends on public choices alone, so choosing by it costs nothing; after least squares."


def say(found: BudgetsNumbers, names: Names, spent: str) -> Said:
    """How good the chosen levels are for the workload, and which split would be better."""
    good = spread_error(found.chosen.error)
    people = plain(names.noun(good))
    headline = f"These levels answer a query to {private(good)} {people}, typically"
    if found.better:
        reached = private(spread_error(found.best.error))
        headline += f"; {found.best.name} would reach {reached}."
    else:
        headline += "; none here does better."
    second = PUBLIC
    if found.certified is not None:
        word = "best there is" if found.certified else "best found"
        second = f"For {found.workload} the workload-optimal split is the {word}. {PUBLIC}"
    columns = ("mean variance", "standard error", "times the best")
    rows = tuple(
        (split.name, *map(significant, (split.variance, split.error, split.times)))
        for split in found.splits
    )
    table = Table(
        "",
        "Variance of the workload under each split",
        ("split", *columns),
        rows,
        dict.fromkeys(columns),
    )
    return Said(
        Line(headline),
        Line(second),
        [("workload", found.workload), ("spent", spent)],
        "Share of the budget by level for each split, and the error of a query under each",
        tables=(table,),
    )
