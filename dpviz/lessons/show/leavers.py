"""What leaks today: whoever leaves, two exact averages give their pay away."""

from dataclasses import dataclass
from functools import cache

from dpviz.core.arrays import FloatArray
from dpviz.experiments.attacks.differencing import Recovered, difference_of_averages
from dpviz.figures.stage import answers, findings, frames, people, tallies
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.frames import Anchor, Tick
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Column, Panel, Screen
from dpviz.figures.stage.written import eyebrow, figure
from dpviz.intake.samples import load_sample, sample_names
from dpviz.lessons.scene import Beat, Control, Scene, Sentences, options
from dpviz.lessons.staged import after
from dpviz.lessons.words import plain, whole

CENT, GRID = 0.01, 100.0  # averages are published to a cent; pay is known to be in hundreds
PAY = 0.0, 160_000.0  # what the axis shows
NAMES = sample_names("office")


@dataclass(frozen=True, slots=True, eq=False)
class WhoLeft:
    """What two averages say of the person who left, and would say of each other one.

    Shapes: names, pay and found (n,).
    """

    person: int
    names: tuple[str, ...]
    pay: FloatArray
    found: tuple[Recovered, ...]

    @property
    def people(self) -> int:
        """How many work there before somebody leaves."""
        return len(self.names)

    @property
    def name(self) -> str:
        """Who left."""
        return self.names[self.person]

    @property
    def solved(self) -> int:
        """For how many one possible pay is left."""
        return sum(one.possible == 1 for one in self.found)

    def value(self, person: int) -> float:
        """The pay that the averages give away, on the grid."""
        return round(self.found[person].estimate / GRID) * GRID


@cache
def everybody() -> tuple[FloatArray, tuple[Recovered, ...]]:
    """Pay, and what the averages with and without each person say."""
    (pay,) = load_sample("office")
    return pay, tuple(difference_of_averages(pay, one, CENT, GRID) for one in range(pay.size))


def numbers(name: str, _: int = 1) -> WhoLeft:
    """The averages of March and April, if this person left in between."""
    return WhoLeft(NAMES.index(name), NAMES, *everybody())


def ask(told: WhoLeft) -> Sentences:
    """What is published before the guess."""
    march = plain(told.found[told.person].before, 2)
    return Sentences(
        "Two averages. Whose pay would they give away?",
        f"March: {told.people} staff, average pay {march}. April: {told.people - 1} staff, for "
        f"{told.name} has left. Or had somebody else?",
    )


def say(told: WhoLeft) -> Sentences:
    """For how many the averages can be solved, and two of them."""
    highest = max(range(told.people), key=told.value)
    other = highest if told.person != highest else 0
    pays = "; ".join(
        f"{told.names[one]} :orange[{whole(told.value(one))}]" for one in (told.person, other)
    )
    return Sentences(
        f"Two averages would give away :orange[{_of(told)} salaries].",
        f"Whoever had left, two averages would give the pay away: {pays}.",
    )


def _of(told: WhoLeft) -> str:
    """How many of all, in words where it is all."""
    every = told.solved == told.people
    return f"any of the {told.solved}" if every else f"{told.solved} of {told.people}"


def finding(told: WhoLeft) -> str:
    """For how many the averages can be solved."""
    return f"{told.solved} of {told.people} pays are given away, whoever had left"


def alt(told: WhoLeft) -> str:
    """The picture in words."""
    found = told.found[told.person]
    return (
        f"Two published averages, {plain(found.before, 2)} and {plain(found.after, 2)}, and "
        f"{told.people} names; any chosen name reveals its salary in vermilion: {told.name}, "
        f"{whole(told.value(told.person))}."
    )


def marks(told: WhoLeft, beat: Beat, screen: Screen) -> list[Mark]:
    """Forty names with what the averages give away, and the two averages of the one who left."""
    seen = beat == "reveal"
    names, public = screen.columns(Column((0, 0.61), (0.24, 1)), Column((0.64, 1), (0.05, 0.32)))
    text = "HAD THIS PERSON LEFT, A READER WOULD KNOW" if seen else "WHO MIGHT HAVE LEFT"
    colour: Colour = "danger_text" if seen else "ink"
    found = [
        answers.barrier("no noise", At(0, 10), At(), At(1), direction="horizontal", none=True),
        eyebrow("published head", (public.left, public.line(0)), "PUBLISHED"),
        eyebrow("wall head", (public.right, public.line(0)), "NO NOISE", colour="danger_text",
                anchor="end"),
        *names.full(eyebrow("names head", (names.left, names.line(0)), text, colour=colour)),
        *_averages(told, public),
        _tiles(told, seen, names),
        *public.full(*_everybody(told, public)),
    ]  # fmt: skip
    return [*found, *_leak(told, public)] if seen else found


