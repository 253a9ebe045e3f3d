"""Statements of what a message says in sentences: those that can be understood alone, others with what they lean on.
Pure; English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.english.irregular_forms import ANY_PAST
from core.english.lasting_facts import is_binding, is_lasting
from core.english.lead_ins import strip_question
from core.english.omitted_subjects import with_subject
from core.english.persons import NAME_INSIDE
from core.english.reported_speech import Speakers, retell
from core.english.salience import salience
from core.english.sentences import capitalize
from core.english.standing_instructions import begins_with_order
from core.english.time_expressions import TIME_WORD, put_time_last
from memory.episodes.answered_questions import ANSWER_WITHIN, MIN_SALIENCE, find_answered_question
from memory.episodes.companions import as_own, find_company, speaks_of_several
from memory.episodes.drawn_statement import ENDS, DrawnStatement, finish_statement
from memory.episodes.named_headings import announces
from memory.episodes.question_pairs import AskedQuestion, begins_with_name, is_fragment, yes_or_no
from memory.episodes.reference_resolution import StatementSource, resolve_references, with_scene
from memory.episodes.remarks import is_remark
from memory.episodes.sentence_analysis import (
    TO_OTHERS,
    has_first_person,
    is_bare_answer,
    is_generic,
    is_polite,
    is_talk,
    points_back,
    speaks_of_anyone,
    strip_leads,
)
from memory.episodes.sentence_subjects import (
    defines,
    leading_clauses,
    own_clause,
    tells_new_date,
    tells_of_occasion,
    with_article,
    with_shown,
    with_told_kind,
)
from memory.episodes.statement_kinds import StatementKind, classify, tells_mood
from memory.episodes.statement_leads import (
    is_reply,
    leans_on_talk,
    shares_subject,
    tells_of_user,
    with_lead,
    without_names,
)
from memory.episodes.statement_suggestions import telling_sentences
from memory.episodes.statement_turns import ASKS, REQUEST, SpokenMessage, absolute
from memory.episodes.statement_wishes import tell_request, tell_wish
from memory.episodes.unresolved_references import (
    find_unresolved,
    has_empty_subject,
    leans_back,
)
from memory.episodes.untold_scenes import lacks_scene
from memory.episodes.untold_things import cut_untold, find_untold, is_idle

SENTENCES_OF_COMPANY = 6  # before a "we" that may tell who they are
MAX_WORDS_TOGETHER = 45
MAX_WORDS_BOUND = 32  # where the second begins with a subject of its own
# What a statement is worth in addition to the salience of its best sentence, chosen with the conversations of the fit
# part in view (docs/why/statements.md): who says it to whom, and what about.
TO_AN_ASSISTANT, OF_AN_ASSISTANT, OF_BINDING = 0.8, -0.5, 1.0
OF_OTHERS, OF_NOTHING_NAMED, TO_THE_OTHER, OF_A_MOOD = -0.35, -0.3, -0.3, -0.8
OF_A_REMARK, OF_A_GENERAL_QUESTION = -0.7, -0.5
OF_MORE_SENTENCES = 0.1  # each
AN_ANSWER, AN_ANSWER_POINTING_BACK = 0.7, 0.6
ASKED, OF_NO_DATE, OF_A_TOPIC = 'sked "', -0.5, -0.9  # behind what another statement says
# Few words are mostly talk, but not where they tell what a person did or likes: "Mara moved to Oslo."
SHORT, WORTH_OF_SHORT = 5, 0.6
# A name is what such a question asks for, however short the answer is; of an assistant's, a number as well.
WORTH_OF_NAME = 1.5
_ASKS_FOR_NAME = re.compile(r"(?i)^(?:(?:and|so|but|or) )?(?:which|what|who|whose|where)\b")
_NAME = re.compile(r"(?<=[\w,;'’] )(?!I\b)[A-Z][\w'’-]+|^[A-Z]\w+[.!]*$|\"[A-Z]")
MAX_PROSE = 1
WORDS_OF_ITS_OWN = 7  # at least, of an answer that is read without its question
SHORT_ANSWER = 5  # sentences of an assistant that are read like those of anyone
_OPEN_QUESTION = re.compile(
    r"(?i)^(?:how|what|why|which|where) (?:\w+ ){0,4}?(?:do|does|did|can|could|should|would|is|are|was|were|will)\b"
)
_SENTENCE_BEGIN = re.compile(
    r"(?:(?<=\. )|(?<=! )|(?<=\? ))(?:on|in)(?= \d| the )"
)  # of a date in place of "yesterday"
_COUNT = re.compile(r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten)\b")
_THERE_IS = re.compile(r"(?i)there(?:['’]s| is| are) ")
_GOT_IT = re.compile(r"(?i)\b(?:I|we)(?:'ve| have)? (?:just |finally )?(?:got|did|won|made|found|bought) it[.!]+$")
_WE_DID = re.compile(rf"(?i)\bwe (?:(?:\w+ly|all|both|just|also|even) )?{ANY_PAST}\b")
_WE = re.compile(r"(?i)\b(?:we|us)\b")
_DATED = re.compile(rf"\d|{NAME_INSIDE}|{TIME_WORD.pattern}")

# "We even won a trophy", "I've done yoga too": in addition to what?
_MORE = re.compile(r"(?i)^(?:\w+ ){1,3}(?:even|also)\b|\b(?:too|as well|so far)[.!]*$")


@dataclass(slots=True)
class _Unit:
    """Sentences of one message that make one statement, with the question that they answer and what was said before."""

    sentences: list[str]
    others: Sequence[str] = ()  # of the message, the nearest first
    before: Sequence[str] = ()
    asked: AskedQuestion | None = None
    known: str = ""  # what is read before the sentences
    is_of_people: bool = False
    is_for_assistant: bool = False
    needs_lead: bool = False

    @property
    def text(self) -> str:
        return " ".join(self.sentences)

    def carries(self, sentence: str) -> bool:
        """Return whether a sentence that leans on something is understood behind these, and has room there."""
        most = MAX_WORDS_TOGETHER if points_back(sentence) else MAX_WORDS_BOUND
        is_short = len(self.text.split()) + len(sentence.split()) <= most
        if self.is_for_assistant or (self.asked and points_back(sentence)):
            return is_short
        is_telling = is_short and (salience(sentence) > MIN_SALIENCE or _COUNT.search(sentence) is not None)
        if self.is_of_people and find_untold(f"{self.text} {sentence}", known=self.known):
            return False
        return is_telling and not find_unresolved(f"{self.text} {sentence}", known=self.known)

    def is_begun(self) -> bool:
        """Return whether what it tells only comes with the next sentence: "I had a great success!"."""
        return self.is_of_people and is_idle(self.text) and _DATED.search(self.text) is not None


def draw_prose(turn: SpokenMessage) -> Iterator[DrawnStatement]:
    """Yield the statements of a message's prose: a sentence, with those that cannot stand without it."""
    unit: _Unit | None = None
    sentences = _sentences(turn)
    said_all = [_complete(turn, each, before) for before, each in zip(["", *sentences], sentences, strict=False)]
    is_answer = bool(turn.questions)
    for place, said in enumerate(said_all):
        is_answer = is_answer and place < ANSWER_WITHIN
        if _tells_nothing(turn, said, is_answer=is_answer):
            continue
        leans = _leans(turn, said) or (unit is not None and shares_subject(turn, said, unit.text))
        is_part = (
            leans
            or has_empty_subject(said)
            or _needs_more(turn, said)
            or tells_new_date(said)
            or tells_of_occasion(said)
        )
        if unit and (is_part or unit.is_begun()) and unit.carries(said):
            if not (turn.is_of_people and is_remark(said, names=turn.names)):
                unit.sentences.append(said)
            continue
        if unit:
            yield from _draw_unit(turn, unit)
            unit = None
        asked = find_answered_question(turn, said) if is_answer and not turn.is_for_assistant else None
        is_short = is_part or len(said.split()) < WORDS_OF_ITS_OWN or not has_first_person(said) or lacks_scene(said)
        before, others = said_all[:place], [*reversed(said_all[:place]), *said_all[place + 1 :]]
        if asked and is_short:
            told = without_names(turn, f"{asked.lead} {asked.text}").strip()
            unit = _Unit([said], others, before, asked, told, is_of_people=turn.is_of_people)
        elif turn.is_for_assistant:
            unit = _Unit([said], others, before, is_for_assistant=True)
        elif leans and (clause := own_clause(said)) and not _leans(turn, clause):
            unit = _Unit([clause], others, before, is_of_people=turn.is_of_people)
        else:
            is_whole = not points_back(said) or defines(said) or (_THERE_IS.match(said) and _DATED.search(said))
            needs_lead = (leans and not is_whole) or ((is_answer or turn.is_of_people) and with_subject(said) != said)
            unit = _Unit([said], others, before, is_of_people=turn.is_of_people, needs_lead=needs_lead)
        is_answer = False
    if unit:
        yield from _draw_unit(turn, unit)


