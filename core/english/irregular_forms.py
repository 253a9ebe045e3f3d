"""Forms of irregular English verbs and nouns, which no stemmer brings together. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

# The present, the past and, where it is another word, the participle.
_VERBS = """
    become became; begin began begun; bend bent; blow blew blown; break broke broken; bring brought; build built;
    buy bought; catch caught; choose chose chosen; cling clung; come came; creep crept; deal dealt; dig dug;
    do did done; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven; eat ate eaten;
    fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fling flung; fly flew flown;
    foresee foresaw foreseen; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen;
    get got gotten; give gave given; go went gone; grow grew grown; hang hung; have had; hear heard;
    hide hid hidden; hold held; keep kept; know knew known; lay laid; lead led; lean leant; learn learnt;
    leave left; lend lent; light lit; lose lost; make made; mean meant; meet met; mistake mistook mistaken;
    misunderstand misunderstood; overcome overcame; overhear overheard; pay paid; retake retook retaken;
    ride rode ridden; ring rang rung; rise rose risen; run ran; say said; see saw seen; seek sought; sell sold;
    send sent; shake shook shaken; shoot shot; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid;
    speak spoke spoken; spell spelt; spend spent; spin spun; spoil spoilt; spring sprang sprung; stand stood;
    steal stole stolen; stick stuck; sting stung; strike struck; strive strove; swear swore sworn; sweep swept;
    swim swam swum; swing swung; take took taken; teach taught; tear tore torn; tell told; think thought;
    throw threw thrown; undergo underwent undergone; understand understood; undertake undertook undertaken;
    wake woke woken; wear wore worn; weep wept; win won; withdraw withdrew withdrawn; write wrote written
"""
_NOUNS = """
    child children; foot feet; knife knives; leaf leaves; life lives; man men; mouse mice; person people; tooth teeth;
    wife wives; woman women
"""
_UNCHANGED_LIST = "bet bit cost cut hit hurt let put quit read set shut upset"
_ENDINGS = ("ing", "es", "s")


def _words(table: str) -> Iterator[list[str]]:
    return (entry.split() for entry in table.split(";"))


def _by_form() -> Mapping[str, tuple[str, ...]]:
    entries = [*_words(_VERBS), *_words(_NOUNS)]
    return {form: tuple(other for other in forms if other != form) for forms in entries for form in forms}


_OTHERS = _by_form()
PAST = frozenset({"was", "were", *(forms[1] for forms in _words(_VERBS))})
# Where it is the base form ("come"), the past stands for it.
PARTICIPLES = frozenset(forms[-1] for forms in _words(_VERBS))
# The same in the present, or another word as well: "a bit".
UNCHANGED = frozenset(_UNCHANGED_LIST.split())
# In a pattern, regular ones too.
ANY_PAST = rf"(?:{'|'.join(sorted(PAST | UNCHANGED))}|\w{{2,20}}ed)"
# How one speaks of what was said before; alternatives of a pattern.
SAID = "told|said|mentioned"


def other_forms(word: str) -> tuple[str, ...]:
    """Return the other forms of a lower-cased word, as in `found` for "find" and "finding"; none of most words."""
    if word in _OTHERS:
        return _OTHERS[word]
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        for base in (stem, f"{stem}e", stem[:-1]) if stem != word else ():
            if base in _OTHERS:
                return _OTHERS[base]
    return ()
