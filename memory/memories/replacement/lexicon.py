"""Words by which the rules know attributes, values and changes. Pure; English."""

from __future__ import annotations

from core.english.time_expressions import MONTHS, WEEKDAYS


def alternatives(words: str) -> str:
    """Return a pattern for one of the words; `_` stands for a space, the longest come first."""
    return "|".join(sorted((word.replace("_", " ") for word in words.split()), key=len, reverse=True))


MONTH_NAMES = "|".join([*MONTHS, *(month[:3] for month in MONTHS), "sept"])
DAY_NAMES = "|".join([*WEEKDAYS, "weekdays", "weekends"])

# Nouns of which a thing has one at a time; forms of the same one stand in one line, the first is its name.
_FUNCTIONAL = """
    phone_number mobile_number cell_number telephone_number cell_phone_number
    email e-mail email_address e-mail_address
    address home_address postal_address street_address
    name full_name first_name
    surname last_name
    username user_name handle
    nickname
    job occupation profession
    job_title title
    role position
    employer workplace company
    salary pay wage
    boss manager supervisor line_manager
    doctor physician gp
    dentist
    therapist
    landlord
    accountant
    lawyer attorney
    husband wife spouse
    girlfriend boyfriend partner
    deadline due_date cut-off
    price cost fee ticket_price entry_fee entrance_fee admission admission_fee
    rent
    budget
    date start_date
    end_date
    release_date launch_date go-live_date
    wedding_date
    time start_time
    closing_time
    version release current_release latest_release current_version latest_version
    status state
    owner product_owner
    lead team_lead tech_lead project_lead leader head team_leader
    ceo
    cto
    cfo
    president
    chair chairman chairwoman chairperson
    captain
    head_coach
    contact contact_person point_of_contact
    venue location meeting_place
    room meeting_room conference_room
    headquarters hq head_office
    gate
    platform
    port
    host hostname
    url link endpoint
    domain
    branch default_branch main_branch
    database
    framework
    programming_language
    operating_system os
    browser
    editor text_editor code_editor ide
    shell
    hosting_provider cloud_provider hosting
    provider
    bank
    carrier mobile_carrier phone_carrier
    insurer insurance_company
    supplier
    vendor
    plan tier subscription subscription_plan pricing_plan
    model default_model
    limit rate_limit
    timeout
    quota
    capacity
    headcount
    population
    temperature
    target
    goal
    score
    balance
    age
    weight
    height
    shoe_size
    time_zone timezone
    currency
    theme colour_scheme color_scheme
    colour color
    font
    diet
    birthday date_of_birth birth_date
    preferred_language language_preference display_language
    priority
    severity
    stage phase
    hotel
    flight
    car
    laptop computer
    phone
    university
    school
    major
    gym
    bedtime
    wake-up_time
    shift
    desk
    locker
    parking_spot parking_space
    stack tech_stack
    license licence
    logo
    slogan motto
    capital
    seat
    visa_status
    size
    interest_rate
    retention_period
    password_manager
    package_manager
    ci_system
    tool tool_of_choice main_tool
"""
FUNCTIONAL = {
    form.replace("_", " "): line.split()[0].replace("_", " ")
    for line in _FUNCTIONAL.strip().splitlines()
    for form in line.split()
}
FUNCTIONAL_NOUN = alternatives(" ".join(form.replace(" ", "_") for form in FUNCTIONAL))
# Of these a plain word is a value as good as a name: "my favourite colour is green".
WORDED = frozenset(
    """
    status colour theme diet job role plan stage priority severity currency shift font time_zone job_title name nickname
    major venue license
    """.replace("_", " ").split()
) | {"job title", "time zone"}

