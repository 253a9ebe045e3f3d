"""Two propositions side by side: whether their subjects are one, and their values of one kind. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.english.persons import COMPANIONS
from memory.memories.replacement.lexicon import EMPLOYERS, PROFESSIONS, RELATIONS
from memory.memories.replacement.noun_phrases import TIMES, Phrase, root
from memory.memories.replacement.phrase_matcher import lemma, lemmas
from memory.memories.replacement.propositions import Proposition
from memory.memories.replacement.text_pair import TextPair, abbreviates

SPEAKERS = frozenset({"i", "user", "we"})
PRONOUNS = frozenset({"he", "they", "it"})
AMOUNTS = frozenset({"money", "number", "percent"})
MARKS = frozenset({"mark", "version"})
RELATIVES = frozenset(lemma(word) for word in RELATIONS.replace("(?:", "").replace(")", "").split("|"))
_PERSON = re.compile(rf"(?i)(?:{RELATIONS}|{COMPANIONS}|student|tenant|customer|classmate|roommate|flatmate)")
_HOLLOW_LIST = """
    interest subscription membership account job flat apartment house place room position post contract use habit plan
    thing relationship taste love part work studio internship rid
"""
HOLLOW = lemmas(_HOLLOW_LIST)
# Verbs that say the same of what is behind them; of the second list only where both clauses have a phrase in common.
_CLASS_LINES = """
    live resid dwell stay rent base settl move reloc emigr retir lodg
    work employ join hire intern start switch transfer move
    be becom turn
    cycl walk bike drive ride
"""
_LOOSE_CLASS_LINES = """
    use run do write take track manag host build edit store deploy keep cook reli ride drive listen answer note
    cost charg be take pay want
    eat drink have take do
    like love ador prefer enjoy
    cycl walk bike take drive commut go ride
"""
# Where things are, and where they happen.
_PLACE_LINES = """
    be sit lie stand keep put store park move hang go run
    meet happen gather train practis practic sing rehears hold start begin be
"""
CLASSES, LOOSE_CLASSES, PLACE_CLASSES = (
    tuple(frozenset(line.split()) for line in lines.strip().splitlines())
    for lines in (_CLASS_LINES, _LOOSE_CLASS_LINES, _PLACE_LINES)
)


@dataclass(frozen=True)
class PropositionPair:
    """One clause of the older text, `old`, and one of the newer, `new`, of two texts with all their cues."""

    old: Proposition
    new: Proposition
    texts: TextPair
    is_now: bool  # any clause of the newer text says that it is so now, or that the old value is over
    is_one_person: bool
    known: frozenset[str]  # the roots of all that the older text says
    is_of_one: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        mine, theirs = self.old.subject, self.new.subject
        is_of_one = is_same_subject(mine, theirs, is_one_person=self.is_one_person, known=self.known)
        object.__setattr__(self, "is_of_one", is_of_one)

    @property
    def is_of_same_matter(self) -> bool:
        """Return whether it is the same, or what is done is named by a noun: "training", after "we train"."""
        subject, old = self.new.subject, self.old
        is_noun = (
            bool(subject.words)
            and root(subject.head.split("-")[0]) == root(old.verb)
            and old.verb not in {"be", "have"}
        )
        is_alone = len(subject.words) == 1 or subject.roots <= self.known
        return self.is_of_one or (is_noun and is_alone and fits_owner(subject, old))

    @property
    def happens(self) -> bool:
        """Return whether the newer clause tells of an event."""
        places = (*self.texts.new.ends, *self.texts.new.changes)
        return any(self.new.first <= place <= self.new.last for place in places)

    @property
    def is_attribute(self) -> bool:
        """Return whether the older clause says what something is: "my favourite team is Arsenal"."""
        old, value = self.old, self.old.object
        is_relation = old.subject.head in RELATIVES and value is not None and value.is_name and not value.preposition
        return old.verb in {"be", "call"} and bool(old.subject.words) and (is_relation or not is_person(old.subject))

    @property
    def old_values(self) -> list[Phrase]:
        """What the older clause says of its subject: its first phrase, names, and what a hollow first one is of."""
        named = self.old.said
        if not named:
            return []
        is_own = self.old.verb in {"have", "own", "be", "study"}
        behind = [each for each in named[1:2] if named[0].head in HOLLOW and not (is_own and each.preposition == "in")]
        names = [
            each
            for each in named[1:]
            if each.is_name and (not is_own or (self.old.verb == "be" and each.preposition in {"at", "for", "with"}))
        ]
        return [each for each in (named[0], *behind, *names) if each.kind not in AMOUNTS]

    @property
    def named(self) -> list[Phrase]:
        """All phrases of the newer clause."""
        return [each for each in self.new.phrases if each.words]


def is_person(phrase: Phrase) -> bool:
    is_thing = bool(phrase.owners & SPEAKERS)  # "our CRM"
    return (not phrase.words and bool(phrase.owners)) or (phrase.is_name and not is_thing) or phrase.head in RELATIVES


_OCCUPATIONS = frozenset(lemma(word) for word in PROFESSIONS.split("|") if " " not in word) | lemmas("""
    chef vet nurse cook lead head coach captain intern apprentice trainee president chief officer principal deputy
