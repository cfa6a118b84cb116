"""The smallest ε that does the job: from a stated need, on a stand-in, without spending any."""

from dataclasses import dataclass

from dpviz.experiments.planning.answers import round_up
from dpviz.figures.stage import findings, frames
from dpviz.figures.stage.frames import Tick
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Screen
from dpviz.figures.stage.written import eyebrow, figure
from dpviz.lessons import needs
from dpviz.lessons.scene import Beat, Control, Scene, Sentences, options
from dpviz.lessons.staged import after
from dpviz.lessons.words import plain

SPAN = (needs.SIZES[0], needs.SIZES[-1])  # of ε
ASKED = 1.0  # per cent: the error that is halved
SURE = 100 * needs.SURE
AXES = ("epsilon", "met")
BASE, CEILING = 0.7, 0.24  # shares of the height
TICKS: tuple[float, ...] = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
FEW_TICKS: tuple[float, ...] = (0.01, 0.1, 1.0)


@dataclass(frozen=True, slots=True)
class Smallest:
    """The smallest ε for a target in per cent: on a stand-in, and on a set that is public.

    half is that of the stand-in for half of a target of 1 per cent.
    """

    target: float
    stand_in: needs.Need
    real: needs.Need
    half: needs.Need

    @property
    def chosen(self) -> float:
        """The ε of the stand-in, rounded up to one digit."""
        return round_up(self.stand_in.epsilon, 1)


def numbers(target: float, _: int = 1) -> Smallest:
    """The stored searches for one target."""
    stand_in, real = (
        needs.need(source, "deciles", target) for source in (needs.STAND_IN, needs.SALARIES)
    )
    return Smallest(target, stand_in, real, needs.need(needs.STAND_IN, "deciles", ASKED / 2))


def three(value: float) -> str:
    """An ε as 5,000 releases tell it."""
    return plain(value, 3)


def ask(told: Smallest) -> Sentences:
    """What is known before the guess."""
    return Sentences(
        "You halve the error you accept. What must ε do?",
        f"Nine deciles of a stand-in: the more ε, the more releases are within {told.target:g} % "
        "of the records.",
    )


def say(told: Smallest) -> Sentences:
    """The answer for a target, and what is chosen."""
    found = three(told.stand_in.epsilon)
    return Sentences(
        f"Within {told.target:g} %: :blue[ε = {found}]. Half the error, about double ε.",
        f"Stand-in: {found} for {told.target:g} %. The real salaries would have said "
        f"{three(told.real.epsilon)}. We choose {told.chosen:g}.",
    )


def finding(told: Smallest) -> str:
    """What halving the error does to ε."""
    one, half = told.stand_in.epsilon, told.half.epsilon
    return f"ε = {three(half)} in place of {three(one)}, {half / one:.1f} times"


def alt(told: Smallest) -> str:
    """The picture in words."""
    return (
        f"A rising blue curve crosses {SURE:.0f} of 100 at ε = {told.stand_in.epsilon:.2f}. The "
        "curves of other targets stand beside it: half the error, about double the ε."
    )


def marks(told: Smallest, beat: Beat, screen: Screen) -> list[Mark]:
    """Releases that meet the target over ε, and where they are 95 of 100."""
    shown = [*_frame(told, beat, screen), _line(told.target, screen, main=True)]
    if beat == "predict":
        return shown
    others = [target for target in needs.TARGETS if target != told.target]
    return [
        *shown[:-1],
        *(after(_line(target, screen, main=False), 300, 900) for target in others),
        after(shown[-1], 0, 600),
        *(after(_name(target, target == told.target), 1500) for target in needs.TARGETS),
        *_answer(told, screen),
    ]


