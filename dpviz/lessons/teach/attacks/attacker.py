"""Be the attacker: a rule about the size of groups costs one more count; noise ends it."""

from dataclasses import dataclass
from functools import cache

from dpviz.experiments.attacks.one_mark import most_right, right_by_repetition, right_by_subtraction
from dpviz.figures.stage import answers, frames, pieces, tallies
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.places import At, Mark
from dpviz.figures.stage.screen import Column, Panel, Screen
from dpviz.figures.stage.written import eyebrow, figure
from dpviz.intake.samples import sample_names
from dpviz.lessons import machine, survey
from dpviz.lessons.asking import APART, LEAST, SIGNS
from dpviz.lessons.scene import Beat, Control, Scene, Second, Sentences, options
from dpviz.lessons.staged import after
from dpviz.lessons.words import at_most, listed, whole

ANA = 0  # whose mark is looked for
RULES = {
    "none": "none",
    "ten": f"{LEAST} or more",
    "five": f"and differ in {APART}",
    "machine": "by machine",
}
# who is in each count of a plan that works whatever the marks are; the first has Ana
TEN, OTHERS = tuple(range(1, 11)), tuple(range(11, 21))
PLANS: dict[str, tuple[tuple[int, ...], ...]] = {
    "none": ((ANA,),),
    "ten": ((ANA, *TEN), TEN),
    "five": ((ANA, *TEN, *OTHERS), TEN, OTHERS),
    "machine": (),
}
LADDER = "no rule", f"groups of {LEAST} or more", f"and two differ in {APART} or more"
NUMBER = {1: "one count", 2: "two big groups", 3: "three big groups"}
PART = {1: "the whole tank", 2: "half a tank each", 3: "a third each"}
TIMES, BUDGETS = (2, 4, 10), (0.1, 1.0, 2.0, 5.0)
COIN = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Attack:
    """A plan under a rule: its groups, their exact counts, and the mark that is left of them.

    needs has how many counts each rule takes. right is the share of right guesses when one tank is
    spent on 1, 2 or 3 counts, repeated when it goes to one question 2, 4, 10 times, and best the
    most that any plan gets.
    """

    rule: str
    names: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]
    counts: tuple[int, ...]
    mark: int
    needs: tuple[int, ...]
    right: tuple[float, ...]
    repeated: tuple[float, ...]
    best: float
    machine: machine.ManyCounts

    @property
    def name(self) -> str:
        """Whose mark is looked for."""
        return self.names[ANA]

    @property
    def found(self) -> str:
        """The mark in a word."""
        return "bad" if self.mark else "good"

    @property
    def sum(self) -> str:
        """The counts as the difference that is left."""
        return f"{' − '.join(map(str, self.counts))} = {self.mark}"


@cache
def numbers(rule: str, _: int = 1) -> Attack:
    """The exact counts of a plan, and the laws of guessing once there is noise."""
    secrets, groups = survey.secrets(), PLANS[rule]
    counts = tuple(int(secrets[list(group)].sum()) for group in groups)
    needs = tuple(len(PLANS[one]) for one in ("none", "ten", "five"))
    return Attack(
        rule=rule,
        names=sample_names("survey"),
        groups=groups,
        counts=counts,
        mark=counts[0] - sum(counts[1:]) if counts else int(secrets[ANA]),
        needs=needs,
        right=tuple(right_by_subtraction(survey.EPSILON, one) for one in needs),
        repeated=tuple(right_by_repetition(survey.EPSILON, one) for one in TIMES),
        best=most_right(survey.EPSILON),
        machine=machine.numbers(),
    )


def ask(told: Attack) -> Sentences:
    """What is known before the guess."""
    return Sentences(
        f"How many counts do you need for {told.name}’s mark?",
        f"{len(told.names)} staff each gave a mark. The office counts the bad ones in any group of "
        f"{LEAST} or more that you choose.",
    )


