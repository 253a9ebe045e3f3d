"""Forms of irregular English verbs and nouns, which no stemmer brings together. Pure."""

from __future__ import annotations

from collections.abc import Mapping

# Each line one word. Forms that are another word more often ("saw", "left", "lay", "felt", "ground") stand here all the
# same where they are the usual past: who asks "Who left?" has the word itself.
_FORMS = """
    become became; begin began begun; bite bit bitten; blow blew blown; break broke broken; bring brought;
    build built; burn burnt; buy bought; catch caught; choose chose chosen; come came; deal dealt; dig dug;
    draw drew drawn; dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed;
    feel felt; fight fought; find found; fly flew flown; forget forgot forgotten; forgive forgave forgiven;
    freeze froze frozen; get got gotten; give gave given; go went gone; grow grew grown; hang hung; hear heard;
    hide hid hidden; hold held; keep kept; know knew known; lead led; learn learnt; leave left; lend lent; lose lost;
    make made; mean meant; meet met; overcome overcame; pay paid; ride rode ridden; ring rang rung; rise rose risen;
    run ran; say said; see saw seen; seek sought; sell sold; send sent; shake shook shaken; shoot shot;
    show shown; sing sang sung; sink sank sunk; sit sat; sleep slept; speak spoke spoken; spend spent; stand stood;
    steal stole stolen; stick stuck; strike struck; swim swam swum; take took taken; teach taught; tear tore torn;
    tell told; think thought; throw threw thrown; undergo underwent undergone; understand understood;
    wake woke woken; wear wore worn; win won; write wrote written;
    child children; foot feet; knife knives; leaf leaves; life lives; man men; mouse mice; person people; tooth teeth;
    wife wives; woman women
"""


def _by_form() -> Mapping[str, tuple[str, ...]]:
    lines = [line.split() for line in _FORMS.split(";")]
    return {form: tuple(other for other in line if other != form) for line in lines for form in line}


_OTHERS = _by_form()
_ENDINGS = ("ing", "es", "s")


def other_forms(word: str) -> tuple[str, ...]:
    """Return the other forms of a lower-cased word, as in `found` for "find", "finds" and "finding"; none of most words."""
    if word in _OTHERS:
        return _OTHERS[word]
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        for base in (stem, f"{stem}e", stem[:-1]) if stem != word else ():
            if base in _OTHERS:
                return _OTHERS[base]
    return ()