# Values that exclude each other inside of a line, and no others.
_CATEGORIES = """
    vim neovim emacs vscode vs_code visual_studio_code sublime_text intellij pycharm zed cursor nano helix atom eclipse
    chrome firefox safari edge brave opera vivaldi arc chromium
    windows macos linux ubuntu fedora debian arch arch_linux mac_os nixos
    postgresql postgres mysql mariadb sqlite mongodb oracle sql_server cassandra dynamodb cockroachdb couchdb
    redis valkey memcached
    aws azure gcp google_cloud amazon_web_services digitalocean hetzner linode heroku
    iphone android pixel galaxy
    notion obsidian evernote onenote roam logseq bear apple_notes joplin
    slack teams microsoft_teams discord mattermost zulip rocket.chat
    gmail outlook protonmail proton_mail fastmail hotmail yahoo_mail
    spotify apple_music tidal deezer youtube_music
    react vue angular svelte solid ember
    django flask fastapi rails laravel spring express
    npm yarn pnpm bun
    pip poetry uv pipenv conda
    jenkins circleci github_actions gitlab_ci travis travis_ci teamcity buildkite
    github gitlab bitbucket gitea
    bash zsh fish powershell
    jira linear asana trello monday.com clickup basecamp
    zoom google_meet meet webex skype
    1password bitwarden lastpass dashlane keepass
    dark_mode light_mode dark_theme light_theme dark_themes light_themes
    window_seat aisle_seat window_seats aisle_seats
    tabs spaces
    metric imperial metric_units imperial_units celsius fahrenheit
    coffee tea espresso matcha
    cow_milk oat_milk soy_milk almond_milk
    bus train car bike bicycle metro subway tram scooter motorbike foot ferry
    toyota volvo bmw audi tesla ford honda volkswagen vw skoda mercedes renault peugeot fiat mazda hyundai kia nissan
    vegan vegetarian pescatarian omnivore flexitarian carnivore
    kubernetes docker_swarm nomad
    terraform pulumi cloudformation
    kafka rabbitmq nats pulsar
    python java ruby rust go golang javascript typescript kotlin scala php c++ c#
    wise revolut n26 monzo paypal
    verizon t-mobile vodafone at&t o2 telekom orange
    figma sketch adobe_xd
    netflix hulu disney+ disney_plus
    kindle kobo
    openai anthropic mistral gemini claude chatgpt gpt-4 gpt-4o gpt-5
    email phone sms text_messages phone_calls emails calls
    mornings evenings afternoons
    hdd ssd
    rest graphql grpc
    xml json yaml
    scrum kanban
"""
CATEGORY = {
    form.replace("_", " "): number
    for number, line in enumerate(_CATEGORIES.strip().splitlines())
    for form in line.split()
}