def say(told: Attack) -> Sentences:
    """What the plan finds, and how many counts the rule cost."""
    out, needed = f":orange[{told.name}’s mark is out]", len(told.counts)
    if told.rule == "machine":
        return machine.say(told.machine)
    if told.rule == "none":
        return Sentences(
            f"No rule: {NUMBER[needed]} of one person, and {out}.",
            f"Whoever may ask about any group asks about {told.name} alone.",
        )
    if told.rule == "ten":
        return Sentences(
            f"{NUMBER[needed].capitalize()}, one subtraction: {out}.",
            f"The rule “no group under {LEAST}” stopped nobody. It takes {needed} counts; with no "
            f"rule, {told.needs[0]}.",
        )
    return Sentences(
        f"{NUMBER[needed].capitalize()}, {told.sum}: {out}.",
        f"“Groups must differ in {APART} people or more” costs one more count: {needed} in place "
        f"of {told.needs[1]}.",
    )


def say_with_noise(told: Attack) -> Sentences:
    """How often a guess is right when one tank pays for all counts."""
    if told.rule == "machine":
        return machine.say_with_noise(told.machine)
    needed = len(told.counts)
    right = whole(100 * told.right[told.needs.index(needed)])
    best = f"on average at most {at_most(told.best)} of 100 are right; a coin {100 * COIN:g}."
    if needed == 1:
        return Sentences(
            f"With noise you may ask :blue[about {told.name} alone]. Still: {right} in 100.",
            f"All counts share one tank: less of it, more noise. {best.capitalize()}",
        )
    return Sentences(
        f"With noise, {NUMBER[needed]} get :blue[{right} of 100 right].",
        f"Each count has {PART[needed].removesuffix(' each')}. However it is spent, {best}",
    )


def finding(told: Attack) -> str:
    """The counts, and what their difference is."""
    return f"{len(told.counts)} counts, {told.sum}, so {told.name}’s mark is {told.found}"


def alt(told: Attack) -> str:
    """The picture in words."""
    if told.rule == "machine":
        return machine.alt(told.machine)
    counts = listed([str(one) for one in told.counts])
    chosen = "only Ana" if len(told.groups[0]) == 1 else f"{len(told.groups[0])}"
    noun = "count" if len(told.counts) == 1 else "counts"
    return (
        f"Forty names, {chosen} chosen, {len(told.counts)} {noun}: {counts}; {told.name}’s tile is "
        f"hatched: {told.found}."
    )


def alt_with_noise(told: Attack) -> str:
    """The second picture in words."""
    if told.rule == "machine":
        return machine.alt_with_noise(told.machine)
    said = [
        f"{whole(100 * share)} for {NUMBER[needed].replace('one count', f'{told.name} alone')}"
        for needed, share in zip(told.needs, told.right, strict=True)
    ]
    return (
        "Forty names, none of them proved. Rows of a hundred dots, guesses that are right: "
        f"{', '.join(said)}, {100 * COIN:g} for a coin."
    )


def remark() -> str:
    """What else one tank buys, and what larger and smaller ones do."""
    told = numbers("none")
    times, shares = (
        listed([str(one) for one in TIMES]),
        listed([whole(100 * x) for x in told.repeated]),
    )
    most = [f"{at_most(most_right(one))} at ε = {one:g}" for one in BUDGETS]
    return (
        f"The size of the tank is called ε, here {survey.EPSILON:g}. {told.name} alone, {times} "
        f"times from it: {shares} of 100 guesses are right. No plan gets more than {listed(most)}."
    )


def marks(told: Attack, beat: Beat, screen: Screen) -> list[Mark]:
    """Forty named tiles, and beside them the notes of an attacker, or what guesses are worth."""
    tiles, chart = screen.columns(Column((0, 0.56), (0.33, 1)), Column((0.615, 1), (0.04, 0.4)))
    noisy, by_machine = beat == "second", told.rule == "machine" and beat != "predict"
    wall = answers.barrier(
        "noise", At(0, 6), At(), At(1), direction="horizontal", none=not noisy,
        half=answers.half_width(survey.EPSILON), scale=0.2,
    )  # fmt: skip
    if by_machine:
        shown = (machine.guessed if noisy else machine.proved)(told.machine, tiles, chart)
    else:
        shown = [_tiles(told, beat, tiles), *(_shares if noisy else _notes)(told, beat, chart)]
    colour: Colour = "private" if noisy else "ink" if beat == "predict" else "danger_text"
    words = {"predict": "FORTY MARKS", "reveal": "ASKED BY AN ATTACKER"}
    head = words.get(beat, "GUESSED BY AN ATTACKER")
    return [wall, *tiles.full(pieces.heading(tiles, "tiles head", head, colour)), *shown]