def _leans(turn: SpokenMessage, said: str) -> bool:
    if turn.is_for_assistant:
        return leans_on_talk(said)
    return leans_back(said) or (turn.is_of_people and find_untold(said) is not None)


def _complete(turn: SpokenMessage, sentence: str, before: str) -> str:
    """Return a sentence with its subject, without greetings, names of the listener and what points at nothing."""
    said = with_shown(strip_leads(sentence, names=turn.names))
    if not turn.is_of_people:
        return said if is_talk(said) else _whole_clauses(turn, said)
    if is_talk(said):
        clause = own_clause(said)
        return clause if clause and not is_talk(clause) else said
    told = cut_untold(said)
    is_of_other = _tells_of_asked(turn, sentence) or shares_subject(turn, told, strip_leads(before, names=turn.names))
    return _whole_clauses(turn, with_article(told if is_of_other else with_subject(told)))


def _tells_of_asked(turn: SpokenMessage, sentence: str) -> bool:
    """Return whether a sentence answers a question about something else than its speaker: "Moved to May"."""
    if not turn.questions or sentence not in turn.blocks.sentences[:ANSWER_WITHIN]:
        return False
    return re.search(rf"\b{re.escape(turn.speakers.speaker)}(?!\w|['’]s)", turn.questions[-1].text) is None


