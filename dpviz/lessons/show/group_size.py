"""From which group size on: one rule for publishing, read off a slope."""

from dataclasses import dataclass

from dpviz.figures.stage import findings, frames, people
from dpviz.figures.stage.frames import Tick
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Screen
from dpviz.figures.stage.written import eyebrow, figure
from dpviz.intake.samples import sample
from dpviz.lessons import towns
from dpviz.lessons.scene import Beat, Control, Scene, Sentences, options
from dpviz.lessons.staged import after
from dpviz.lessons.words import epsilon, whole

PEOPLE, OFF = (16.0, 17_500.0), (0.2, 1_600.0)  # what the axes show; per cent
SIZES: tuple[int, ...] = (20, 100, 500, 2_000, 10_000)  # crowds that are drawn
FEW_SIZES: tuple[int, ...] = (20, 500, 2_000)
BASE, CEILING = 0.637, 0.1  # shares of the height
SPACING = 1.14  # of the grains of a crowd
NEAR_RULE = (1_000, 1_500, 2_000)  # sizes whose errors are told
ANYWHERE = 500.0  # per cent, from which on an answer says nothing
AXES = ("people", "off")


@dataclass(frozen=True, slots=True)
class Sizes:
    """How far off answers about a town are, at one ε, and from which size on they are of use."""

    epsilon: float
    by: towns.ByTown
    highest: float

    @property
    def smallest(self) -> int:
        """The people of a town from which on its median is accurate enough."""
        return self.by.smallest

    @property
    def there(self) -> tuple[float, float]:
        """Errors at that size in per cent: of a count and of a median."""
        return float(self.by.count[self.by.enough]), float(self.by.median[self.by.enough])


def numbers(eps: float, _: int = 1) -> Sizes:
    """The stored towns at one ε."""
    return Sizes(eps, towns.stored(eps), sample(towns.SALARIES).bounds[0].high)


def ask(told: Sizes) -> Sentences:
    """What is known before the guess."""
    return Sentences(
        f"From which size on is a town’s median within {towns.ENOUGH:g} %?",
        f"Towns of 20 to 10,000 people, ε = {told.epsilon:g}. Everyone is protected alike; the "
        "question is what is left to use.",
    )


def say(told: Sizes) -> Sentences:
    """The rule."""
    count, median = (f"{float(f'{one:.2g}'):g} %" for one in told.there)
    return Sentences(
        f"Publish a town’s median pay from :blue[{whole(told.smallest)} people] on.",
        f"ε = {told.epsilon:g}, towns from {whole(told.smallest)} on: a count within {count}, or "
        f"median pay within about {median}, 19 times of 20.",
    )


def finding(told: Sizes) -> str:
    """From which size on a median is accurate enough."""
    return f"from {whole(told.smallest)} people on"


def slope(eps: float = 0.1) -> str:
    """The errors around the rule, and below which size a median says nothing; as measured."""
    by = towns.stored(eps)
    off = dict(zip(towns.SIZES, by.median.tolist(), strict=True))
    first, *others = (f"{off[n]:.1f}" for n in NEAR_RULE)
    sizes = [whole(n) for n in NEAR_RULE]
    rest = ", ".join(f"{one} at {n}" for one, n in zip(others, sizes[1:], strict=True))
    lost, held = (towns.SIZES[i] for i in (by.cliff - 1, by.cliff))
    return (
        f"On the sample salaries it is a slope at the rule: {first} % at {sizes[0]} people, "
        f"{rest} (ε = {eps:g}). The cliff is "
        f"lower: under {whole(lost)}–{whole(held)} the median can fall anywhere. A stand-in tells "
        "the rule beforehand, if its tail is honest."
    )


def alt(told: Sizes) -> str:
    """The picture in words."""
    crossing = 100 * told.by.reach / towns.ENOUGH
    return (
        f"Error falls with group size; two lines cross {towns.ENOUGH:g} per cent near "
        f"{whole(crossing)} people for a count and {whole(told.smallest)} for median pay."
    )


def marks(told: Sizes, beat: Beat, screen: Screen) -> list[Mark]:
    """Error over the size of a town, with crowds of so many people under the axis."""
    found = beat != "predict"
    drawn, apart = screen.said((SIZES, 1.4), (FEW_SIZES, 2.0))  # factor between two sizes
    if found:
        near = [one for one in drawn if max(one / told.smallest, told.smallest / one) < apart]
        drawn = tuple(one for one in drawn if one not in near)
    shown = [*_frame(told, drawn, screen, found), *_crowds(told, drawn, screen, found)]
    return [*shown, *_curves(told, screen), *_labels(told, screen)] if found else shown


