"""How a column of quantiles is spoken of."""

from dataclasses import dataclass

from dpviz.answers.quantiles.answers import Writing, percent_of
from dpviz.answers.said import plain, private
from dpviz.intake.samples import Words


@dataclass(frozen=True, slots=True)
class Voice:
    """How a column is spoken of: its words, and how its numbers are written."""

    words: Words
    writing: Writing

    def off(self, error: float) -> str:
        """An error with its unit: "1.2 marks"."""
        return self.words.unit.after(self.writing.error(error))

    def private_off(self, error: float) -> str:
        """The same in Markdown, its digits alone marked as private."""
        digits, _, unit = self.off(error).partition(" ")
        return f"{private(digits)}{plain(f' {unit}'.rstrip())}"

    def value(self, number: float) -> str:
        """A value as it is published."""
        return self.writing.value(number)


def row_name(quantile: float) -> str:
    """What one quantile is called."""
    return "the median" if quantile == 0.5 else f"the {percent_of(quantile)} point"
