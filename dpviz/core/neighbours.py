"""Which two data sets count as neighbours; it decides what a privacy parameter means."""

from dpviz.core.choices import Choice


class Neighbours(Choice):
    """The neighbouring relation that a guarantee is stated under.

    >>> dp.Neighbours('replace-one') is dp.Neighbours.REPLACE_ONE
    True
    """

    ADD_REMOVE = "add-remove"
    REPLACE_ONE = "replace-one"

    @property
    def counts_changed(self) -> int:
        """How many of several disjoint counts (a level of a tree, say) one change touches: 1 or 2.

        A record that is replaced leaves one count and enters another.
        """
        return {Neighbours.ADD_REMOVE: 1, Neighbours.REPLACE_ONE: 2}[self]
