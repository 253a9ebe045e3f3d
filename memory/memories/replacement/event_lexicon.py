"""Events that end or begin a state, and cues that nothing has changed. Pure; English.

`_` stands for a space and `~` for up to four words between; words are compared by their stems.
"""

from __future__ import annotations

# What brings a state to its end, or a matter to its close.
ENDS = """
    separate settle close shut deliver arrive_at finalise finalize axe_the bin_the chuck throw_out throw_away
    scrap_the bail_out opt_for_~_over lay_down_~_duty relinquish renounce vacate clear_out_~_desk hang_up_~_boot
    call_time dethrone be_defeat be_oust step_away bow_out fade_out peter_out dry_up be_void be_annul nullify
    invalidate overrun expire_on time_out go_out_of_business cease_trade liquidate insolvent go_under be_bankrupt
    shutter mothball demolish raze knock_~_down gut strip_out rip_out tear_out write_~_off total_the crash_the smash
    shatter wreck break_down_for_good go_missing misplace pawn auction give_to_charity rehome donate
    return_to_sender ship_back send_back hand_on pass_~_on_to repossess forfeit confiscate seize wean_off
    come_off_the go_cold_turkey kick_the_habit turn_teetotal stub_out lay_off_the cut_out_the drop_out_of
    fall_out_with go_~_separate_way file_for_divorce jilt dump_him dump_her break_it_off be_widow bury funeral
    lose_~_battle be_put_to_sleep be_put_down get_better all_clear be_discharge in_remission get_the_all_clear
    be_cure test_negative back_on_~_feet off_the_medication stitches_out take_~_stitch out_of_hospital be_clear
    patch_up be_patch rectify sort_out iron_out be_sort be_up_and_run back_online back_in_service back_up_and
    pass_~_exam graduate qualify finish_~_course hand_in_~_thesis come_to_an_end draw_to_a_close be_finish wrap_up
    sign_the_contract exchange_contract seal_the_deal land_the be_accept be_admit be_grant be_approve
    get_the_go-ahead give_the_green_light get_the_green_light be_award clinch be_reject be_deny be_refuse knock_back
    be_scrap bite_the_dust go_by_the_board be_axe fill_the be_fill be_sell_out run_dry be_pay_off clear_the_debt
    pay_~_off settle_the sign_off_on be_sign complete_on_the switch_~_off turn_~_off power_down pull_the_plug
    take_offline take_~_offline unplug disable deactivate unpublish sunset end_of_life be_ban be_outlaw ban_the
    prohibit outlaw make_~_optional make_~_mandatory tighten relax_the loosen expire lapse cancel call_off
    call_~_off scrap axe abandon shut_down shut_its_door switch_off turn_off disconnect decommission retire
    phase_out phase_~_out discontinue delete remove take_down take_~_down take_~_off terminate finish stop cease
    quit resign step_down step_back stand_down step_aside stand_aside hand_in hand_back hand_over hand_~_over
    give_up give_~_up give_away give_~_away give_~_back get_rid_of sell part_with trade_in trade_~_in pull_out
    withdraw back_out drop_out unsubscribe uninstall opt_out revoke lift_the lift_~_requirement lift_~_ban abolish
    waive rescind overturn repeal do_away_with recover heal clear_up cure get_over remission come_off come_out
    wear_off outgrow grow_out_of kick_the kick_~_habit ditch dump say_~_goodbye say_goodbye say_farewell last_shift
    last_day dissolve disband go_bust bankrupt fold collapse evict redundant lay_off let_go let_~_go dismiss sack
    tear_down tear_up burn_down knock_down break_up split_up break_off divorce separate_from die pass_away put_down
    pass_on move_out move_away pay_off pay_out pay_in_full settle_up resolve surrender sink steal write_off
    put_to_sleep swear_off go_off fall_out lose_interest close_down wind_up wind_down run_out come_down leave_for
    drop_the drop_~_plan withdraw_~_bid turn_down be_over be_dead be_go be_history revert roll_over wash_~_hand_of
    sign_off sign_off_from bid_farewell fall_apart fall_through walk_away_from walk_out turn_~_back_on verify reopen
    mend repair fix tie_the_knot marry wed have_~_baby give_birth confirm_~_as go_public list_on come_into_force
    declare_~_free be_off be_heal get_~_permission pay_up ship_out flood close_~_book knock_~_off cast_off
"""
# What puts something else in the place of what was.
CHANGES = """
    opt_instead go_for_~_instead switch_over swap_over turn_into morph evolve_into be_know_as rebadge retitle
    reassign reallocate redeploy rehome_to transplant reposition reopen_at reopen_in relaunch_as restyle set_up_home
    set_up_shop move_into settle_down_in take_the_reins take_the_helm take_~_place step_into step_up fill_~_shoe
    get_~_job land_~_job start_~_job start_as begin_as begin_work take_a_job accept_a_job accept_~_offer sign_for
    sign_a_contract join_as go_freelance set_up_on_~_own go_self-employed retrain requalify swap_~_for trade_~_for
    part-exchange upgrade_to treat_~_to come_home_with be_give be_hand be_assign fall_to go_to_him go_to_her
    pass_from come_under be_take_over buy_out snap_up bump_up hike jack_up mark_up mark_down slash halve double
    triple quadruple trim shave knock_~_off creep_up climb drop_by soar plunge shoot_up dip tumble rocket edge_up
    inch_up swell balloon dwindle slim_down scale_up scale_down take_on_~_more hire_~_more lose_~_more grow_by
    be_down_to be_up_to stand_at_~_now push_~_to move_~_to put_off put_~_off bring_~_to move_up pull_forward
    reset_to rearrange rebook shift_to now_be turn_vegan go_vegan go_vegetarian start_eat start_drink warm_up_to
    grow_to_like grow_to_love fall_in_love_with convert_to be_convert come_to_prefer come_to_love get_engage
    get_marry be_marry marry walk_down_the_aisle say_i_do elope move_in_with get_back_together be_bear arrive_~_baby
    welcome_~_baby be_a_father be_a_mother adopt_a foster recolour recolor retile recarpet refit convert_~_into
    extend_~_house migrate_~_to port_~_to rewrite_~_in replatform containerise move_off move_away_from
    drop_~_in_favour standardise_on standardize_on roll_out go_live_with cut_over fail_over redirect switch change
    move migrate relocate transfer swap replace exchange rename rebrand christen upgrade downgrade bump raise lower
    increase decrease cut reduce rise fall grow_to shrink extend postpone put_back put_~_back bring_forward
    bring_~_forward push_back push_~_back delay reschedule adjourn relist slip shift convert turn_to become adopt
    take_over take_~_over take_up take_on take_~_on settle_in end_up promote appoint elect hand_to pass_to
    go_over_to go_with opt_for settle_on stay_with stick_with repaint redecorate open_its_door emigrate rehouse
    resettle move_over trade get_a_new get_new buy purchase pick_up join merge acquire change_~_mind come_round
    win_over go_to_live make_~_his_home make_~_her_home make_~_home revise amend redo rewire hire give_~_to
    be_put_on be_born resit restructure rebuild rewrite redraft reorganise reorganize knock go_up go_down come_down
    drop_to go_full_time go_part_time land_at start_at start_with begin_at sign_with get_hire be_hire ship_with
    naturalise merge_into be_bring call_up inherit take_~_to supersede oust overtake displace succeed outvote assign
"""
# What says of the newer text that it is so now, and was not before.
NOWS = """
    now no_longer not_~_any_more not_~_anymore not_~_any_long any_more anymore instead these_day nowadays current
    from_now_on as_of at_last at_present by_now henceforth recent since new from_then_on in_its_stead in_~_stead
    this_week yesterday last_night last_week last_month this_morning on_monday on_tuesday on_wednesday on_thursday
    on_friday on_saturday on_sunday this_afternoon this_year this_month this_quarter just have_be be_be ago
    permanent for_good again already
"""
# Nothing but this: what has an "only" has one value at a time.
ONLIES = """
    only sole just nothing_else no_other nowhere_else and_no_other at_no_other_time always never all every
    everything whole both none yet still alone default full registered main
"""
# What has no force, by why: the newer text tells of no change that took place.
BLOCKS: dict[str, str] = {
    "question": """
        want_to_know be_it_true any_idea_if not_sure_if not_sure_whether do_anyone_know ask_how unclear_whether
        wonder ask_if ask_whether ask_what ask_about curious_whether curious_about user_ask would_~_think how_about
    """,
    "wish": """
        would_not_mind would_give die_to can_not_wait_to set_~_sight_on pine_for ideal bucket_list daydream
        always_want eager_to itch_to would_be_nice wishful in_a_perfect_world prefer_to_have like_to_own
        like_to_live like_to_work drool_over if_only would_like would_love would_prefer_to dream_of dream_about
        long_for long_to hope_to hope_for hope_that yearn want_to_be have_~_eye_on fancy envy hanker crave covet
        set_~_heart_on look_forward keen_to sigh like_to_have like_to_see be_after aspire tempt try_to attempt_to
    """,
    "condition": """
        subject_to on_request or_else in_the_case_of when_necessary when_require except_when in_bad_weather
        when_it_rain at_short_notice contingent fall_back_on fallback as_a_last_resort if unless in_case
        in_the_event provided_that as_soon_as as_long_as when_~_need depend in_an_emergency suppose otherwise
        should_the on_condition assume should_he should_she should_it should_they were_to whenever
    """,
    "hypothetical": """
        scenario thought_experiment let_us_say let_~_say for_the_sake_of_argument dummy placeholder as_if as_though
        parallel_universe alternate parody satire joke prank april_fool simulation film_adaptation screenplay
        back-of-the-envelope on_paper test_data toy_model assumption cosplay in_the_game mockup would could might
        perhaps maybe possible imagine hypothet made-up mock-up fiction novel story pretend theoretical in_theory
        what_if suppose sample demo_data
    """,
    "hearsay": """
        word_on_the_street there_be_talk some_say be_thought_to seem_to appear_to look_as_if unverified swear_that
        tipster speculation tabloid hunch accord_to_her accord_to_his heard_from i_hear we_hear story_go
        go_the_story a_reader_claim anecdot be_say_that people_think neighbour_say neighbour_think some_people
        claim_be say_they_hear hear_through have_hear newspaper_report blog_claim tweet post_claim leak_~_suggest
        suggest_that could_be_on rumour rumor allegedly apparent supposed hear_that claim_that claim_the claim_to
        suspect believe people_be_say people_say word_be someone_say somebody_say somebody_at someone_on anonymous
        gossip it_be_say grapevine word_have_it guess reckon may_have may_be must_be_leave accord_to_an whisper
        unconfirm without_give_a_source overhear forum_user no_source friend_of_a_friend hint someone_claim
        so_they_say be_say_to
    """,
    "future": """
        forthcoming in_the_pipeline eye_the mull weigh_up under_discussion up_for_discussion on_the_agenda
        look_to_buy look_to_move in_the_works before_long come_spring come_autumn shortly in_the_come slate_to
        slate_for budget_for would_take_effect sometime_next start_next ambition long-term_plan on_the_waiting_list
        await_a_decision in_due_course when_he_retire when_she_retire once_the_new phase_two earmark tentative
        preliminary be_on_course_to will shall be_going_to plan_to plan_on be_plan intend_to be_due_to next_month
        next_year next_spring next_summer next_autumn next_winter next_week next_quarter tomorrow pencil_in consider
        propose someday one_day in_~_year_time in_two_year in_three_year soon eventual be_to_be upcoming
        on_the_horizon schedule_to aim_to hope_to expect_to be_expect look_at look_into think_about think_of
        toy_with is_look_for from_next by_the_end_of be_about_to set_to down_the_line later_this_year vote_on
        go_to_the_board roadmap_for
    """,
    "temporary": """
        loaner rental_car hire_car stopgap second_to house-sit house_sit crash_at pop-up one-off exceptional
        substitute understudy out_sick off_sick for_the_duration over_the_holiday during_the_renovation
        during_the_work during_the_festival just_this just_today just_tonight at_her_parent at_his_parent stay_with
        for_the_rest_of for_a_few for_a_couple till_the till_monday till_friday short-term makeshift provisional
        acting_as deputise deputize act_up trial_period sabbatical furlough for_the_evening for_the_day
        for_the_night for_the_afternoon for_the_morning on_tour on_a_business_trip out_of_town couch-surf demo_mode
        maternity_cover lend on_trial until for_now for_the_moment for_the_time_be for_one for_a_day for_a_week
        for_a_night for_the_weekend for_two for_three temporary cover_for stand_in fill_in on_loan courtesy while
        interim just_for on_holiday visit stay_at stay_in for_this_one this_once borrow on_leave in_the_meantime
        during_the_outage bypass back_on be_away
    """,
    "addition": """
        along_with together_with not_just more_than_just on_the_side besid second_language side_project side_hustle
        join_by extend_to_cover expand_into now_has_two apart_from in_parallel parallel_to complement supplementary
        sideline moonlight a_third_one one_more on_offer_too plus_a accompany also as_well additional another extra
        alongside on_top_of a_second add more_than_one both still likewise further bonus like_~_too
        expand_to_include not_only
    """,
    "past": """
        initial at_first back_in in_my_day in_his_day in_her_day in_their_day as_a_young as_a_teenager as_a_girl
        year_earlier year_before prior_to long_ago then-husband ex-boyfriend ex-girlfriend late_husband late_wife
        predecessor during_the_pandemic in_the_1960s in_the_1970s in_the_1980s in_the_1990s as_an_apprentice
        before_move before_join before_become before_that before_then first_edition first_version first_flat
        first_home first_dog early_version first_draft beta_version first_release early_day when_it_open
        when_it_be_build in_its_first in_her_twenties in_his_twenties in_her_youth at_university at_college
        back_when old_photo heyday once_belong history_of generation great-grand grandfather_be founder way_back
        in_the_old_day in_school at_school while_at until_last_year until_then until_recent up_to_then when_young
        when_he_be_young when_she_be_young when_he_be_a when_she_be_a when_they_be usedto before_the be_once once_be
        once_live once_work once_have former previous grow_up back_then in_those_day in_the_past at_the_time
        as_a_child as_a_kid as_a_toddler as_a_boy as_a_student when_she_be_at when_he_be_at early_~_be first_ever
        very_first year_back year_ago decade_ago century during_the_war original until_the ~_'s_day grandmother
        first_husband first_wife first_car first_job before_she before_he before_they before_it in_the_nineties
        in_the_eighties in_the_sixties earlier_version prototype historical ancient long_before in_childhood ex-wife
        ex-husband in_my_youth be_know_as maiden begin_life_as start_out_as start_life_as have_be_name ex_husband
    """,
    "no_change": """
        nothing_come_of come_to_nothing think_better_of in_error fall_flat back_to_normal reinstate undo undone
        not_change no_different hold_firm stand_firm survive retain leave_it_as leave_~_as_it stick_to_the_old
        but_keep but_stay not_move not_budge be_uphold upheld re-elect reelect reappoint renew_~_contract renew_the
        extend_~_lease mistaken_report typo dispute call_off_the_move scrap_the_plan_to keep_hold keep_on_as
        reconfirm bounce_back be_back_to change_nothing toy_with but_decide but_chose but_remain shelve vote_down
        vote_against be_deny deny_that deny_have deny_the roll_back take_~_back keep_the_same keep_his keep_her
        keep_their hold_on_to turn_down decline refuse reject unchanged no_change same_number stay_the_same
        remain_the_same remain_in remain_at reopen_at_once walk_away in_the_end_stay decide_against overrule veto
        be_revert false_alarm by_mistake stay_put still same_as nothing_change resist fail_to consider_~_but
        think_about_~_but be_back_on_again despite stay_as carry_on_as as_before again_after revert_to
    """,
    "liking": """
        delight_in find_~_lovely have_grow_fond be_fond rave_about try_~_and_like quite_like also_like warm_to
        like_a like_the like_his come_to_like enjoy take_to_the delicious wonderful impressed
    """,
}
# Words that set one thing apart from another of its kind, `|` between them.
SCOPES = """
    lower ground basement | upper attic top_floor
    weekday weekdays | weekend weekends | public_holiday holiday | sunday | saturday
    high_season peak peak_time | low_season off-peak off-season
    vip gold | silver | bronze | economy | business_class first_class
    iphone ios | android | desktop | browser
    east east_side | west west_side
    europe european eu | asia asian apac | america american us
    inbound incoming | outgoing outbound
    summer_term | winter_term | spring_term
    kitchen | bathroom | bedroom | garage | garden | hall | living_room
    primary | secondary | replica
    resident | visitor | tourist
    new_customer | existing_customer
    large | small | medium
    dinner | lunch | breakfast
    q1 | q2 | q3 | q4
    indoor | outdoor
    single_room | double_room
    ios_app | android_app | web_app
    newborn | toddler
    teacher | pupil student
    landlord | tenant
    seller vendor | buyer purchaser
    frontend front_end | backend back_end
    production prod live | staging | sandbox | qa
    first_name | surname last_name
    older elder | younger
    mobile_app mobile | website web
    winter | summer | spring | autumn
    morning | evening | afternoon | night | lunchtime
    weekday | weekend | sunday | saturday
    adult | child children | student | senior | pensioner
    upstairs | downstairs
    staging | production prod | test | dev | development
    guest | registered member | admin
    first | second | third | next | last
    outbound out | return back inbound
    partner | customer | employee | supplier
    left | right
    north | south | east | west
    old | young
    men | women | boy | girl
    mother mum | father dad | sister | brother | son | daughter | cousin | aunt | uncle | neighbour | wife | \
        husband | grandmother gran | grandfather | niece | nephew | boss | friend
    red | blue | green | black | white | yellow
    home | work | office | mobile | billing
    buyer | seller
    front | back
    paperback | hardback
    import | export
    read | write
    upload | download
    min minimum | max maximum
    coffee | milk | tea
    domestic | international
    flight | train | ferry | bus
    free | pro | basic | team | enterprise | premium
    junior | senior
    marketing | sales | engineering
    leaving | birthday | wedding
    email e-mail inbox | phone mobile telephone landline | postal
"""
# Verbs that set times apart.
TIMED_SCOPES = """
    open opening | close closing shut
    start begin | end finish
    arrival arrive | departure depart leave
    check-in | check-out
    get_up wake_up | go_to_bed
"""
# Forms that a stemmer does not know, and the word that they are compared by.
IRREGULAR = """
    wedding weddings:wedding dreamt:dream spun:spin dealt:deal lent:lend bound:bind fed:feed dug:dig gave given:give
    took taken:take sold:sell left:leave went gone:go began begun:begin broke broken:break came:come became:become
    lost:lose held:hold kept:keep got gotten:get had has having:have did does:do was were is are am been being 's
    're 'm:be sank sunk:sink tore torn:tear bought:buy brought:bring threw thrown:throw fell fallen:fall grew
    grown:grow rose risen:rise drew drawn:draw withdrew withdrawn:withdraw said:say told:tell thought:think
    found:find met:meet paid:pay spent:spend sent:send stood:stand lay lain laid:lie wrote written:write drove
    driven:drive rode ridden:ride swore sworn:swear wore worn:wear spoke spoken:speak chose chosen:choose shrank
    shrunk:shrink stole stolen:steal built:build led:lead ran:run knew known:know taught:teach ate eaten:eat drank
    drunk:drink slept:sleep felt:feel put:put made:make saw seen:see bore:bear children:child wives:wife lives:live
    men:man women:woman feet:foot teeth:tooth won:win swam swum:swim passed:pass hung:hang 've:have n't:not
    cannot:not 'll:will mum mom mother:mum dad father:dad going:going moved:move favorite:favourite color:colour
    e-mail:email organize:organise program:programme license:licence won't:not
"""