def _whole_clauses(turn: SpokenMessage, said: str) -> str:
    """Return what a long sentence tells up to where it points at something; all of it where that is not enough."""
    if turn.role == "assistant":
        return said
    untold = find_untold(said) if turn.is_of_people else None
    pointing = find_unresolved(said) or (untold.words if untold else "")
    if turn.is_for_assistant and (kind := with_told_kind(said, pointing)) != said:
        said, pointing = kind, find_unresolved(kind)
    told = leading_clauses(said, pointing) if pointing else ""
    if turn.is_for_assistant:
        told = with_told_kind(told, find_unresolved(told))
    return told if told and has_first_person(told) and not _leans(turn, told) else said


def _needs_more(turn: SpokenMessage, said: str) -> bool:
    """Return whether a sentence tells an event without when, where or who, one thing more, or only asks for help."""
    if _DATED.search(said) or turn.role == "assistant":
        return False
    if turn.is_for_assistant:
        return REQUEST.match(said) is not None
    is_more = _MORE.search(said) and not is_remark(said, names=turn.names)
    return bool(is_more) or classify(said) == StatementKind.EVENT


def _draw_unit(turn: SpokenMessage, unit: _Unit) -> Iterator[DrawnStatement]:
    made = list(_draw_answer(turn, unit, unit.asked)) if unit.asked else []
    unit.needs_lead = unit.needs_lead or unit.asked is not None
    yield from made or _draw_statement(turn, unit)


def _tells_nothing(turn: SpokenMessage, said: str, *, is_answer: bool) -> bool:
    """Return whether a sentence says nothing of its speaker that is worth keeping."""
    if is_talk(said) and not (is_answer and is_bare_answer(said) and not said.endswith("?")):
        return not (turn.is_for_assistant and _binds(said))
    if turn.is_for_assistant:
        return False
    if said.endswith("?") or (not is_answer and is_generic(said)):
        return True
    if turn.role == "assistant":
        return announces(said)
    return speaks_of_anyone(said) or (is_fragment(said) and not (is_answer or is_lasting(said)))


def _binds(said: str) -> bool:
    """Return whether what reads like talk tells an assistant something: "Keep it short", "You can call me Al"."""
    return bool(_DATED.search(said)) or is_lasting(said) or begins_with_order(said)