def _tiles(told: Attack, beat: Beat, panel: Panel) -> Mark:
    """Who is in which count; the tile of the one whose mark is looked for says what is known."""
    groups = () if beat == "predict" else told.groups
    signs = [
        "".join(SIGNS[place] for place, group in enumerate(groups) if one in group)
        for one in range(len(told.names))
    ]
    states: list[tallies.Tile] = ["asked" if one else "open" for one in signs]
    words = [one or "?" for one in signs]
    known: dict[Beat, tuple[tallies.Tile, str]] = {
        "predict": ("asked", "?"),
        "reveal": ("bad" if told.mark else "good", told.found),
        "second": ("guessed", f"{told.found}?"),
    }
    states[ANA], words[ANA] = known[beat]
    return after(pieces.named_tiles(panel, told.names, states, words), 0, 600)


def _notes(told: Attack, beat: Beat, panel: Panel) -> list[Mark]:
    """The counts in lines, what is left of them, and how few each rule takes."""
    seen, unit = beat == "reveal", panel.said("bad marks", "bad")
    found = [
        pieces.heading(panel, "notes head", "THE NOTES"),
        pieces.heading(panel, "wall head", "NO NOISE", "danger_text", "end"),
        *panel.full(*_ladder(told, seen, panel)),
    ]
    if not seen:
        return [*found, *pieces.note(panel, 0, "?", f"any group of {LEAST} or more", "?", unit)]
    for place, (words, count) in enumerate(zip(_asked(told), told.counts, strict=True)):
        lines = pieces.note(panel, place, SIGNS[place], words, str(count), unit)
        found += [after(one, 300 + 500 * place) for one in lines]
    foot, last = 1.2 * len(told.groups) + 0.2, 500 + 500 * len(told.groups)
    edge, at = panel.line(foot), panel.line(foot + 1.3)
    under = frames.rule("under", (panel.left, edge), (panel.right, edge))
    shown = pieces.number(panel, "left", (panel.left, at), told.sum, 27, "ink")
    out = pieces.number(panel, "out", (panel.right, at), f"{told.name}: {told.found}", 27,
                        "danger_text", "end")  # fmt: skip
    return [*found, after(under, last), after(shown, last), after(out, last + 300)]


def _asked(told: Attack) -> list[str]:
    """Each count of the plan in words."""
    first, last = len(told.groups[0]), len(told.groups[-1])
    if first == 1:
        return [f"{told.name} alone"]
    if len(told.groups) == 2:
        return [f"these {first} people", f"the {last} without {told.name}"]
    return [f"these {first} people", f"{last} of them, not {told.name}", f"the other {last}"]


def _ladder(told: Attack, seen: bool, panel: Panel) -> list[Mark]:
    """How few counts each rule takes; with noise none is enough."""
    found = [eyebrow("ladder head", (panel.left, panel.line(6.8)), "HOW FEW COUNTS DOES IT TAKE?")]
    colour: Colour = "danger_text" if seen else "ink"
    for place, (rule, words) in enumerate(zip(PLANS, LADDER, strict=False)):
        now, y = rule == told.rule, panel.line(7.8 + place)
        count = str(told.needs[place]) if seen or not place else "?"
        found += [
            frames.label(f"rule {place}", (panel.left, y), words, weight=700 if now else 400),
            figure(f"needs {place}", (panel.right, y), count, size=20 if now else 17,
                   colour=colour, anchor="end"),
        ]  # fmt: skip
    y, never = panel.line(10.8), "never sure" if seen else "?"
    noise = frames.label("rule noise", (panel.left, y), "noise on every count", colour="private")
    return [*found, noise, frames.label("needs noise", (panel.right, y), never, colour="private",
                                        weight=700, anchor="end")]  # fmt: skip


