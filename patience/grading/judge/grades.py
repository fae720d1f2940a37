"""The result of a submission: a student's Grade, its Parts, and the first Difference."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Optional


from patience.grading.courses.other_program import PAIRS

if TYPE_CHECKING:
    from patience.grading.submissions import Submission

SLIP = 0.5  # of a kind of answer


class Difference(NamedTuple):
    """A wrong answer, and the right one."""

    where: str
    wanted: str
    printed: str


class Slip(NamedTuple):
    """A small fault that is charged once."""

    name: str
    difference: Optional[Difference]  # the first answer with this slip
    kinds: Iterable[str] = ()  # of the answers with it


def count(triples: Iterable[tuple[str, float, float]]) -> dict[str, tuple[float, float]]:
    """Return the sums of triples (kind, number of right answers, number of answers): kind -> (right, count)."""
    counts = {}
    for kind, right, of in triples:
        before = counts.get(kind, (0, 0))
        counts[kind] = before[0] + right, before[1] + of
    return counts


@dataclass
class Part:
    """The result of one session, or of one function, whose kinds are its rules."""

    name: str
    kinds: dict  # kind of answer -> (how many are right, how many there are)
    maximum: float  # points for the whole part
    weights: dict = field(default_factory=dict)  # of kinds, if they differ
    slips: list = field(default_factory=list)
    remarks: list = field(default_factory=list)  # sentences
    difference: Difference | None = None  # the first wrong answer
    game: str = ""  # the saved game that leads there, if it is a move
    lines: list = field(default_factory=list)  # how it was judged, what failed
    errors: list = field(default_factory=list)  # lines of a traceback
    is_hidden: bool = False  # from the students
    unjudged: str = ""  # why no machine can judge it, in a sentence

    @property
    def earned(self) -> dict[str, float]:
        """What each kind of answer adds to the share. Kinds have equal shares, and a pair counts as one, with
        the smaller share."""
        shares: dict[str, float] = {}
        for kind, (right, of) in self.kinds.items():
            first = PAIRS.get(kind, kind)
            first = first if first in self.kinds else kind
            shares[first] = min(shares.get(first, 1.0), right / of)
        total = math.fsum(self.weights.get(kind, 1) for kind in shares)
        return {kind: share * self.weights.get(kind, 1) / total for kind, share in shares.items()}

    @property
    def share(self) -> float:
        """What the kinds of answers earn, minus what the slips cost."""
        return max(0.0, round(math.fsum(self.earned.values()) - math.fsum(map(self.lost_by, self.slips)), 6))

    def earned_by(self, kind: str) -> float:
        """Return what a kind adds to the share, together with its pair."""
        earned = self.earned
        return earned.get(PAIRS.get(kind, kind), earned.get(kind, 0))

    def kind_of(self, slip: Slip) -> str:
        """Return the kind of answers that a slip is charged to: of those with it, the one that earns most."""
        kind = max(sorted(slip.kinds), key=self.earned_by, default="")
        return (PAIRS[kind] if PAIRS.get(kind) in self.kinds else kind) or "the answers"

    def lost_by(self, slip: Slip) -> float:
        """Return what a slip takes off the share: half of what its kind earns."""
        return SLIP * max(map(self.earned_by, slip.kinds), default=0)

    def cost_of(self, slip: Slip) -> float:
        """Return the points that a slip costs, rounded."""
        return round(self.maximum * self.lost_by(slip), 2)

    @property
    def points(self) -> float:
        """The part's points, rounded."""
        return round(self.maximum * self.share, 2)


def add_by_hand(graded: float, adjust: float) -> float:
    """Return the points plus those given by hand."""
    return max(0, round(graded + adjust, 2))


@dataclass
class Grade:
    """The result of one student's submission."""

    submission: Submission
    parts: list  # Parts, for functions and for sessions
    failure: str = ""  # why it could not be run
    note: str = ""  # how it was run, if that needs saying
    style: list = field(default_factory=list)  # remarks on its text
    when: float = 0  # it was graded
    adjust: float = 0  # points by hand,
    reason: str = ""  # and why

    @property
    def student(self) -> str:
        """The student's name."""
        return self.submission.student

    @property
    def remarks(self) -> list[str]:
        """Sentences, each listed once, with the sessions they are about."""
        names = {}
        for part in self.parts:
            for remark in part.remarks:
                names.setdefault(remark, []).append(part.name)
        told = [f"{remark} ({', '.join(names[remark])})" for remark in names]
        return [self.failure] * bool(self.failure) + told + self.style

    @property
    def maximum(self) -> float:
        """The most points possible."""
        return round(sum(part.maximum for part in self.parts), 2)

    @property
    def graded(self) -> float:
        """The points without those given by hand."""
        return round(sum(part.points for part in self.parts), 2)

    @property
    def points(self) -> float:
        """The points, including those given by hand."""
        return add_by_hand(self.graded, self.adjust)

    @property
    def is_full(self) -> bool:
        """True if nothing is wrong."""
        return not self.failure and all(part.share == 1 for part in self.parts) and self.points >= self.maximum

    @property
    def kinds(self) -> dict[str, tuple[float, float]]:
        """The results for each kind of answer in all sessions: kind -> (right, count)."""
        sessions = [part for part in self.parts if not part.weights]
        return count((kind, *pair) for part in sessions for kind, pair in part.kinds.items())

    @property
    def percent(self) -> float:
        """The points as a percentage."""
        return round(100 * self.points / self.maximum, 1) if self.maximum else 0.0