# Events of some families only: "recovered" ends an illness, and not the possession of who recovered.
OWN_EVENTS = {
    "health": """
        recover heal cure get_better get_over clear_up all_clear clear_of get_the_all_clear be_discharge remission
        in_remission off_the_medication stitches_out take_~_stitch out_of_hospital come_out fall_out wear_off patch_up
    """,
    "date hours plan": """
        postpone delay reschedule adjourn relist bring_forward bring_~_forward push_back push_~_back put_back put_~_back
        put_off put_~_off extend slip move_up pull_forward rearrange push_~_to
    """,
    "colour": "repaint recolour redecorate recolor",
    "partner": """
        marry wed divorce split_up break_up break_off separate_from get_marry be_marry get_engage tie_the_knot say_i_do
        elope get_back_together separate
    """,
    "family partner": "have_~_baby give_birth be_bear welcome_~_baby be_born be_a_father be_a_mother",
    "job role": """
        quit resign retire step_down step_back stand_down step_aside stand_aside lay_off redundant sack dismiss
        promote appoint elect hire be_hire get_hire last_shift last_day hand_in go_freelance retrain requalify
        finish_~_training
    """,
    "date price plan hours": "run_out",
    "name": "rename rebrand christen retitle relabel",
    "home place": "emigrate rehouse resettle move_in_with move_out make_~_home set_up_home relocate evict",
    "status possession setting tool place": "repair mend fix rectify patch",
}
# What ends all that is so of its subject.
TERMINAL = """
    die pass_away cancel call_off scrap expire lapse dissolve disband demolish tear_down burn_down shut_down go_bust
    decommission discontinue terminate abolish close_down wind_up put_down put_to_sleep sink write_off axe delete
    phase_out abandon fall_through collapse repeal revoke waive rescind overturn be_over be_go sell be_dead pull_out
    finish complete
"""