def _frame(told: Smallest, beat: Beat, screen: Screen) -> list[Mark]:
    """The axes, and the line that is wanted."""
    base, left = At(BASE), At(0, screen.px(60))
    sizes, apart = screen.said((TICKS, 1.45), (FEW_TICKS, 2.5))
    if beat != "predict":
        sizes = tuple(one for one in sizes if max(one / told.chosen, told.chosen / one) > apart)
    heights = [Tick(one, str(one)) for one in (0, 50)]
    return [
        frames.axis("epsilon", "x", SPAN, left, At(1, -14), at=base, log=True, line=True,
                    ticks=[_tick(one) for one in sizes]),
        frames.axis("met", "y", (0, 100), base, At(CEILING), at=left,
                    ticks=[*heights, Tick(SURE, f"{SURE:.0f}", "ink")]),
        eyebrow("of 100", (At(), At(0.05)),
                     screen.said("STAND-IN: RELEASES OF 100 THAT MEET IT", "STAND-IN, OF 100")),
        frames.rule("sure", (On("epsilon", SPAN[0]), On("met", SURE)),
                    (On("epsilon", SPAN[1]), On("met", SURE)), width=2.5),
    ]  # fmt: skip


def _tick(size: float) -> Tick:
    """A value of ε; the first one says so."""
    first = size == SPAN[0]
    return Tick(size, f"ε = {size:g}" if first else f"{size:g}", anchor="start" if first else None)


def _line(target: float, screen: Screen, *, main: bool) -> Mark:
    """The curve of one target."""
    width = screen.px(6) if main else 1.6
    met = needs.curve(target).tolist()
    return findings.curve(f"met {target:g}", AXES, needs.SIZES, met, width=width)


def _name(target: float, main: bool) -> Mark:
    """A target above the place where its curve crosses."""
    at = needs.need(needs.STAND_IN, "deciles", target).epsilon
    return frames.label(f"target {target:g}", (On("epsilon", at), At(CEILING, -14)),
                        f"{target:g} %", weight=700 if main else 400, anchor="middle",
                        colour="private")  # fmt: skip


def _answer(told: Smallest, screen: Screen) -> list[Mark]:
    """The crossing with its number, what the real set would have said, and the choice."""
    base = At(BASE)
    at, real = told.stand_in.epsilon, told.real.epsilon
    spot = On("epsilon", at), On("met", SURE)
    words = f"real data: {three(real)}"
    beside = On("epsilon", min(at, real), -12), On("met", 14)  # left of it lies its own curve alone
    return [
        after(frames.rule("real", (On("epsilon", real), On("met", SURE)),
                          (On("epsilon", real), base), colour="ink", dash="2 5"), 2000),
        after(findings.beam("crossing", spot, [spot], head=screen.px(11), colour="private"),
              600),
        after(figure("number", (On("epsilon", at), At(0.125)), three(at), size=screen.size(30),
                     colour="private", anchor="middle"), 800),
        after(frames.label("real words", screen.said(beside, (At(), At(0.97))), words, halo=True,
                           anchor=screen.said("end", "start")),
              2000),
        after(findings.handle("chosen", "epsilon", told.chosen, base, f"{told.chosen:g}",
                              "we choose", stem=28, colour="private"), 2400, 400),
    ]  # fmt: skip


SCENE = Scene(
    story="try",
    name="smallest_epsilon",
    title="The smallest ε that does the job",
    seconds=75,
    goal="Choose ε from a stated need, without spending it.",
    question="You halve the error you accept. ε must …",
    ask=ask,
    options=options(
        ("stay", "M5"),
        ("about double", None),
        ("quadruple, as with samples", "M4"),
        ("grow by a half", "M4"),
    ),
    about=f"From {ASKED:g} % to {ASKED / 2:g} %",
    finding=finding,
    control=Control("at", "Accepted error", needs.TARGETS, ASKED, lambda stop: f"{stop:g} %"),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="Searching on the real records would itself leak, unnoted in the ledger. So search "
    "on a stand-in: a similar shape, a public guess of the number of records. Errors in ranks "
    "depend little on the shape. Round ε up, and stop.",
    full=("decide", {"data": needs.SALARIES, "unit": "share", "off": f"{ASKED:g}"}),
    teacher="Say it twice: on a stand-in. The number of records is public "
    "only under replace-one neighbours, otherwise use a guess.",
    alt=alt,
    exercise="Target 1 %, 1.5 million records, deciles?",
    answer="0.0016: a hundred times the records, a hundredth of the ε.",
)
