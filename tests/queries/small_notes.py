"""A small corpus in which each of the thirty questions has an answer."""

from __future__ import annotations

SMALL = {
    "earned.md": """
        ---
        type: claim
        camp: skeptic
        topics: [evaluation]
        ---

        # Standing can be earned

        As one review puts it [@bender2020].

        > [!evidence] People did better ^people
        > [@shaikh2024] (method:: experiment) (sample:: 120 people) (peer_reviewed:: true)

        > [!counter-evidence] A model did not ^model
        > [@bender2020] (method:: benchmark) (sample:: 400 tests) (peer_reviewed:: true)

        - same-as:: [[granted]] — in other words
        """,
    "granted.md": """
        ---
        type: counter-claim
        camp: optimist
        about: [GPT-4]
        ---

        # Standing is granted

        As one review denies [@bender2020].

        - contradicts:: [[stake]] (mutual:: yes) — one excludes the other
        """,
    "stake.md": """
        ---
        type: claim
        camp: skeptic
        topics: [norms]
        open: nobody has looked
        ---

        # Whoever has no stake has no standing

        > [!claim] Nor can there be a stake without a body ^body
        """,
    "narrow.md": """
        ---
        type: counter-claim
        camp: skeptic
        ---

        # The panel was narrow

        - undercuts:: [[panel#^to-earned]] — ten people are no panel
        """,
    "panel.md": """
        ---
        type: evidence
        method: experiment
        sample: 10 people
        about: [GPT-4]
        ---

        # A panel agreed

        It did [@late2026].

        - supports:: [[earned]] with [[poll]] (strength:: strong) — seen by others ^to-earned
        - qualifies:: [[stake]] — some of them had none
        """,
    "poll.md": """
        ---
        type: evidence
        topics: [norms]
        method: survey
        sample: 900 conversations
        ---

        # A poll agreed

        It did [@shaikh2024; @early2019].
        """,
    "doubt.md": """
        ---
        type: evidence
        topics: [evaluation]
        method: benchmark
        camp: optimist
        independence: data:shared
        ---

        # The poll was leading

        - undercuts:: [[panel#^to-earned]] — the question gave the answer away
        - supports:: [[stake]] (strength:: strong) — an instance
        """,
    "social-grounding.md": """
        ---
        type: line
        proposition: earned
        ---

        # Can standing be earned?

        It has been said [@shaikh2024].

        - optimist:: [[earned]] — one way
        - skeptic:: [[stake]] — the other
        - skeptic:: [[narrow]] — the other
        """,
    "monologue-or-dialogue.md": """
        ---
        type: line
        ---

        # Who speaks?

        - optimist:: [[stake]] — turned round
        - skeptic:: [[granted]] — turned round
        """,
    "references.bib": """
        @misc{shaikh2024, title={One}, author={Shaikh, Omar}, year={2024}}
        @misc{bender2020, title={Two}, author={Bender, Emily}, year={2020}, integrity={concern}}
        @misc{early2019, title={Three}, author={Roe, Jo}, year={2019}, independence={data:shared}}
        @misc{late2026, title={Four}, author={Doe, Al}, year={2026}}
        @misc{unread, title={Five}, author={Poe, Ed}, year={2021}}
        """,
}
