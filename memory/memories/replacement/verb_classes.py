"""Classes of verbs and nouns by which clauses are compared. Pure; English."""

from __future__ import annotations

from memory.memories.replacement.phrase_matcher import lemma, lemmas

# What ends what is behind it, alone or with a particle or noun.
ENDING = lemmas("""
    leave quit drop cancel ditch dump abandon sell lose scrap replace end stop finish close delete uninstall return
    outgrow retire resign cease discontinue terminate donate swap trade exchange unsubscribe
    deactivate withdraw relinquish divorce lift remove evict disband sack fire dismiss
""")

_ENDING_WITH = {
    "give": {"up", "away", "back"}, "cut": {"out"}, "come": {"off"}, "go": {"off"}, "throw": {"out", "away"},
    "move": {"out", "off", "on", "away"}, "hand": {"over", "in", "on", "back"}, "pass": {"on", "over"},
    "phase": {"out"}, "pack": {"in"}, "let": {"go"}, "get": {"rid", "over"}, "call": {"off"}, "fall": {"out"},
    "break": {"up", "off", "habit"}, "kick": {"habit", "out"}, "split": {"up"}, "step": {"down"},
    "lay": {"off"}, "take": {"off", "down"}, "grow": {"out"},
    "put": {"down"}, "turn": {"off"}, "switch": {"off", "from"}, "shut": {"down"}, "be": {"over", "off", "out"},
}  # fmt: skip
ENDING_WITH = {lemma(verb): particles for verb, particles in _ENDING_WITH.items()}

# What becomes of a subject that is over.
PERISHING = lemmas("""
    leave retire resign quit die go expire break close fold dissolve collapse lapse replace steal cancel sell
    discontinue abolish remove decommission scrap drop lose shut demolish annul delete terminate lift
    fire sack dismiss fix resolve
""")

ARRIVING = lemmas("""
    join hire move relocate emigrate retire transfer settle switch become turn appoint elect promote migrate convert
    upgrade get
""")

MOVING = lemmas("""
    move switch migrate relocate transfer shift convert change swap ship port upgrade downsize rewrite bring rename push
    postpone delay reschedule set put raise lower increase reduce cut double halve bump drop extend up
""")

NAMING = lemmas("make elect appoint become choose change use switch get have set pick adopt be")

ADDITIVE_VERBS = lemmas("""
    like love adore enjoy speak have own support sell offer visit play watch read collect know teach learn study listen
    follow subscribe volunteer sing dance own use interest
""")

PUTTING = lemmas("put bring take carry hang place store park keep leave")

KEEPING = PUTTING | lemmas("do hold track save host")

GIVING = lemmas("hand pass give turn transfer donate")

ENDING_ALL = lemmas("sell cancel scrap give get donate dump delete close call")

PLACED = lemmas("""
    based located parked stored hosted scheduled assigned booked enrolled registered stationed employed
""")

SHARED_BONDS = lemmas("friend member fan part")

VEHICLES = lemmas("bus tram train car bike bicycle metro underground subway ferry taxi tube")

PLACE_ADVERBS = lemmas("online upstairs downstairs outside inside outdoors indoors abroad remote")

DEGREES = lemmas("more less much fewer lot bit")

CHOSEN = lemmas("favourite favorite best preferred go-to default standard top")

AT_TIMES = lemmas("open available busy free")

DEALING = lemmas("find negotiate get pay")

PRICES = lemmas("price cost fee rate budget subscription rent fare bill")

JOINING = lemmas("join hire")
TURNING = lemmas("change switch shift turn rename")
APPOINTING_VERBS = lemmas("make elect appoint")
CALLING_OFF = lemmas("cancel scrap axe abolish sell demolish dissolve")
BREAKING = lemmas("die break")
AIMING = lemmas("go send write report belong commute talk want plan hope")
