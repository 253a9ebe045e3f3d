"""Whether a newer text closes an older one. Pure; by rules, English. `decision.py` asks, in this order:

1. What do both texts state? `clauses.py` leaves out what is asked, wished, planned or quoted, `frames*.py` read the
   rest as claims (`claims.py`). Claims of one subject and attribute decide first: replaced, or said again. Where no
   frame fits, `contrast.py` compares the texts word by word. Statements of conversations end here.
2. Does the newer text speak of a time that is behind, or say once more that something is over? Then what frames found
   stands, and nothing more is asked (`assertions.keeps_old`, `reversals.repeats_end`).
3. Do clauses side by side put an end to the older text? `bearings.py` asks for reversed polarity first (`polarity.py`
   marks what is over, `reversals.py` compares), then for the reasons of `substitutions.py`, `measures.py`,
   `handovers.py`, `states.py` and `domains.py`; one is enough. `assertions.is_stated` has to agree that the newer text
   says so. Any doubt leaves it to the next step.
4. What frames read as said again stays so.
5. What is left is weighed: `objections.py` may veto, else `evidence.py` adds up features of `text_pair.py`. Above one
   limit the older text is closed, above a lower one a person is asked, and below nothing happens.

Every doubt is decided against a replacement.
"""
