"""Updates and traps for `bench.replacement`: pairs of sentences; the second one does or does not replace the first.

The rules were built from all of them by now. Wordings under `BUILT` were written with the rules in view; those under
`SEEN` and `HELD`, the sixty updates of another author and the two sets of `replacement_new_cases` were written without,
and the rules extended after a first look at them. Names and values come from lists of their own, in a fixed order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, cycle

from bench import replacement_new_cases, replacement_unseen_cases

_NAMES = "Marta Jonas Priya Kenji Leila Tomas Aisha Bruno Chloe Dmitri Esra Felix Greta Hugo Ines Karim"
_OTHERS = "Otto Wanda Pavel Rosa Stefan Tilda Umar Vera"
NAMES, OTHERS = _NAMES.split(), _OTHERS.split()
EACH = 2  # cases of one wording


@dataclass(frozen=True, slots=True)
class Pair:
    """Two memories, the older first, and a question about both; `half` names the set that it is of."""

    kind: str
    old: str
    new: str
    question: str
    half: str = ""


VALUES: dict[str, tuple[tuple[str, str], ...]] = {
    "home": (("Lisbon", "Bergen"), ("Ghent", "Porto"), ("Leipzig", "Turin"), ("Dublin", "Malmö")),
    "employer": (("Nordwind", "Helioscope"), ("Brightwater", "Quantica"), ("Tanager Labs", "Ferrovia")),
    "role": (("nurse", "midwife"), ("developer", "product manager"), ("waiter", "chef"), ("analyst", "consultant")),
    "contact": (("0151 2345", "0172 9988"), ("0331 4455", "0340 1212"), ("020 7946", "020 8855")),
    "favourite": (("blue", "green"), ("jazz", "soul"), ("ramen", "pho"), ("chess", "go")),
    "diet": (("vegetarian", "vegan"), ("vegan", "pescatarian"), ("pescatarian", "vegetarian")),
    "partner": (("Emil", "Nora"), ("Sofia", "Jan"), ("Luca", "Mei")),
    "tool": (("Chrome", "Firefox"), ("Slack", "Mattermost"), ("Notion", "Obsidian"), ("Jenkins", "CircleCI")),
    "price": (("40 euros", "45 euros"), ("$12", "$15"), ("900 euros", "980 euros")),
    "time": (("Tuesday", "Thursday"), ("Monday", "Wednesday"), ("12 May", "26 May"), ("3 June", "17 June")),
    "place": (("Harbour Street", "Mill Lane"), ("building C", "building F"), ("room 12", "room 31")),
    "habit": (("smokes", "smoking"), ("eats meat", "eating meat"), ("plays the violin", "playing the violin")),
}
# By kind: what the old one says, and what the new one says.
BUILT: dict[str, tuple[tuple[str, str], ...]] = {
    "home": (
        ("{n} lives in {a}.", "{n} has moved to {b}."),
        ("I live in {a}.", "I no longer live in {a}; I live in {b} now."),
        ("{n} is based in {a}.", "{n} relocated from {a} to {b} last month."),
    ),
    "employer": (
        ("{n} works at {a}.", "{n} now works for {b}."),
        ("The user works for {a}.", "The user quit {a} and joined {b}."),
        ("{n} is employed by {a}.", "{n} started a new job at {b}."),
    ),
    "role": (
        ("{n} works as a {a}.", "{n} works as a {b} now."),
        ("{n} is a {a}.", "{n} became a {b}."),
        ("{n}'s job title is {a}.", "{n}'s job title changed from {a} to {b}."),
    ),
    "contact": (
        ("{n}'s phone number is {a}.", "{n}'s phone number is now {b}."),
        ("My phone number is {a}.", "I changed my phone number to {b}."),
        ("The phone number of {n} is {a}.", "The phone number of {n} has changed to {b}."),
    ),
    "favourite": (
        ("{n}'s favourite thing is {a}.", "{n}'s favourite thing is {b} now."),
        ("My favourite thing is {a}.", "My new favourite thing is {b}."),
        ("{n}'s favorite thing is {a}.", "{n}'s favorite thing changed from {a} to {b}."),
    ),
    "diet": (
        ("{n} is {a}.", "{n} became {b}."),
        ("I am {a}.", "I am {b} now."),
        ("{n} follows a {a} diet.", "{n} switched to a {b} diet."),
    ),
    "partner": (
        ("{n} is dating {a}.", "{n} is no longer dating {a}."),
        ("{n} is married to {a}.", "{n} divorced {a}."),
        ("{n} is engaged to {a}.", "{n} broke up with {a}."),
    ),
    "tool": (
        ("{n} uses {a}.", "{n} switched to {b}."),
        ("We use {a} at work.", "We migrated from {a} to {b}."),
        ("{n} uses {a} every day.", "{n} replaced {a} with {b}."),
    ),
    "price": (
        ("The membership of {n}'s club costs {a}.", "The membership of {n}'s club now costs {b}."),
        ("The price of the Basic plan is {a}.", "The price of the Basic plan went up to {b}."),
        ("{n}'s rent is {a}.", "{n}'s rent was raised from {a} to {b}."),
    ),
    "time": (
        ("The review meeting is on {a}.", "The review meeting was moved to {b}."),
        ("The deadline for {n}'s report is {a}.", "The deadline for {n}'s report was pushed back to {b}."),
        ("{n}'s exam is on {a}.", "{n}'s exam has been postponed to {b}."),
    ),
    "place": (
        ("{n}'s office is in {a}.", "{n}'s office moved to {b}."),
        ("The warehouse is located in {a}.", "The warehouse was relocated to {b}."),
        ("The workshop takes place in {a}.", "The venue of the workshop is {b} now, not {a}."),
    ),
    "habit": (
        ("{n} {a}.", "{n} has stopped {b}."),
        ("{n} {a} a lot.", "{n} gave up {b}."),
        ("{n} {a}.", "{n} no longer {a}."),
    ),
}
SEEN: dict[str, tuple[tuple[str, str], ...]] = {
    "home": (
        ("{n}'s home is in {a}.", "{n} packed up and settled in {b} over the summer."),
        ("{n} resides in {a}.", "Since March, {n} has been living in {b}."),
        ("{n} lives in {a}.", "{n} sold the flat in {a} and is now at home in {b}."),
    ),
    "employer": (
        ("{n} has a job at {a}.", "{n} handed in notice at {a}; the new employer is {b}."),
        ("{n} is working for {a}.", "{n} was hired by {b} last week."),
        ("{n} works at {a}.", "After five years at {a}, {n} has switched to {b}."),
    ),
    "role": (
        ("{n} works as a {a}.", "{n} has retrained as a {b}."),
        ("{n} earns a living as a {a}.", "{n} is not a {a} any more but a {b}."),
        ("{n}'s profession is {a}.", "{n} got promoted to {b}."),
    ),
    "contact": (
        ("You can reach {n} at {a}.", "{n} has a new number: {b}."),
        ("{n}'s mobile number is {a}.", "{n}'s old mobile number is dead, the new one is {b}."),
        ("{n}'s cell number is {a}.", "Please use {b} as {n}'s cell number from now on."),
    ),
    "favourite": (
        ("{n}'s favourite thing is {a}.", "These days {n} prefers {b} to {a}."),
        ("{n} likes {b} less than {a}.", "{n} likes {b} more than {a} these days."),
        ("What {n} loves most is {a}.", "{n} has gone off {a}."),
    ),
    "diet": (
        ("{n} eats a {a} diet.", "{n} has been {b} since January."),
        ("{n} is a {a}.", "{n} has turned {b}."),
        ("{n} is strictly {a}.", "{n} isn't {a} any longer."),
    ),
    "partner": (
        ("{n} is in a relationship with {a}.", "{n} and {a} have split up."),
        ("{n} has a partner called {a}.", "{n}'s partner is {b} now."),
        ("{n} is single.", "{n} got engaged to {b}."),
    ),
    "tool": (
        ("{n}'s team relies on {a}.", "{n}'s team has abandoned {a} in favour of {b}."),
        ("{n} works with {a}.", "{n} has moved over from {a} to {b}."),
        ("{n} uses {a}.", "{n} swapped {a} for {b}."),
    ),
    "price": (
        ("A ticket for {n}'s show is {a}.", "Tickets for {n}'s show are {b} from now on, up from {a}."),
        ("{n} pays {a} in rent.", "{n}'s rent has risen to {b}."),
        ("{n}'s course is priced at {a}.", "{n}'s course costs {b} these days."),
    ),
    "time": (
        ("{n}'s party takes place on {a}.", "{n}'s party will be on {b} instead of {a}."),
        ("{n}'s interview is scheduled for {a}.", "{n}'s interview got rescheduled to {b}."),
        ("{n}'s trip starts on {a}.", "{n}'s trip has been brought forward to {b}."),
    ),
    "place": (
        ("{n}'s studio is at {a}.", "{n}'s studio can now be found at {b}."),
        ("{n}'s class meets in {a}.", "{n}'s class has been moved from {a} to {b}."),
        ("{n} keeps the bicycle in {a}.", "{n} keeps the bicycle in {b} now."),
    ),
    "habit": (
        ("{n} {a} every day.", "{n} has quit {b}."),
        ("{n} {a}.", "{n} used to be someone who {a}, but not any more."),
        ("{n} {a}.", "{n} hasn't been {b} for months."),
    ),
}
HELD: dict[str, tuple[tuple[str, str], ...]] = {
    "home": (
        ("{n} has a flat in {a} and lives there.", "{n} left {a} for {b}."),
        ("{n}'s hometown these days is {a}.", "{n} has made {b} home."),
        ("{n} lives in {a}.", "{n} has resettled in {b}."),
        ("{n} lives in {a}.", "{n} moved out of {a}."),
    ),
    "employer": (
        ("{n} works for {a}.", "{n} got poached by {b}."),
        ("{n}'s employer is {a}.", "{n} parted ways with {a}."),
        ("{n} is with {a}.", "{n} changed employers: from {a} to {b}."),
        ("{n} works at {a}.", "{n}'s new workplace is {b}."),
    ),
    "role": (
        ("{n} is working as a {a}.", "{n} stopped working as a {a}."),
        ("{n}'s position is {a}.", "{n}'s position is now {b}."),
        ("{n} works as a {a}.", "{n} moved from {a} to {b}."),
    ),
    "contact": (
        ("{n} can be called on {a}.", "{n} can now be called on {b}."),
        ("{n}'s number is {a}.", "{n} switched numbers, it is {b} now."),
        ("{n}'s telephone number is {a}.", "Correction: {n}'s telephone number is {b}."),
    ),
    "favourite": (
        ("{n} likes {a} best.", "{n} likes {b} best now."),
        ("{n}'s favourite thing has always been {a}.", "{n}'s favourite thing has become {b}."),
        ("{n} loves {a}.", "{n} can't stand {a} any more."),
        ("{n} enjoys {a}.", "{n} doesn't enjoy {a} anymore."),
    ),
    "diet": (
        ("{n} lives on a {a} diet.", "{n} gave up being {a}."),
        ("{n} is {a}.", "{n} has gone {b}."),
        ("{n} is a {a}.", "{n} is now a {b}."),
    ),
    "partner": (
        ("{n} goes out with {a}.", "{n} and {a} are no longer together."),
        ("{n} is seeing {a}.", "{n} stopped seeing {a}."),
        ("{n} is married to {a}.", "{n} and {a} got divorced last year."),
    ),
    "tool": (
        ("{n}'s tool of choice is {a}.", "{n} has converted to {b}."),
        ("{n} is using {a}.", "{n} no longer uses {a}."),
        ("Our team runs on {a}.", "Our team runs on {b} these days."),
        ("{n} uses {a}.", "{n} ditched {a} for {b}."),
    ),
    "price": (
        ("{n} charges {a} for a lesson.", "{n} charges {b} for a lesson now."),
        ("The entry fee of the museum is {a}.", "The museum raised its entry fee to {b}."),
        ("The Basic plan is {a} a month.", "The Basic plan is {b} a month as of this week."),
    ),
    "time": (
        ("{n}'s lesson is on {a}.", "{n}'s lesson has shifted from {a} to {b}."),
        ("{n}'s report is due on {a}.", "{n}'s report is now due on {b}."),
        ("{n}'s concert is on {a}.", "{n}'s concert has been called off."),
        ("{n} meets the landlord on {a}.", "{n}'s meeting with the landlord moved to {b}."),
    ),
    "place": (
        ("{n}'s shop is in {a}.", "{n}'s shop has relocated to {b}."),
        ("The spare keys are in {a}.", "The spare keys are now in {b}."),
        ("{n}'s desk stands in {a}.", "{n}'s desk was carried over to {b}."),
    ),
    "habit": (
        ("{n} {a}.", "{n} kicked the habit of {b}."),
        ("{n} often {a}.", "{n} never {a} any more."),
        ("{n} {a}.", "{n} is done with {b}."),
    ),
}
# Pairs of which neither replaces the other.
TRAPS: dict[str, tuple[tuple[str, str], ...]] = {
    "another subject": (
        ("{n} lives in Lisbon.", "{o} moved to Bergen."),
        ("{n} works at Nordwind.", "{o} quit Nordwind and joined Quantica."),
        ("{n}'s phone number is 0151 2345.", "{o}'s phone number changed to 0172 9988."),
        ("{n} is vegetarian.", "{n}'s sister became vegan."),
        ("The budget for marketing is 10,000 euros.", "The budget for {n}'s team was raised to 12,000 euros."),
        ("{n} lives in Lisbon.", "{n}'s parents have moved to Bergen."),
        ("My favourite colour is blue.", "{n}'s favourite colour is green now."),
        ("{n}'s meeting is on Tuesday.", "{o}'s meeting was moved to Thursday."),
    ),
    "several values": (
        ("{n} likes tea.", "{n} likes coffee."),
        ("{n} likes jazz.", "{n} now likes soul."),
        ("{n} has a sister.", "{n} has a brother."),
        ("{n} speaks German.", "{n} speaks Polish."),
        ("{n} has visited Rome.", "{n} has visited Paris."),
        ("{n} plays tennis.", "{n} plays chess."),
        ("{n} uses Python.", "{n} uses Rust."),
        ("{n} works at Nordwind.", "{n} also works at Quantica on weekends."),
        ("{n} owns a bicycle.", "{n} bought a car."),
        ("{n} is a member of the chess club.", "{n} joined the rowing club."),
        ("{n} reads crime novels.", "{n} enjoys poetry."),
        ("{n} is allergic to nuts.", "{n} is allergic to pollen."),
        ("{n} has a meeting on Monday.", "{n} has a meeting on Friday."),
    ),
    "plan": (
        ("{n} lives in Lisbon.", "{n} will move to Bergen next spring."),
        ("{n} works at Nordwind.", "{n} plans to join Quantica."),
        ("{n} is single.", "{n} wants to get married one day."),
        ("{n} uses Chrome.", "{n} is going to switch to Firefox."),
        ("{n} smokes.", "{n} intends to quit smoking."),
        ("{n}'s rent is 900 euros.", "{n}'s rent will go up to 980 euros next year."),
        ("{n} drives a Volvo.", "{n} is about to buy a Tesla."),
        ("{n} works as a nurse.", "{n} has applied for a job as a midwife."),
    ),
    "another attribute": (
        ("{n} lives in Lisbon.", "{n} works in Bergen."),
        ("{n} lives in Lisbon.", "{n} was born in Porto."),
        ("{n} works at Nordwind.", "{n} works as a developer."),
        ("{n}'s phone number is 0151 2345.", "{n}'s office number is 0172 9988."),
        ("{n}'s favourite colour is blue.", "{n}'s favourite food is ramen."),
        ("{n} is married to Emil.", "{n} is a friend of Nora."),
        ("The review meeting is on Tuesday.", "The review meeting takes an hour."),
        ("{n} likes hiking.", "{n} dislikes camping."),
        ("{n} studied in Ghent.", "{n} lives in Porto."),
        ("{n} drinks coffee in the morning.", "{n} drinks tea in the evening."),
        ("The shop opens at 9.", "The shop closes at 18."),
        ("{n} is on holiday in Porto this week.", "{n} lives in Lisbon."),
    ),
    "hearsay": (
        ("{n} lives in Lisbon.", "{o} says that {n} lives in Bergen."),
        ("{n} works at Nordwind.", "According to {o}, {n} has moved on to Quantica."),
        ("{n} is vegan.", "{o} thinks that {n} eats meat again."),
        ("I live in Lisbon.", '{o} told me: "I moved to Bergen."'),
        ("{n} is married to Emil.", "There is a rumour that {n} got divorced."),
        ("{n} uses Chrome.", "{o} recommends that {n} switch to Firefox."),
        ("{n} lives in Lisbon.", "In {o}'s novel, {n} lives in Bergen."),
        ("{n} works as a nurse.", "{o} claims {n} became a midwife."),
    ),
    "hypothesis": (
        ("{n} lives in Lisbon.", "If {n} moved to Bergen, the rent would be lower."),
        ("{n} works at Nordwind.", "{n} might leave Nordwind for Quantica."),
        ("{n} drives a Volvo.", "{n} would rather drive a Tesla."),
        ("{n} uses Slack.", "Maybe {n} should switch to Mattermost."),
        ("{n} is single.", "{n} dreamt of being married."),
        ("{n} lives in Lisbon.", "Does {n} live in Bergen?"),
        ("{n} smokes.", "{n} tried to quit smoking."),
        ("{n}'s rent is 900 euros.", "{n} asked whether the rent could be 850 euros."),
        ("The launch is on 12 May.", "The launch could be postponed to 26 May."),
    ),
    "past": (
        ("{n} lives in Lisbon.", "{n} lived in Bergen as a child."),
        ("{n} works at Nordwind.", "{n} used to work at Quantica."),
        ("{n} is married to Emil.", "{n} was once engaged to Nora."),
        ("{n} drives a Volvo.", "{n} drove a Tesla years ago."),
        ("{n} lives in Lisbon.", "{n} spent last summer in Bergen."),
        ("{n} uses Firefox.", "In the past {n} used Chrome."),
    ),
    "the same": (
        ("{n} lives in Lisbon.", "{n} still lives in Lisbon."),
        ("{n} lives in Lisbon.", "{n} lives in the centre of Lisbon."),
        ("{n} works at Nordwind.", "{n} works at Nordwind in Hamburg."),
        ("{n} is vegan.", "{n} has been vegan for years."),
        ("{n} lives in Lisbon.", "{n} lives in Portugal."),
        ("{n}'s meeting is on Tuesday.", "{n}'s meeting is on Tuesday at 10."),
    ),
}
TRAPS_EACH = 5


def updates() -> list[Pair]:
    """Return pairs of which the second replaces the first."""
    sixty = [
        Pair("of all kinds", old, new, _ask(old), "built from sixty") for old, new in replacement_unseen_cases.UPDATES
    ]
    looked_at = [
        Pair(case.kind, case.old, case.new, _ask(case.old), name)
        for name, cases in _looks()
        for case in cases
        if case.is_update
    ]
    made = [
        *_updates(BUILT, "built from", begin=5),
        *_updates(SEEN, "built from seen", begin=4),
        *_updates(HELD, "built from held", begin=4),
    ]
    return [*made, *sixty, *looked_at]


def _looks() -> Iterator[tuple[str, list[replacement_new_cases.NewCase]]]:
    yield "built from first look", replacement_new_cases.first_look()
    yield "built from second look", replacement_new_cases.second_look()
    yield "third look", replacement_new_cases.third_look()
    yield "fourth look", replacement_new_cases.fourth_look()
    yield "fifth look", replacement_new_cases.fifth_look()


def traps() -> list[Pair]:
    """Return pairs of which neither replaces the other."""
    number = count()
    made = [
        Pair(kind, *_filled((old, new), next(number)), question="")
        for kind, wordings in TRAPS.items()
        for old, new in wordings
        for _ in range(TRAPS_EACH)
    ]
    hundred = (Pair("of another author", old, new, "") for old, new in replacement_unseen_cases.TRAPS)
    looked_at = (
        Pair(f"new: {case.kind}", case.old, case.new, "")
        for _, cases in _looks()
        for case in cases
        if not case.is_update
    )
    return [*made, *hundred, *looked_at]


def _updates(wordings: dict[str, tuple[tuple[str, str], ...]], half: str, *, begin: int) -> Iterator[Pair]:
    number = count(begin)
    for kind, pairs in wordings.items():
        values = cycle(VALUES[kind])
        for pair in pairs:
            for _ in range(EACH):
                place = next(number)
                a, b = next(values)
                old, new = _filled(pair, place, a=a, b=b)
                yield Pair(kind, old, new, _ask(old), half)


def _ask(old: str) -> str:
    return f"Is it still true? {old}"


def _filled(pair: tuple[str, str], place: int, **values: str) -> tuple[str, str]:
    name, other = NAMES[place % len(NAMES)], OTHERS[place % len(OTHERS)]
    old, new = (text.format(n=name, o=other, **values) for text in pair)
    return old, new
