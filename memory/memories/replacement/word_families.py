"""Families of words that name one attribute, and lines of values that exclude each other. Pure; English."""

from __future__ import annotations

# By attribute: nouns and verbs by which texts speak of it. `_` stands for a space; words are compared by their stems.
FAMILIES: dict[str, str] = {
    "home": """
        live reside residence home house flat apartment studio loft cottage farmhouse bungalow villa condo walk-up
        quarters housing lodging digs address move relocate settle emigrate immigrate rehouse rent dwell base place
        bedsit dorm caravan houseboat move_in move_out move_house household mortgage lodger tenant suburb hometown
    """,
    "job": """
        work job employ employer employee employment occupation profession career payroll workplace post position
        join hire recruit quit resign retire sack fire redundant layoff shift staff firm company living trade nurse
        teacher engineer developer architect designer paralegal clerk lawyer student producer apprentice teach
        planner consultant freelance freelancer self-employed unemployed between_jobs badge notice handler salary
        analyst manager driver chef waiter accountant journalist editor researcher internship intern full-time
        commute office stay-at-home parent law_student practice start_at sign_with poach headhunt promote promotion
        first_day last_day last_shift leave_party leave_do
    """,
    "role": """
        lead leader head chief captain captaincy chair chairman chairwoman president owner ownership own maintain
        maintainer manager manage run organise organize coordinate coordinator responsible charge acting role title
        director secretary treasurer master contact_person look_after handle represent supervise coach referee
        take_over hand_over step_down step_back stand_down appoint elect promote successor succeed armband rota
        in_charge keep_up_to_date do_it ceo cfo cto reins helm deputy editor officer point_of_contact page
    """,
    "colour": """
        colour paint red blue green yellow white black grey brown navy purple orange pink beige turquoise
    """,
    "partner": """
        marry married marriage husband wife spouse wedding wed engaged engagement fiancé fiancée girlfriend
        boyfriend partner divorce divorced separate split couple date relationship widow widower single bachelor
        ring tie_the_knot together propose break_up romance marital
    """,
    "family": """
        child children kid son daughter baby pregnant pregnancy expect birth bear mother father mum dad parent
        grandchild grandchildren grandson granddaughter newborn twin adopt toddler mentor mentoring flatmate
        roommate sibling brother sister
    """,
    "price": """
        price cost charge fee fare rate pay tariff budget rent bill spend expensive cheap free discount offer
        subscription ticket rental salary wage earn quote premium deposit balance outstanding owe due payment
        invoice take set_back sell market asking_price run_at pound euro dollar kroner per no_charge surcharge toll
        hourly_rate on_the_house month_fee pay_off worth value money
    """,
    "date": """
        date due deadline schedule set book appointment take_place launch release start begin end hearing meet
        happen day postpone reschedule delay extend adjourn bring_forward push_back slip expire expiry valid renew
        calendar move plan fix fall relist kick_off arrive depart leave switch-off sunset cutoff land
    """,
    "hours": """
        open close shut hour opening closing time daily weekly monthly fortnightly every each collect collection day
        run come bus weekday weekend shift session frequency schedule interval once twice start kick_off hours
        release_day bin_day nightly meet evening morning timetable per_week biweekly quarterly yearly
    """,
    "place": """
        locate location venue room hall floor building place site stand keep store live lie sit park hold take_place
        host move relocate cellar attic cupboard kitchen desk garage shelf drawer office headquarters head_office hq
        branch church chapel address find based situate upstairs downstairs warehouse shed basement interview happen
        meet gather practise practice held seat counter runbook folder wiki repo page
    """,
    "tool": """
        use tool run with provide provider provided supplier vendor contractor contract built build make ship deploy
        host store edit editor write clean send collect monitor dashboard framework library database stack platform
        switch migrate replace service software app ci courier deliver newsletter chat logs session keep cache
        company_chat go_out based_on powered rely render serve parcel queue broker
    """,
    "setting": """
        setting set configure config configuration default mode limit cap ceiling maximum max minimum min allow
        timeout version run_on upgrade update indent indentation space tab branch size pool connection coverage
        speed threshold colour color paint repaint font theme enabled disabled turn switch toggle retention ttl
        interval quota port language locale cover mph
    """,
    "policy": """
        must may should have_to has_to need require required requirement rule policy allow permit permitted allowed
        forbid forbidden ban banned mandatory optional compulsory approval approve threshold limit style_guide guide
        fine standard obligatory nobody no_one everyone scheme attend attendance lift mask dress_code expense
        allowance password expire direct commit push screen_time cabin luggage hand_luggage
    """,
    "count": """
        count number total many few member people seat place left remain amount fleet consist contain sign_up list
        share name download issue van car server head size grow shrink half dozen stock user subscriber follower
        employee staff team streak record queue item attendee guest vacancy copy
    """,
    "name": """
        name call rename title known christen nickname label brand rebrand go_by register registered alias handle
        surname maiden baptise dub named answer_to sign channel publish as
    """,
    "contact": """
        phone mobile number email e-mail mail address landline extension fax contact reach call write inbox line
        account recovery verify verified verification reply answer ring message handle login log_in cell telephone
        signal whatsapp slack hotline disconnect monitor ext
    """,
    "health": """
        health ill sick allergic allergy allergen broken cast plaster crutch pain ache blood_pressure readings
        weight diagnose diagnosis treatment treat heal recover cure doctor gp surgery clinic patient dose medication
        tablet pill mg therapy injury injured fever cold flu symptom sleep tooth wobbly flea lice arm leg knee back
        wrist shoulder walk lift reach asthma diabetic remission physio operation vaccination pregnant insulin
        inhaler limp wheelchair stitch bandage glasses contact_lens hearing_aid
    """,
    "habit": """
        daily always habit usually smoke drink eat breakfast lunch dinner cycle bike walk swim gym train shave beard
        nap sleep bite nail thumb read play practise go commute tram bus meditate cereal porridge coffee tea routine
        evening morning vape cigarette suck exercise jog yoga cook order takeaway
    """,
    "diet": """
        vegan vegetarian meat fish diet eat gluten dairy sugar keto halal kosher pescatarian cereal porridge
    """,
    "preference": """
        prefer preference favourite favorite like love want wish rather best fan supporter support adore dote enjoy
        hate dislike think waste regular order choose choice taste fond keen unit win_over opinion typeface answer
        favour mind waste_of_time
    """,
    "possession": """
        have own possess car vehicle bike motorbike van dog cat pet horse tortoise ferret rabbit hamster parrot boat
        narrowboat phone laptop computer tablet camera watch ring glasses lens buy sell sold get keep iphone pixel
        galaxy samsung nokia mine subscription streaming fish guitar piano violin house allotment corolla belong
    """,
    "plan": """
        plan intend intention going_to hope aim decide roadmap want will apply book sign_up withdraw cancel bid talk
        rewrite study open acquire buy sell advert stay_with stick_with speak slot apology marathon run merge launch
        ship register pull_out drop
    """,
    "status": """
        status state open closed unresolved resolved fixed fix pending review processed process progress blocked
        wait waiting approved approve grant granted permission rejected ship shipped deliver delivered paid unpaid
        pay done finish finished complete completed broken work_again working_again out_of_order repair release
        merged merge reopen refurbishment amber green red private public listed list nasdaq go_public stamp
        application claim verify ticket bug order courier still yet await undergo
    """,
}
# Values that exclude each other: of one thing, hardly two of a line are true at a time. `|` sets them apart.
OPPOSITES = """
    open opened reopened | closed shut boarded_up
    enabled activated switched_on turned_on switch_~_on turn_~_on be_on_for | disabled deactivated switched_off \
        turned_off switch_~_off turn_~_off be_off_for
    valid active current in_force | expired lapsed void invalid out_of_date ran_out
    amber yellow | green | red
    broken out_of_order faulty down not_working failing leaking unusable | working works fixed repaired mended \
        up_and_running
    unresolved unfixed outstanding be_open still_open | resolved fixed solved settled
    pending under_review being_processed in_review awaiting waiting processed in_progress underway | approved \
        granted rejected refused denied paid_out completed finished done merged stamped closed delivered arrived
    unpaid outstanding owing owed | paid settled received
    married husband wife spouse | widow widower widowed divorced | single
    engaged fiancé fiancée | tied_the_knot got_married married wed | broke_up called_off no_longer_together split_up
    pregnant expecting | had_baby gave_birth had_her_baby baby_boy baby_girl newborn born
    privately_held private | listed went_public publicly_traded ipo
    unemployed between_jobs out_of_work jobless | first_day started_at joined hired employed works_at new_job
    stay-at-home | claims_handler commutes_to_office employed
    full-time full_time five-day | part-time part_time four-day three-day
    daily every_day each_day seven_day_a_week | weekly every_week each_week | fortnightly every_two_weeks \
        biweekly | monthly every_month | yearly annually
    serif | sans-serif sans
    short brief concise terse | long detailed lengthy thorough verbose elaborate
    dark | light
    vegan vegetarian | eats_meat eat_chicken eat_everything eat_fish_and_meat \
        steak carnivore omnivore eat_meat eat_fish eat_beef eat_pork eat_bacon eat_burger
    required mandatory compulsory must have_to needs_to need_to has_to | optional voluntary \
        attendance_is_optional lifted not_required no_requirement
    allowed permitted | forbidden banned prohibited not_allowed not_permitted no_longer_permitted
    tabs tab | spaces space
    miles fahrenheit imperial pounds | metric kilometres celsius kilos
    free free_of_charge no_charge at_no_charge for_nothing | bill charge fee cost
    hot | cold
    wet | dry
    full fully_booked sold_out | available vacancies empty
    sick ill unwell | recovered well_again healthy
    injured broken_wrist broken_leg broken_arm in_plaster crutches | healed recovered without_crutches cast_is_off
    right-handed | left-handed
    upstairs | downstairs
    indoors | outdoors
    draft | published final
    beta alpha | stable
    public | internal confidential
    manual manually by_hand | automatic automatically automated
    remote remotely from_home at_home | office on-site onsite in_person
    clean-shaven shaves shave | beard bearded moustache
    contact_lenses contact_lens | glasses spectacles
    renting rents tenant | bought owner homeowner
    student studies | graduated graduate
    acting interim | permanent confirmed
    alive | dead died passed_away
    black | white | flat_white latte cappuccino
    north | south | east | west
    left | right
    rent | own
    cash | card
    synchronous | asynchronous
    opt-in | opt-out
    portrait | landscape
    winter | summer | spring | autumn
    petrol diesel | electric hybrid
    tea | coffee
    single-player | multiplayer
    ground_floor | first_floor | second_floor | third_floor | fourth_floor | fifth_floor
    sapphire | emerald | ruby | diamond | opal
    green | blue | red | yellow | white | black | grey | brown | navy | purple | orange | pink | beige | turquoise
    wood wooden | brick | stone | steel | plastic
"""
