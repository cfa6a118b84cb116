"""The view Many quantiles: from how many on one curve errs less; its numbers are stored."""

from dpviz.answers.studies import many, many_said
from dpviz.answers.studies.many import ManyNumbers
from dpviz.experiments.planning.stand_ins import shape_of
from dpviz.experiments.statements.many import EPSILONS, PEOPLE, SHAPES
from dpviz.figures.studies.many import many_picture
from dpviz.ui.model.fields import Field, OneOf, Values
from dpviz.ui.model.render import View
from dpviz.ui.what_if.asked import Task

NAME = "many"


class Many(Task):
    """What the sentence asks; the places are the view's own."""


def _here(values: Values) -> bool:
    return bool(values["view"] == NAME)


FIELDS: tuple[Field, ...] = (
    Field("many_shape", "Made-up column", OneOf({one: shape_of(one).title for one in SHAPES}),
          SHAPES[0], "question", "Errors are in places of the ranking, and hang little on the "
          "shape.", when=_here),
    Field("many_people", "People", OneOf({one: f"{one:,}" for one in PEOPLE}), PEOPLE[1], "question",
          when=_here),
    Field("many_eps", "Privacy budget of the study", OneOf({one: f"ε = {one:g}" for one in EPSILONS}),
          EPSILONS[1], "question", when=_here),
)  # fmt: skip


VIEW: View[Task, ManyNumbers] = View(
    NAME, "Many quantiles",
    lambda _, values: many.answer(values["many_shape"], values["many_people"], values["many_eps"]),
    say=lambda _, found: many_said.say(found),
    draw=lambda _, found, __, look: many_picture(found, many_said.NAMES, look), hero="many",
    file="dpviz-many", kept="run", of_data=False, draws=False, spends=False,
)  # fmt: skip