def _sentences(turn: SpokenMessage) -> Sequence[str]:
    """Return the sentences to be read: of a long answer of an assistant the few that say something of their own."""
    sentences = turn.blocks.sentences
    if turn.role != "assistant" or (len(sentences) <= SHORT_ANSWER and not turn.blocks.lists):
        return _with_named([each for each in sentences if not each.count("\\")])
    best = sorted(telling_sentences(sentences), key=salience, reverse=True)[:MAX_PROSE]
    return [each for each in sentences if each in best]


def _with_named(sentences: Sequence[str]) -> list[str]:
    """Return sentences with "I got it! Head gardener!" as one: "I got it: Head gardener!"."""
    told: list[str] = []
    for each in sentences:
        is_name = len(each.split()) < SHORT and is_fragment(each) and not is_polite(each) and not each.endswith("?")
        if told and is_name and _GOT_IT.search(told[-1]):
            told[-1] = f"{told[-1].rstrip('.!')}: {each}"
        else:
            told.append(each)
    return told


def _draw_answer(turn: SpokenMessage, unit: _Unit, asked: AskedQuestion) -> Iterator[DrawnStatement]:
    """Yield a question of the other speaker together with an answer that says little alone."""
    is_untold = unit.is_of_people and (is_idle(unit.text) or find_untold(unit.text, known=unit.known))
    if is_untold or find_unresolved(unit.text, known=unit.known):
        return
    said = (retell(each, speakers=_speakers(turn, each, unit.others)) for each in unit.sentences)
    answer = absolute(_join(said), turn.said_at)
    answer = answer.replace('"', "") if answer.count('"') % 2 else answer
    begin = f'About "{asked.lead.rstrip(" ?.!")}", asked' if asked.lead else "Asked"
    shortly = yes_or_no(asked.text, turn.blocks.sentences[: len(unit.before) + 1])
    text = f'{begin} "{asked.text}", {turn.speakers.speaker} said: {shortly}{answer}'
    worth = max(map(salience, unit.sentences)) + (AN_ANSWER_POINTING_BACK if points_back(unit.text) else AN_ANSWER)
    if _ASKS_FOR_NAME.match(asked.text) and _NAME.search(unit.text):
        worth = max(worth, WORTH_OF_NAME)
    kind = classify(unit.text, is_instruction_possible=False)
    yield replace(finish_statement(turn, text, kind=kind, worth=worth, confidence=0.6), is_telling=turn.is_of_people)


def _join(sentences: Iterable[str]) -> str:
    return " ".join(each if each[-1:] in ENDS else f"{each}." for each in map(capitalize, sentences))


def _speakers(turn: SpokenMessage, said: str, around: Sequence[str]) -> Speakers:
    """Return the speakers with those whom "we" stands for in a sentence."""
    if not turn.is_of_people or not speaks_of_several(said):
        return turn.speakers
    heard = reversed(turn.heard[-SENTENCES_OF_COMPANY:])
    earlier = [each.text if each.speakers == turn.speakers else as_own(each.text) for each in heard]
    company = find_company(said, around, listener=turn.speakers.listener, earlier=earlier)
    return replace(turn.speakers, company=company)


def _draw_statement(turn: SpokenMessage, unit: _Unit) -> Iterator[DrawnStatement]:
    first, *others = unit.sentences
    if (unit.is_of_people and is_idle(unit.text)) or _is_of_unknown_company(turn, unit):
        return
    needs_lead = unit.needs_lead or (turn.is_of_people and is_fragment(first) and not is_lasting(first))
    around = [*unit.sentences, *unit.others]
    further = [_further(turn, each, around) for each in others]
    source = StatementSource(unit.sentences, unit.before)
    joined = _join([_first_sentence(turn, unit), *further])
    whole = "" if needs_lead or turn.is_for_assistant else resolve_references(joined, turn=turn, source=source)
    is_led = not whole and turn.role == "user"
    whole = with_lead(joined, turn=turn, source=source) if is_led else whole
    if turn.is_of_people and whole and not is_led and lacks_scene(unit.text) and not whole.startswith("About "):
        whole = with_scene(whole, turn=turn, source=source)
    if not whole:
        return
    may_instruct = turn.is_for_assistant and not is_reply(turn, first, unit.before)
    kind = classify(unit.text, is_instruction_possible=may_instruct)
    confidence = 0.7 if has_first_person(first) else 0.5
    text = _SENTENCE_BEGIN.sub(lambda found: found[0].capitalize(), absolute(whole, turn.said_at))
    stated = [strip_question(each) for each in unit.sentences]  # "I'm allergic to nuts, what can I bake?"
    lasts = any(is_lasting(put_time_last(with_subject(each))) for each in stated)
    tells = turn.role == "user" and any(map(tells_of_user, stated))
    worth = _worth(turn, unit, kind)
    if is_led and turn.is_of_people:
        worth += AN_ANSWER * (ASKED in whole) + OF_NO_DATE * (_DATED.search(unit.text) is None)
        worth += OF_A_TOPIC * whole.startswith("About ")
    elif is_led and ASKED in whole and (_COUNT.search(unit.text.lower()) or _NAME.search(unit.text)):
        worth = max(worth, WORTH_OF_NAME)
    made = finish_statement(turn, text, kind=kind, worth=worth, confidence=confidence)
    keeps = turn.role == "user" and (lasts or (tells and turn.is_for_assistant))
    yield replace(made, is_lasting=keeps, is_telling=tells)


