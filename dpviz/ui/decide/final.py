"""A release for good: a draw with secure bits of its own, booked once.

The same question is answered once: whoever asks again is shown what was released.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from dpviz.core.budgets import Budget
from dpviz.core.randomness.bits import Randomness, SecureBits
from dpviz.reports.words import Release
from dpviz.ui.kit import memory
from dpviz.ui.kit.account.keys import canonical
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import Draw


@dataclass(frozen=True, eq=False)
class Final:
    """What the button would release: the question in full, what it costs, how it is answered.

    purpose names it in full; file is what its downloads are called.
    """

    draw: Draw
    purpose: tuple[object, ...]
    budget: Budget
    make: Callable[[Randomness], Release]
    file: str

    @cached_property
    def key(self) -> bytes:
        """What tells the question from any other; it gives nothing of the data away."""
        asked = canonical(("once", self.draw.secret, self.draw.sample, self.purpose))
        return hashlib.blake2b(asked, digest_size=32).digest()

    @property
    def cost(self) -> Cost:
        """What it spends, a record's budget."""
        return Cost(f"released once: {self.file}", self.budget)

    @property
    def released(self) -> Release | None:
        """What was released, if it was."""
        found: Release | None = memory.released_once().get(self.key)
        return found

    def release(self) -> None:
        """Answer the question, unless it is answered; an upload's with fresh secure bits.

        Raises: DpvizError as the mechanism does; then nothing is booked.
        """
        if self.released is not None:
            return
        bits = SecureBits.fresh() if self.draw.secret else self.draw.randomness(self.purpose)
        answer = self.draw.about_people(self.make(bits))
        if self.draw.secret:
            self.draw.book(("once", self.purpose), paid=[self.cost])
        memory.released_once()[self.key] = answer
