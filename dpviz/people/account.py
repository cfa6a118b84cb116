"""An account: what releases about the same people may spend together, and what they have spent."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from dpviz.core.budgets import ZCDP, ApproxDP, Budget, Neighbours, PureDP
from dpviz.core.checks import wanted
from dpviz.core.choices import choice
from dpviz.core.errors import DpvizError, InvalidBudget, InvalidParameter, Overspent
from dpviz.core.grid import as_written, written_down, written_up
from dpviz.core.person_rows import PersonRows
from dpviz.core.randomness.bits import Randomness, SecureBits
from dpviz.core.releases import spent_budget
from dpviz.people.release import Releases, Spends, check_call, release_for_people
from dpviz.people.spending import Loss, added, tight_epsilon

R = TypeVar("R", bound=Spends)
Place = tuple[int, str]  # parts that were opened together, and one of them


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of an account: what was released, for which budget, under which relation.

    part names the people it is about, where they are in several parts.
    """

    what: str
    budget: Budget
    neighbours: Neighbours
    part: str = ""

    def __str__(self) -> str:
        where = f" ({self.part})" if self.part else ""
        return f"{self.what}{where}: {self.budget}"


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    entry: Entry
    loss: Loss
    place: Place | None


@dataclass(eq=False)
class _Book:
    """What an account and the accounts of its parts have in common."""

    budget: Budget
    neighbours: Neighbours
    plan: tuple[Budget, ...]
    lock: threading.RLock = field(default_factory=threading.RLock)
    lines: list[_Line] = field(default_factory=list)
    opened: int = 0  # lots of parts

    def total(self, extra: Iterable[_Line] = ()) -> Loss:
        """The sum of all lines; of parts that were opened together the dearest counts."""
        lines = [*self.lines, *extra]
        parts: dict[int, dict[str, Loss]] = {}
        for line in lines:
            if line.place is not None:
                group, name = line.place
                sums = parts.setdefault(group, {})
                sums[name] = sums.get(name, Loss()) + line.loss
        found = added(line.loss for line in lines if line.place is None)
        for sums in parts.values():
            dearest = Loss()
            for one in sums.values():
                dearest = dearest.widest(one)
            found += dearest
        return found

    def of_place(self, place: Place | None) -> Loss:
        """What stands against the budget of one part: its own lines, and all outside its parts."""
        if place is None:
            return self.total()
        own = added(line.loss for line in self.lines if line.place == place)
        others = [line for line in self.lines if line.place is None or line.place[0] != place[0]]
        return own + _Book(self.budget, self.neighbours, (), lines=others).total()

    def strike(self, line: _Line) -> None:
        """Take a line out again; in a plan only the last one, for others stand where they do."""
        with self.lock:
            if not self.plan or self.lines[-1] is line:
                self.lines.remove(line)

    def sizes(self, loss: Loss) -> tuple[Fraction, ...]:
        """The numbers of a loss in the notion of the budget."""
        if isinstance(self.budget, ZCDP):
            return (loss.rho,)
        return (loss.epsilon, loss.delta) if isinstance(self.budget, ApproxDP) else (loss.epsilon,)

    def budget_of(self, sizes: Sequence[float]) -> Budget | None:
        """The budget of such numbers in the notion; without δ it is pure; None for nothing."""
        if sizes[0] <= 0:
            return None
        if not isinstance(self.budget, ApproxDP):
            return self.budget.resized(sizes[0])
        return ApproxDP(*sizes) if sizes[1] > 0 else PureDP(sizes[0])


