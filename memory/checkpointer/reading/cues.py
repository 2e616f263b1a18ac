"""Everyday words that a kind which ships may be meant by, beside those of its own schema. Pure.

They choose which kinds a prompt shows in full, and decide nothing else.
"""

from __future__ import annotations

WORDS = {
    "commitments.Commitment": "deadline due promised promise owe must submit return file "
    "renew remind forget within days weeks window claim register apply",
    "documents.Document": "licence license permit certificate insurance card policy expires expiry "
    "expire renew renewed valid registration residence green warranty",
    "finance.Account": "account bank card savings checking credit debit close closed frozen",
    "finance.Charge": "charged charge billed bill invoice statement refund debited fee",
    "finance.Contract": "subscription subscribe subscribed membership lease plan cancel cancelled "
    "canceled renews renewal trial contract gym streaming provider monthly yearly insurance rent",
    "finance.Payment": "pay paid paying payment transfer transferred send sent money wire rent "
    "bill deposit owe dollars euros pounds bucks installment donate",
    "finance.PaymentInstruction": "instead hold transfer send wire instructed instruction "
    "deposit payment",
    "finance.SpendingLimit": "limit budget spend spending maximum cap allowance exceed "
    "transfers without approval approve",
    "habits.Habit": "every usually always regularly daily weekly morning evening run running walk "
    "yoga gym smoke smoking hobby play practice read paint guitar quit started club class",
    "health.Allergy": "allergy allergic allergies allergen reaction hives rash swelling "
    "anaphylaxis intolerant intolerance react reacted sensitive throat "
    "peanut penicillin latex pollen",
    "health.Condition": "diagnosed diagnosis disease diabetes asthma hypertension pressure pain "
    "migraine cancer surgery illness chronic symptoms sick infection depression cholesterol",
    "health.DoseLimit": "maximum dose limit exceed daily milligrams",
    "health.Intake": "drink drinking eat eating alcohol wine beer coffee grapefruit supplement "
    "vitamin herb herbal smoke cigarettes tobacco juice wort diet",
    "health.Measurement": "weight weigh blood pressure sugar glucose temperature fever measured "
    "reading level pulse test lab results cholesterol",
    "health.Medication": "medication medications medicine medicines drug drugs pill pills tablet "
    "tablets take takes taking prescribed prescription prescribe dose milligram milligrams "
    "antibiotic inhaler insulin aspirin ibuprofen refill pharmacy stopped vaccine shot",
    "health.Pregnancy": "pregnant pregnancy expecting baby breastfeeding trimester conceive",
    "people.Person": "wife husband son daughter mother father sister brother friend boss doctor "
    "partner colleague neighbor neighbour teacher company",
    "possessions.Thing": "bought buy car bike laptop phone house dog cat pet sold lent borrowed "
    "broken repair lost delivered warranty",
    "preferences.Order": "order ordered buy buying bought book booked booking reserve reserved "
    "reservation dinner party tickets menu catering gift present flight hotel",
    "preferences.Preference": "like likes love loves hate hates prefer prefers favorite favourite "
    "dislike enjoy fan rather",
    "preferences.Prohibition": "never don avoid forbid forbidden forbids allowed allow ban "
    "banned without permission mustn refuse vegetarian vegan rule",
    "preferences.Subject": "food flight airline seafood meat",
    "schedule.Engagement": "meeting meet appointment dinner lunch class concert party wedding "
    "visit monday tuesday wednesday thursday friday saturday sunday tomorrow tonight today week "
    "weekend noon afternoon evening morning schedule scheduled "
    "reschedule moved event game show shift call",
    "schedule.Place": "home office room school address live moved restaurant hospital building "
    "studio beach city town",
    "travel.Passport": "passport abroad flying fly",
    "travel.Trip": "trip travel traveling travelling fly flying flight flights vacation holiday "
    "hotel leave leaving return visit visiting abroad airport tour journey camping cruise",
    "travel.Visa": "visa entry entries embassy abroad schengen permit",
    "work.Job": "job work working hired fired quit promoted promotion boss company office salary "
    "business career laid interview offer store position started",
}
