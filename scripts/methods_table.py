"""Writes README's table of methods from the catalogue: `make readme`."""

from __future__ import annotations

from pathlib import Path

from dpviz import catalogue

README = Path(__file__).resolve().parents[1] / "README.md"
BEGIN, END = "<!-- methods: written by `make readme` -->", "<!-- methods end -->"
HEAD = ("family", "method", "guarantee", "neighbours", "source")


def table() -> str:
    """One row for each card of the catalogue, as Markdown."""
    rows = [HEAD, ("---",) * len(HEAD)]
    for card in catalogue.cards():
        cells = (card.family, card.title, card.guarantee, card.neighbours, card.source)
        rows.append(tuple(cell.replace("|", "\\|") for cell in cells))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def written(text: str) -> str:
    """README with the table of today between its two marks.

    Raises: ValueError if a mark is missing.
    """
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    README.write_text(written(README.read_text(encoding="utf-8")), encoding="utf-8")