def _frame(told: Sizes, drawn: tuple[int, ...], screen: Screen, found: bool) -> list[Mark]:
    """Both axes, the line of what is accurate enough, and the stretch that is not."""
    base, left = At(BASE), At(0, screen.said(92, 68))
    first = screen.said("{:,} people", "{:,}")
    ticks = [Tick(n, first.format(n) if n == drawn[0] else whole(n)) for n in drawn]
    if found:
        ticks.append(Tick(told.smallest, whole(told.smallest), "bold", name="smallest"))
    heights = [Tick(value, f"{value:,} %") for value in (10, 100, 1_000)]
    limit = Tick(towns.ENOUGH, f"{towns.ENOUGH:g} %", "ink")
    # in order: axes, what lies behind the lines, the lines
    found_marks = [
        frames.axis("people", "x", PEOPLE, left, At(1), at=base, log=True, line=True, ticks=ticks),
        frames.axis("off", "y", OFF, base, At(CEILING), at=left, log=True,
                    ticks=[*heights, limit]),
        eyebrow("off by", (At(), At(0.045)), "OFF BY"),
        frames.rule("limit", (On("people", PEOPLE[0]), On("off", towns.ENOUGH)),
                    (On("people", PEOPLE[1]), On("off", towns.ENOUGH)), width=2.5),
    ]  # fmt: skip
    if found:
        band = findings.band("noisy", "people", (PEOPLE[0], told.smallest), At(CEILING), base)
        found_marks.insert(2, after(band, 1200, 400))
    return found_marks


def _crowds(told: Sizes, drawn: tuple[int, ...], screen: Screen, found: bool) -> list[Mark]:
    """So many people as a town has, a grain each."""
    top = screen.said(46, 34)  # px under the axis, below its ticks
    base = At(BASE)
    marks = []
    for n in sorted({*drawn, told.smallest} if found else drawn):
        at = On("people", n), At(base.share, top)
        marks.append(people.crowd(f"town {n}", at, n, n, spacing=SPACING, hangs=True))
    return marks


def _curves(told: Sizes, screen: Screen) -> list[Mark]:
    """The median's error and that of a count, and where the first becomes small enough."""
    sizes, by = told.by.sizes, told.by
    inside = by.count >= OFF[0]
    count = findings.curve("count", AXES, sizes[inside].tolist(), by.count[inside].tolist(),
                           width=3, dotted=True)  # fmt: skip
    median = findings.curve("median", AXES, sizes.tolist(), by.median.clip(*OFF).tolist(),
                            width=5)  # fmt: skip
    spot = On("people", told.smallest), On("off", told.there[1])
    dot = findings.beam("crossing", spot, [spot], head=screen.px(11), colour="private")
    return [after(count, 0, 1200), after(median, 0, 1200), after(dot, 1200)]


def _labels(told: Sizes, screen: Screen) -> list[Mark]:
    """Names at the lines, and what the two sides of the crossing are good for."""
    by = told.by
    at = On("people", float(by.sizes[by.cliff]), 16), On("off", 4 * float(by.median[by.cliff]))
    end = At(CEILING, 22)
    sides = [
        eyebrow("too noisy", (On("people", told.smallest, -16), end), "TOO NOISY", anchor="end"),
        eyebrow("accurate", (On("people", told.smallest, 16), end),
                     screen.said("ACCURATE ENOUGH", "GOOD"), colour="private"),
    ]  # fmt: skip
    found = [
        *sides,
        figure("median words", at, "median pay", size=screen.size(22), colour="private", halo=True),
        frames.label("count words", (On("people", 24), On("off", _below(told))),
                     screen.said("a count of people", "a count"), weight=600, colour="private",
                     halo=True),
    ]  # fmt: skip
    anywhere = frames.label("anywhere", (On("people", 20), On("off", 1_000, 32)),
                            f"anywhere, 0 to {whole(told.highest)}")  # fmt: skip
    if by.median[4] >= ANYWHERE:
        found += screen.full(anywhere)
    return [after(one, 1500) for one in found]


def _below(told: Sizes) -> float:
    """Where a name is below the count's line and does not lie on the limit."""
    wanted = float(told.by.count[1]) / 8
    return 0.9 if 0.9 < wanted < 1.2 * towns.ENOUGH else wanted


SCENE = Scene(
    story="show",
    name="group_size",
    title="From which group size on",
    seconds=60,
    goal="One rule for publishing.",
    question="Strong setting (0.1). From which size on is a town's median pay within 2 %?",
    ask=ask,
    options=options(
        ("20", "M10"), ("100", "M10"), ("2,000", None), ("Never, small or large", "M12")
    ),
    about="At ε = 0.1",
    finding=finding,
    control=Control("eps", "Setting", towns.EPSILONS, 0.1, epsilon),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="One rule for publishing: it stands in public, before the data are seen, so it "
    "can be "
    "written down, and defended.",
    remark=slope,
    full=("what_if", {"view": "sweep", "data": towns.SALARIES}),
    teacher="Do not hide small towns one by one after looking: that choice leaks; merge them by a "
    "public rule. Two numbers per town from one budget: about double the sizes.",
    alt=alt,
    exercise="List your five smallest units; which merge?",
    answer="Those below the size of the rule, along a line that was public before.",
)