class Account:
    """What releases about the same people may spend together; more is refused before it is drawn.

    >>> account = dp.Account(dp.PureDP(1))
    >>> account.release(dp.CountTree(2, 6), column, budget=dp.PureDP(0.4)).spent, account.left
    (PureDP(epsilon=0.4), PureDP(epsilon=0.6))

    It counts in the notion of its budget. In ε: pure ε. In (ε, δ): pure ε, and (ε, δ). In ρ: ρ, and
    pure ε as ε tanh(ε/2), the least ρ that every ε-DP release keeps. Budgets count as the decimals
    that they are written as: ten times .1 are 1. Where the account is about replaced records a
    release for added and removed ones counts over two steps (2ε, 4ρ, (1 + e^ε) δ); one for replaced
    records promises nothing where they are added, and is refused there.

    plan are budgets that are settled in advance, of any notions, and spent in their order: what
    they spend together is checked at once, in (ε, δ) by privacy loss distributions, which is
    tighter.

    Guarantee: all releases together keep the budget, also where what is asked, and for how much,
    hangs on what was released before. An account knows of what is spent through it, and of nothing
    else. It serves several threads.
    Raises: InvalidBudget for what is no budget; Overspent for a plan that there is no room for.
    Source: Dwork et al. 2006; Rogers et al. 2016 and Feldman and Zrnic 2021 for budgets that are
    chosen on the way; Kairouz, Oh and Viswanath 2015 for plans.
    """

    def __init__(
        self,
        budget: Budget,
        neighbours: Neighbours | str = Neighbours.ADD_REMOVE,
        plan: Iterable[Budget] = (),
    ) -> None:
        settled = tuple(_a_budget(one, "plan") for one in plan)
        relation = choice(Neighbours, neighbours, "neighbours")
        self._book = _Book(_a_budget(budget, "budget"), relation, settled)
        self._place: Place | None = None
        self._planned = _cost_of_plan(self._book)

    @property
    def budget(self) -> Budget:
        """What may be spent in all."""
        return self._book.budget

    @property
    def neighbours(self) -> Neighbours:
        """The relation that the budget is promised under."""
        return self._book.neighbours

    @property
    def planned(self) -> Budget | None:
        """What the plan spends in all, in the account's notion, never rounded down; None for none.

        In (ε, δ) it is an ε at the account's δ.
        """
        return self._planned

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What was spent, in its order; of a part, in that part."""
        return tuple(line.entry for line in self._book.lines if self._place in (None, line.place))

    @property
    def spent(self) -> Budget | None:
        """What was spent so far in the account's notion, never rounded down; None for nothing.

        Of a part it counts what was spent of all people, too. Of a plan in (ε, δ) it is the ε of
        its releases so far at the account's δ.
        """
        book = self._book
        with book.lock:
            if book.plan and isinstance(book.budget, ApproxDP) and book.lines:
                losses = [line.loss for line in book.lines]
                return book.budget.resized(tight_epsilon(losses, book.budget.delta))
            sizes = book.sizes(book.of_place(self._place))
        return book.budget_of([written_up(one) for one in sizes])

    @property
    def left(self) -> Budget | None:
        """What one more release may spend, never rounded up; None for nothing.

        Of a plan it is the budget of its next release.
        """
        book = self._book
        with book.lock:
            if book.plan:
                return book.plan[len(book.lines)] if len(book.lines) < len(book.plan) else None
            gone = book.sizes(book.of_place(self._place))
        whole = book.sizes(Loss.of(book.budget))
        rest = (most - one for most, one in zip(whole, gone, strict=True))
        return book.budget_of([written_down(one) for one in rest])

    def fits(self, budget: Budget, neighbours: Neighbours | str | None = None) -> bool:
        """Whether a release for this budget may be made; nothing is spent.

        Raises: InvalidBudget as spend.
        """
        with self._book.lock:
            return self._refusal(self._line("", budget, neighbours)) is None

    def spend(
        self,
        budget: Budget,
        what: str = "a release elsewhere",
        neighbours: Neighbours | str | None = None,
    ) -> None:
        """Book a release that is made elsewhere, before it is made.

        neighbours is the relation that it is promised under, the account's own by default.
        Raises: Overspent if too little is left; InvalidBudget for a notion that the account cannot
        count, and for a relation under which the release promises nothing here.
        """
        self._put_down(self._line(wanted(str, what, "what"), budget, neighbours))

    def release(
        self,
        mechanism: Releases[R],
        data: object,
        *asked: object,
        budget: Budget | None = None,
        rows: PersonRows | None = None,
        rng: Randomness | None = None,
    ) -> R:
        """The mechanism's release of these data, booked before it is drawn.

        asked is what its release takes between data and budget, such as quantiles. Without a budget
        all that is left is spent, or the next of the plan. rows are as for release_for_people. rng
        is SecureBits.fresh() by default. What refuses is not booked; what breaks off stays booked,
        for something may have been drawn.
        Raises: Overspent before anything is drawn; InvalidBudget as spend; as the release does.
        """
        own = self.left if budget is None else budget
        if own is None:
            raise Overspent(f"All of {self.budget} is spent. Nothing was drawn.")
        bits = SecureBits.fresh() if rng is None else rng
        check_call(mechanism, (data, *asked, own, bits))
        name = str(getattr(mechanism, "name", type(mechanism).__name__))
        line = self._line(name, own, mechanism.neighbours)
        self._put_down(line)
        try:
            if rows is None:
                made = mechanism.release(data, *asked, own, bits)
            else:
                made = release_for_people(mechanism, data, *asked, budget=own, rows=rows, rng=bits)
            _check_private(made)
        except DpvizError:
            self._book.strike(line)
            raise
        return made

    @contextmanager
    def parallel(self) -> Iterator[Parts]:
        """Accounts for parts of the people: together they spend what the dearest of them does.

            with account.parallel() as parts:
                for name, column in regions.items():
                    parts[name].release(tree, column, budget=dp.PureDP(0.5))

        Who is in which part must follow from each person's own record by a public rule, and
        everybody be in one part. Releases for replaced records are refused: their number is public,
        and who is replaced may change the part.
        Raises: InvalidBudget for an account with a plan, and for a part.
        Source: McSherry 2009; Dwork and Roth 2014, §3.
        """
        if self._book.plan or self._place is not None:
            raise InvalidBudget("Parts are opened of an account that has no plan and is no part.")
        with self._book.lock:
            self._book.opened += 1
            parts = Parts(self._book, self._book.opened)
        yield parts

    def __repr__(self) -> str:
        return f"Account({self.budget}; spent: {self.spent or 'nothing'})"

    def _line(self, what: str, budget: Budget, neighbours: Neighbours | str | None) -> _Line:
        """What a release takes from the account, in its notion."""
        book, place = self._book, self._place
        relation = book.neighbours
        if neighbours is not None:
            relation = choice(Neighbours, neighbours, "neighbours")
        if relation is Neighbours.REPLACE_ONE and (
            place is not None or relation is not book.neighbours
        ):
            raise InvalidBudget(
                "A release for replaced records promises nothing where records are added and "
                "removed, or change the part. Choose neighbours='add-remove'."
            )
        if book.plan and relation is not book.neighbours:
            raise InvalidBudget(
                f"A plan counts releases for its own relation, {book.neighbours}, and this one is "
                f"for {relation}. Choose neighbours='{book.neighbours}' for it."
            )
        steps = 1 if relation is book.neighbours else 2
        loss = _in_notion(book, Loss.of(_a_budget(budget, "budget"), steps), budget)
        entry = Entry(what, budget, relation, "" if place is None else place[1])
        return _Line(entry, loss, place)

    def _refusal(self, line: _Line) -> str | None:
        """Why there is no room for a line, in words; None if there is."""
        book, budget = self._book, line.entry.budget
        if book.plan:
            if self.left == budget:
                return None
            return f"The next release of the plan spends {self.left or 'nothing'}, not {budget}."
        sizes, whole = (book.sizes(one) for one in (book.total([line]), Loss.of(book.budget)))
        if all(gone <= most for gone, most in zip(sizes, whole, strict=True)):
            return None
        return f"{budget} was asked for, and of {book.budget} {self.left or 'nothing'} is left."

    def _put_down(self, line: _Line) -> None:
        with self._book.lock:
            refusal = self._refusal(line)
            if refusal is not None:
                raise Overspent(f"{refusal} Nothing was drawn.")
            self._book.lines.append(line)


class Parts:
    """Accounts for parts of the people, by name: parts["north"]."""

    def __init__(self, book: _Book, number: int) -> None:
        self._book, self._number = book, number

    def __getitem__(self, name: str) -> Account:
        """The account of one part; the same name is the same part."""
        part = object.__new__(Account)
        part._planned = None
        part._book, part._place = self._book, (self._number, wanted(str, name, "part"))
        return part


def _check_private(release: Spends) -> None:
    """Raises: InvalidParameter for a reference of which counts or structure are exact."""
    exposed: object = getattr(release, "non_private", None)
    if release.spent is None or exposed:
        raise InvalidParameter(
            "A reference with exact counts or an exact structure protects nobody. Choose a private "
            "method."
        )


def _a_budget(budget: Budget, name: str) -> Budget:
    if isinstance(budget, PureDP | ApproxDP | ZCDP):
        return budget
    return spent_budget(budget, name)


def _in_notion(book: _Book, loss: Loss, budget: Budget) -> Loss:
    """A loss as the account counts it. Raises: InvalidBudget where it cannot."""
    if isinstance(book.budget, ZCDP):
        return loss.in_rho
    if book.plan and isinstance(book.budget, ApproxDP):
        return loss
    if loss.rho or (loss.delta and not isinstance(book.budget, ApproxDP)):
        way = "ρ, or settle a plan in (ε, δ)" if loss.rho else "(ε, δ)"
        raise InvalidBudget(f"{budget} has no price in {book.budget}. Open an account in {way}.")
    return loss


def _cost_of_plan(book: _Book) -> Budget | None:
    """What a plan spends in all. Raises: Overspent for more than the budget; InvalidBudget."""
    if not book.plan:
        return None
    losses = [_in_notion(book, Loss.of(one), one) for one in book.plan]
    if isinstance(book.budget, ApproxDP):
        found = tight_epsilon(losses, book.budget.delta)
        if found == math.inf:
            raise Overspent(f"The plan spends more δ than {book.budget}. Nothing was drawn.")
        cost: Budget | None = book.budget.resized(found)
        fits = as_written(found) <= as_written(book.budget.epsilon)
    else:
        sizes, whole = (book.sizes(one) for one in (added(losses), Loss.of(book.budget)))
        cost = book.budget_of([written_up(one) for one in sizes])
        fits = sizes <= whole
    if not fits:
        raise Overspent(f"The plan spends {cost}, more than {book.budget}. Nothing was drawn.")
    return cost