def _averages(told: WhoLeft, panel: Panel) -> list[Mark]:
    """The two published numbers, one below the other."""
    found = told.found[told.person]
    rows = {
        "March": (panel.line(1.3), found.before, f"{told.people} staff", "second"),
        "April": (panel.line(2.6), found.after, f"without {told.name}", "bold"),
    }
    marks = []
    for month, (y, value, who, style) in rows.items():
        words = [(f"{month}, ", "second"), (who, style)]
        marks += [
            frames.label(f"{month} word", (panel.left, y), words),
            figure(f"{month} number", (panel.right, y), plain(value, 2), size=panel.size(22),
                   anchor="end"),
        ]  # fmt: skip
    return marks


def _tiles(told: WhoLeft, seen: bool, panel: Panel) -> Mark:
    """One tile a name, with the pay that leaks when this person leaves."""
    states: list[tallies.Tile] = ["open"] * told.people
    words = ["?"] * told.people
    if seen:
        states = ["bad" if one == told.person else "good" for one in range(told.people)]
        words = [whole(told.value(one)) for one in range(told.people)]
    place = panel.left, panel.y(0, 56)
    tiles = panel.said(
        tallies.tiles("tiles", place, told.names, states, words, size=(80, 71), gap=6),
        tallies.tiles("tiles", place, told.names, states, words, columns=6, size=(57.1, 38),
                      gap=3, text=14.5),
    )  # fmt: skip
    return after(tiles, 1300, 1200)


def _everybody(told: WhoLeft, panel: Panel) -> list[Mark]:
    """One dot a salary, without names."""
    pay = frames.axis(
        "pay", "x", PAY, panel.left, panel.x(1, -14), at=At(1, -52), line=True,
        ticks=[Tick(0, "0 a year", anchor="start"),
               *(Tick(one, f"{one / 1000:g}k") for one in (50_000, 100_000, 150_000))],
    )  # fmt: skip
    up = frames.axis("up", "y", (0, 1), At(1, -52), At(0.62))
    heights = [_height(one) for one in range(told.people)]
    inside = told.pay.clip(*PAY).tolist()
    return [
        pay,
        up,
        people.points("staff", ("pay", "up"), inside, heights, radius=5.0, colour="ink"),
    ]


def _height(person: int) -> float:
    """Where a dot lies above the axis, so that few cover each other."""
    return 0.08 + 0.6 * ((7 * person) % 10) / 10


def _leak(told: WhoLeft, panel: Panel) -> list[Mark]:
    """The pay in large type, whose it is, and where there is room what falls onto the dot."""
    value = told.value(told.person)
    right = value > (PAY[0] + PAY[1]) / 2
    beside = On("pay", value, -18 if right else 18)
    side: Anchor = "end" if right else "start"
    number, leak = panel.said(
        ((beside, At(0, 224)), (beside, At(0, 254))),
        ((panel.right, panel.line(4)), (panel.left, panel.line(4))),
    )
    anchor: Anchor = panel.said(side, "end")
    start: Anchor = panel.said(side, "start")
    dot = On("pay", value), On("up", _height(told.person))
    beam = findings.beam("beam", (dot[0], At(0, 150)), [dot], head=9)
    return [
        *panel.full(after(beam, 0, 900)),
        after(figure("pay number", number, whole(value), size=panel.size(30), anchor=anchor,
                     colour="danger_text", halo=True), 900),
        after(frames.label("leak", leak, f"LEAK: {told.name}’s pay", anchor=start,
                           colour="danger_text", halo=True), 1100),
    ]  # fmt: skip


SCENE = Scene(
    story="show",
    name="leavers",
    title="What leaks today",
    seconds=60,
    goal="Exact statistics can give single people away, whoever they are.",
    question="Ana left in April. For how many of the 40 would the same two averages have given "
    "the pay "
    "away, had they left instead?",
    ask=ask,
    options=options(
        ("One", "M1"), ("About half", "M1"), ("Only the extremes", "M2"), ("All 40", None)
    ),
    about="Averages exact to a cent",
    finding=finding,
    control=Control("at", "Who left in April?", NAMES, NAMES[0], str),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="We publish averages, tables and dashboards every month. Each is harmless. "
    "Together they can be solved like a puzzle, by anybody, with no break-in. This is about what "
    "we publish, not about how we store it.",
    full=("learn", {"story": "teach", "scene": "2"}),
    teacher="Ask “which two of our reports differ by one person?” and wait. Objection "
    "“We hide groups under 5”: 22 counts over groups of 14 to 28 proved all 40 marks.",
    alt=alt,
    exercise="Find two numbers in your last report whose difference is one unit or one person.",
    answer="A total and the same total without one team, or one month and the next, will do.",
)