def _worth(turn: SpokenMessage, unit: _Unit, kind: StatementKind) -> float:
    """Return what a statement without a question is worth next to others."""
    first, is_dated = unit.sentences[0], _DATED.search(unit.text) is not None
    worth = max(map(salience, unit.sentences)) + OF_MORE_SENTENCES * (len(unit.sentences) - 1)
    if turn.is_for_assistant:
        is_general = strip_question(first).endswith("?") and not is_dated and not REQUEST.search(first)
        binds = any(map(is_binding, unit.sentences))
        return worth + TO_AN_ASSISTANT + OF_A_GENERAL_QUESTION * is_general + OF_BINDING * binds
    if TO_OTHERS.search(unit.text):
        worth += TO_THE_OTHER
    if turn.role == "assistant":
        return worth + OF_AN_ASSISTANT
    if turn.is_of_people and is_remark(unit.text, names=turn.names):
        worth += OF_A_REMARK
    elif turn.is_of_people and tells_mood(first) and not is_dated:
        worth += OF_A_MOOD
    is_named = begins_with_name(first)
    if not is_named and not any(map(has_first_person, unit.sentences)):
        is_general = turn.is_of_people and kind == StatementKind.FACT and not is_dated
        return worth + OF_OTHERS + OF_NOTHING_NAMED * (has_empty_subject(first) or is_general)
    is_telling = is_named or kind in {StatementKind.EVENT, StatementKind.PREFERENCE}
    return worth + WORTH_OF_SHORT * (is_telling and len(first.split()) < SHORT)


def _is_of_unknown_company(turn: SpokenMessage, unit: _Unit) -> bool:
    """Return whether "we" are others that nothing names, and what they do is not an event."""
    if not turn.is_of_people or not _WE.search(unit.text) or _WE_DID.search(unit.text):
        return False
    if classify(unit.text) not in {StatementKind.FACT, StatementKind.PREFERENCE} or _DATED.search(unit.text):
        return False
    own = find_company("We", [unit.text], listener="")
    return not own and not _speakers(turn, unit.text, unit.others).company


def _first_sentence(turn: SpokenMessage, unit: _Unit) -> str:
    sentence = unit.sentences[0]
    speakers = _speakers(turn, sentence, [*unit.sentences[1:], *unit.others])
    is_order = turn.is_for_assistant and not is_reply(turn, sentence, unit.before)
    if is_order and (wish := tell_wish(sentence, speakers)):
        return wish
    said = with_subject(sentence) if turn.is_for_assistant else sentence
    is_asked = turn.is_for_assistant and _OPEN_QUESTION.match(sentence) is not None
    if is_asked or (sentence.endswith("?") and ASKS.match(sentence)):
        return f"{speakers.speaker} asked: {retell(sentence, speakers=speakers, is_introduced=True)}"
    text = retell(said, speakers=speakers)
    if has_first_person(said):
        return text
    return f"{speakers.speaker} said: {capitalize(text)}"


def _further(turn: SpokenMessage, sentence: str, around: Sequence[str]) -> str:
    speakers = _speakers(turn, sentence, around)
    if not turn.is_for_assistant:
        return retell(sentence, speakers=speakers)
    if asked := REQUEST.match(sentence):
        return tell_request(sentence, asked, speakers)
    said = sentence if shares_subject(turn, sentence, around[0]) else with_subject(sentence)
    return retell(said, speakers=speakers)
