"""What is promised of a release, against whom, and what is not claimed: words of the Methods page."""

import streamlit as st

from dpviz.core.card import Card

TITLE = "What is promised of a release, and what is not"
ADVERSARY = (
    "**Against whom.** She knows the program, all parameters and every record but one, and reads "
    "every bit of all that leaves: screen, links, JSON, CSV. She may choose the parameters, ask many "
    "times (budgets add up) and match what she sees with any candidate data. She does not read the "
    "process's memory and does not clock the server."
)
CLAIM = (
    "**What holds.** Where a card says *exact*: with ideal random bits the law of the output is "
    "exactly the declared one, and its ε or ρ holds in rational arithmetic. With the secure bits "
    "that every release of your own file takes (AES-256 in counter mode, a secret key for each "
    "use), the same holds against anyone who cannot tell that stream from random bits. Where a card "
    "says *up to rounding*, the promise holds in real arithmetic, and doubles may give away more."
)
NOT_CLAIMED = (
    "**What is not claimed.** How long a page takes depends on the records and is not covered, nor "
    "are memory and the reading of a file; nor anything after an upload's secret leaks; nor that "
    "the declared neighbours, bounds and budget are wise. Whoever sets bounds after looking spends "
    "what no ledger sees. Rows without a number are left out: under replace-one, that a number is "
    "missing is not protected. Draws on samples come from seeds and protect nobody."
)
ASSUMED = (
    "**Assumed.** IEEE 754 doubles, an exp of NumPy within 2¹² units in the last place, a correctly "
    "rounded `decimal`, AES-256, fewer than 2³¹ records. Proofs are by argument and by enumeration "
    "of small cases, not checked by a machine."
)


def holds(one: Card) -> str:
    """What the row "Holds of the program" says: a method without noise has nothing of its own."""
    if "none" in one.promises:
        return "nothing to hold: it is not private"
    if set(one.promises) <= {"free"} and one.promises:
        return "as its release does: it works on what is published"
    return one.holds


def promise() -> None:
    """The four paragraphs, folded."""
    with st.expander(TITLE, icon=":material/verified_user:"):
        st.markdown("\n\n".join((ADVERSARY, CLAIM, NOT_CLAIMED, ASSUMED)))
