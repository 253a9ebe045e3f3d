"""Words for those who speak, for those who are spoken to, and for people who are spoken of. Pure; English."""

from __future__ import annotations

import re

FIRST_PERSON = re.compile(r"(?i)\b(?:I|my|mine|me|we|our|us)\b")
# A name where nothing else has a capital: "I" is too short for it.
NAME_INSIDE = r"(?<=[a-z,] )[A-Z]\w+"

# Alternatives of patterns, in the singular. "Grandma" is a woman, "grandchild" may be anyone.
FEMALE_KIN = r"mom|mum|mother|sister|wife|girlfriend|daughter|aunt|niece|grandm\w+"
MALE_KIN = r"dad|father|brother|husband|boyfriend|son|uncle|nephew|grand(?:pa|dad|father)"
KIN = rf"{FEMALE_KIN}|{MALE_KIN}|fianc\w+|partner|cousin|grand\w+|friend|buddy"
COMPANIONS = rf"{KIN}|neighbou?r|colleague|co-?worker|teammate"
PERSON = (
    rf"{COMPANIONS}|youngest|oldest|girl\w*|boy\w*|woman|man|lady|guy|kid|child|baby|\w+-year-old|person|someone|somebody|"
    r"doctor|teacher|professor|boss|manager|director|coach|mentor|mentee|player|lawyer|attorney|agent|adviser|advisor|"
    r"therapist|author|writer|poet|artist|photographer|actor|actress|singer|character|hero|politician|engineer|developer|"
    r"speaker|owner|resident|volunteer|veteran|"
    # Animals are "he" and "she" as well.
    r"dog|cat|puppy|pup|pet|kitten|turtle|horse"
)