def _shares(told: Attack, _: Beat, panel: Panel) -> list[Mark]:
    """Of a hundred guesses, those that are right, for every plan and for a coin."""
    found = panel.full(pieces.heading(panel, "shares head", "OF 100 GUESSES, RIGHT", "private"))
    columns, size, below, aside = panel.said((25, (14.4, 12.6), 12, 54), (50, (6.3, 7), 10, 30))
    for place, (words, share, now) in enumerate(_plans(told)):
        top, right = panel.said(0.105, 0) + 0.23 * place, round(100 * share)
        colour: Colour = "ink" if share == COIN else "private"
        lines = [
            frames.label(f"plan {place}", (panel.left, panel.y(top, 16)), words, size=16,
                         weight=700 if now else 400),
            tallies.people(f"right {place}", (panel.left, panel.y(top, 16 + below)), right, 0,
                           columns=columns, form="dot", size=size, colour=colour),
            pieces.number(panel, f"share {place}", (panel.right, panel.y(top, aside)),
                          whole(right), 40 if now else 30, colour, "end"),
        ]  # fmt: skip
        found += [after(one, 500 + 500 * place) for one in lines]
    return found


def _plans(told: Attack) -> list[tuple[str, float, bool]]:
    """Every plan in words, how often its guess is right, and whether it is the one in view."""
    rows = [
        (f"{told.name} alone" if needed == 1 else NUMBER[needed], PART[needed], share, needed)
        for needed, share in zip(told.needs, told.right, strict=True)
    ]
    said = [(f"{who}, {part}", share, n == len(told.groups)) for who, part, share, n in rows]
    return [*said, ("a coin, nothing asked", COIN, False)]


SCENE = Scene(
    story="teach",
    name="attacker",
    title="Be the attacker",
    seconds=120,
    goal="A rule about the size of groups protects nobody; a budget of noise does.",
    question=f"The office tells how many bad marks any group of {LEAST} or more gave. How many "
    "counts do you need for Ana’s mark?",
    ask=ask,
    options=options(
        ("10", "M2", "Ten people in a group protect nobody: a second group takes them off again."),
        ("About 40", "M3", "One equation for each person finds everybody; Ana alone takes less."),
        ("It cannot be done", "M2", "No group is small, but two of them may differ in one person."),
        ("2", None),
    ),
    about=f"With groups of {LEAST} or more",
    finding=finding,
    control=Control("at", "Rule", tuple(RULES), "ten", RULES.__getitem__),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="Every exact count is an equation; two that differ in one person solve it. Rules "
    "about size only cost the attacker one more count, and a machine that asks for random groups "
    "gets all 40 marks from 22. Noise from one tank needs no rule about groups at all. That one "
    "attack fails is no proof: that follows in “With Ana, without Ana”.",
    full=("learn", {"story": "teach", "scene": "2"}),
    teacher="First by hand: who finds Ana’s mark with the fewest counts? Write the record on the "
    "board, then one tank each: over 100 guesses of the class 73 ± 9 are right. Asked “Round the "
    "counts to 5?”: least squares still gets 28, 33, 37, 40 right from 22, 40, 80, 160 counts. "
    "“Real?”: 34 tables of the 2010 US census let researchers of the Census Bureau reconstruct "
    "every record (five traits each) in 70 % of blocks, 97 million people; how much harm follows "
    "is disputed.",
    alt=alt,
    exercise="Rule: 15 or more, and groups differ in 8. How many counts?",
    answer="3: a group of 31, which is Ana and twice 15 others, and the two groups of 15.",
    second=Second("Add noise", say_with_noise, alt_with_noise, start="none"),
    remark=remark,
    sources=("Dinur and Nissim 2003", "Abowd et al. 2023", "Muralidhar 2022"),
)