STATES = alternatives(
    """
    done finished completed complete blocked unblocked on_hold paused in_progress ongoing underway live
    cancelled canceled open closed resolved unresolved shipped released deprecated approved rejected active
    inactive archived sold_out out_of_stock in_stock under_review in_review merged pending delayed draft
    published unpublished available unavailable on_track behind_schedule healthy unhealthy broken fixed in_beta
    in_alpha stable unstable abandoned suspended retired online offline enabled disabled fully_booked overdue
    paid unpaid planned in_production in_staging in_development ready not_ready resumed reopened merged discontinued
    """
)
PROFESSIONS = alternatives(
    """
    engineer developer programmer teacher nurse doctor lawyer manager designer professor dentist scientist
    therapist accountant architect analyst consultant chef cook waiter waitress journalist writer editor
    photographer electrician plumber carpenter mechanic pilot driver firefighter paramedic librarian pharmacist
    veterinarian vet translator researcher student intern director administrator secretary receptionist
    salesperson marketer recruiter barista baker farmer gardener surgeon psychologist economist biologist
    chemist physicist mathematician statistician principal freelancer contractor cto ceo cfo founder postdoc
    lecturer tutor bartender cashier clerk builder welder
    """
)
RELATIONS = alternatives(
    """
    mother father mom mum dad sister brother daughter son wife husband partner girlfriend boyfriend fiancé
    fiancée friend best_friend colleague coworker boss manager aunt uncle cousin grandmother grandfather grandma
    grandpa niece nephew neighbour neighbor roommate flatmate parents kids children twin spouse mentor client
    """
)
# Names of employers that could be taken for places after "moved to".
EMPLOYERS = alternatives(
    """
    google meta facebook microsoft amazon apple netflix ibm oracle sap siemens bosch nvidia intel amd adobe
    salesforce openai anthropic spotify uber airbnb stripe shopify tesla spacex deloitte accenture mckinsey kpmg
    pwc ey samsung sony twitter linkedin tiktok bytedance cisco dell hp vmware atlassian github gitlab zalando
    deepmind
    """
)
EMPLOYER_ENDS = alternatives(
    """
    inc ltd gmbh corp ag llc bank labs lab consulting group studio studios partners systems software
    """
)
# Places that hold others, so that "lives in Italy" and "lives in Rome" may both hold.
REGIONS = alternatives(
    """
    europe asia africa america australia scandinavia italy france germany spain portugal norway sweden denmark
    finland iceland ireland england scotland wales britain uk united_kingdom usa us united_states canada mexico
    brazil argentina chile peru colombia japan china india korea south_korea vietnam thailand indonesia malaysia
    philippines turkey greece poland austria switzerland belgium netherlands luxembourg czechia czech_republic
    slovakia hungary romania bulgaria croatia serbia slovenia ukraine russia estonia latvia lithuania egypt
    morocco kenya nigeria south_africa israel new_zealand bavaria catalonia tuscany sicily provence brittany
    andalusia california texas florida oregon washington nevada arizona colorado utah ohio illinois michigan
    georgia virginia massachusetts pennsylvania new_jersey bali hawaii alaska ontario quebec
    """
)
_NOT_PLACES_LIST = """
    home work bed fear peace debt love hospital trouble luxury charge touch mind person time general
    particular
"""
NOT_PLACES = frozenset(_NOT_PLACES_LIST.split())

# Things of which "is in …" says where they are kept or stand, and not where they happen to be.
THINGS = alternatives(
    """
    office offices studio gym class course headquarters hq head_office key keys spare_key server servers store shop
    passport warehouse
    branch repo repository file files document documents backup backups data_centre data_center data database
    code source_code company studio lab factory restaurant clinic bakery toolbox first_aid_kit printer desk
    router documentation docs wiki bike car meeting_room venue site archive logs cluster deployment
    """
)
# Gatherings and other things that have a time.
EVENTS = alternatives(
    """
    meeting standup stand-up call launch release party wedding exam interview appointment flight train
    conference workshop review retro retrospective demo sync webinar class lesson lecture course dinner lunch
    breakfast concert game match trip visit deployment migration kickoff kick-off ceremony session rehearsal
    training event hearing inspection delivery surgery operation checkup check-up one-on-one 1:1 all-hands
    offsite presentation talk reunion picnic festival election audit maintenance move premiere opening
    reservation booking seminar deadline barbecue race marathon tournament hackathon vote sprint_review planning
    """
)
# Verbs of which a new object says nothing against an old one; only "not" and "no longer" do.
HABITS = alternatives(
    """
    eat drink smoke play attend take read watch practise practice run swim train teach learn study speak cook
    wear visit volunteer sing dance paint collect follow support need have own use drive accept allow require
    serve offer sell ship deliver store send subscribe go keep cycle bike walk commute date rent coach write
    ride do make grow vape meditate jog fast belong see lead manage maintain sponsor mentor foster breed chair
    host like love enjoy adore hate dislike prefer
    """
)
LIKES = {"like": True, "love": True, "enjoy": True, "adore": True, "hate": False, "dislike": False}
DIETS = alternatives("vegan vegetarian pescatarian omnivore flexitarian carnivore meat-eater")
MARITAL = alternatives("single married divorced separated widowed engaged dating in_a_relationship newly_single")