""")
_NOT_OCCUPATIONS = lemmas("mother father parent owner member")
_OF_OCCUPATION = re.compile(r"(?:er|or|ist|ian|ant|ent|eer|man|woman|ic|ee)$")


def is_occupation(phrase: Phrase) -> bool:
    """Return whether a noun is what people do: by a list, or by its ending."""
    if phrase.head in RELATIVES or phrase.head in _NOT_OCCUPATIONS:
        return False
    parts = phrase.last.split("-")
    if phrase.head in _OCCUPATIONS or any(lemma(part) in _OCCUPATIONS for part in parts):
        return True
    is_noun = phrase.determiner in {"a", "an", "the"} or phrase.preposition == "as" or len(phrase.words) > 1
    return is_noun and any(map(_OF_OCCUPATION.search, parts))


def is_same_subject(mine: Phrase, theirs: Phrase, *, is_one_person: bool, known: frozenset[str] = frozenset()) -> bool:
    """Return whether two phrases name one person or thing."""
    if not mine.words and not theirs.words:
        return bool(mine.owners and theirs.owners) and _may_be_one_owner(mine, theirs, is_one_person=is_one_person)
    if not mine.words or not theirs.words or root(mine.head) != root(theirs.head):
        return False
    if mine.is_name and theirs.is_name:
        return True
    return are_nested(mine, theirs, known) and _may_be_one_owner(mine, theirs, is_one_person=is_one_person)


def are_told_apart(mine: Phrase, theirs: Phrase) -> bool:
    """Return whether both are the same noun for other ones: "shipping within Germany", "shipping to Norway"."""
    if not mine.words or not theirs.words or root(mine.head) != root(theirs.head):
        return False
    first, second = ({root(word) for word in each.words[:-1]} for each in (mine, theirs))
    return bool(first and second) and not first & second


def is_of_other_person(mine: Phrase, theirs: Phrase) -> bool:
    """Return whether the newer one is a relative or a neighbour, of whom the older one says nothing: "Mara's sister"
    next to "Mara's rent"."""
    is_person = not theirs.is_name and _PERSON.fullmatch(theirs.head) is not None
    return is_person and theirs.head not in mine.words and bool(mine.words or mine.owners)


Shared = Sequence[tuple[Phrase, Phrase]]


def share_phrases(mine: Sequence[Phrase], theirs: Sequence[Phrase]) -> Shared:
    """Return the phrases of two clauses that say the same, in more or fewer words."""
    return [(a, b) for a in mine for b in theirs if a.roots <= b.roots or b.roots <= a.roots]


def leave_out_shared(
    mine: Sequence[Phrase], theirs: Sequence[Phrase], shared: Shared
) -> tuple[list[Phrase], list[Phrase]]:
    """Return what only the older clause says, and what only the newer one does."""
    gone = [a for a in mine if all(a is not each for each, _ in shared)]
    return gone, [b for b in theirs if all(b is not each for _, each in shared)]


def are_other_matters(mine: Sequence[Phrase], theirs: Sequence[Phrase]) -> bool:
    """Return whether both the thing and its circumstance differ: "our flour from A", "our sugar from B"."""
    sides = leave_out_shared(mine, theirs, share_phrases(mine, theirs))
    gone, fresh = ([each for each in side if each.kind in {"", "name"}] for side in sides)
    are_things = all(any(not each.preposition for each in side) for side in (gone, fresh))
    circumstances = [{each.preposition for each in side if each.preposition} for side in (gone, fresh)]
    return are_things and bool(circumstances[0] & circumstances[1])


def is_narrower(mine: Sequence[Phrase], theirs: Sequence[Phrase]) -> bool:
    """Return whether the newer clause is about the same under a circumstance: "coffee", "coffee with sugar"."""
    known = {each for said in mine for each in said.roots}
    is_same = any(each.roots & known for each in theirs)
    return is_same and any(each.preposition in {"with", "at"} and not each.roots & known for each in theirs)


_USUAL_WORDS = lemmas("default main primary current usual preferred favourite regular official cheaper better bigger")
_USUAL = frozenset(map(root, _USUAL_WORDS))


def are_nested(mine: Phrase, theirs: Phrase, known: frozenset[str] = frozenset()) -> bool:
    """Return whether the newer phrase has no word of its own: "the review", after "the sprint review"."""
    return theirs.roots <= mine.roots | _owner_roots(mine) | known | _USUAL


def _owner_roots(phrase: Phrase) -> frozenset[str]:
    return frozenset(root(owner) for owner in phrase.owners)


def _may_be_one_owner(mine: Phrase, theirs: Phrase, *, is_one_person: bool) -> bool:
    a, b = mine.owners - PRONOUNS, theirs.owners - PRONOUNS
    if a == b or not a or not b:
        return True
    others = {root(each) for each in a ^ b if each not in SPEAKERS}
    if others - mine.roots - theirs.roots:
        return False
    return bool(a & b) or not (a & SPEAKERS and b & SPEAKERS) or is_one_person


def fits_owner(phrase: Phrase, old: Proposition) -> bool:
    """Return whether a phrase of the newer text may be the older subject's own, and not another one's."""
    known = {root(word) for word in old.subject.words} | {root(owner) for owner in old.subject.owners}
    known |= {root(each) for said in old.phrases for each in (*said.owners, *said.words)}
    return all(root(owner) in known for owner in phrase.owners - SPEAKERS - PRONOUNS)


def owners_agree(pair: PropositionPair) -> bool:
    """Return whether nothing in the newer clause belongs to another person."""
    new = pair.new
    known = {root(word) for word in pair.old.subject.words}
    if new.subject.head in RELATIVES and {root(owner) for owner in new.subject.owners} & known:
        return root(new.subject.head) in pair.known  # "Simon's daughter", after "Simon gets up at five"
    is_mine = bool((pair.old.subject.owners) & SPEAKERS) or not is_person(pair.old.subject)
    if is_person(pair.old.subject) and not pair.is_of_one and not (is_mine and is_person(new.subject)):
        everyone = {root(owner) for each in (new.subject, *new.phrases) for owner in (*each.owners, *each.words)}
        if pair.old.subject.words and root(pair.old.subject.head) not in everyone:
            return False
    return all(fits_owner(each, pair.old) for each in (new.subject, *new.phrases))


def is_same_class(old: Proposition, new: Proposition) -> bool:
    """Return whether two verbs say the same kind of thing."""
    if new.verb in {old.verb, f"re{old.verb}"} or _share_class(CLASSES, old, new):
        return True
    if _share_class(PLACE_CLASSES, old, new):
        return not is_person(old.subject)
    shared = any(a.roots & b.roots for a in old.said for b in new.said)
    return shared and _share_class(LOOSE_CLASSES, old, new)


def _share_class(classes: tuple[frozenset[str], ...], old: Proposition, new: Proposition) -> bool:
    return any(old.verb in words and new.verb in words for words in classes)


def mentions(phrases: Sequence[Phrase], head: str) -> Phrase | None:
    """Return the phrase that has a word as its head."""
    return next((each for each in phrases if each.words and root(each.head) == root(head)), None)


def are_of_one_kind(mine: Phrase, theirs: Phrase) -> bool:
    """Return whether two phrases can be values of one attribute, and are not the same."""
    if mine.roots <= theirs.roots or theirs.roots <= mine.roots:
        return False
    names = [" ".join(each.words) for each in (mine, theirs)]
    if abbreviates(*names) or abbreviates(*reversed(names)):
        return False
    if mine.is_name and theirs.is_name and is_employer(mine) != is_employer(theirs) and mine.preposition == "in":
        return False  # "lives in Rome", "moved to Google"
    kinds = [each.kind if each.kind != "name" else "" for each in (mine, theirs)]
    if kinds[0] in TIMES or kinds[1] in TIMES:
        return kinds[0] in TIMES and kinds[1] in TIMES
    return bool(kinds[0]) == bool(kinds[1])


_EMPLOYER = re.compile(rf"(?i)(?:{EMPLOYERS})")


def is_employer(phrase: Phrase) -> bool:
    """Return whether a name is that of a company that everybody knows."""
    return bool(_EMPLOYER.fullmatch(phrase.last))
