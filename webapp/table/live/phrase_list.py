"""Ready phrases: the list of all that players can say at a table, in each language that pages offer.

None speaks of a hand, a move or the standing.
"""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES: Mapping[str, str] = {"en": "English", "es": "Español", "de": "Deutsch", "fr": "Français"}
"""Languages in their own words, by code."""

_SPACE = "\N{NARROW NO-BREAK SPACE}"  # French: before signs of two parts
_ROWS = (
    ("hello", "Hello!", "¡Hola!", "Hallo!", "Bonjour !"),
    ("luck", "Good luck!", "¡Buena suerte!", "Viel Glück!", "Bonne chance !"),
    ("played", "Well played!", "¡Bien jugado!", "Gut gespielt!", "Bien joué !"),
    ("thanks", "Thank you!", "¡Gracias!", "Danke!", "Merci !"),
    ("welcome", "You are welcome.", "De nada.", "Gern geschehen.", "De rien."),
    ("thinking", "I am thinking…", "Estoy pensando…", "Ich überlege …", "Je réfléchis…"),
    (
        "moment",
        "One moment, please.",
        "Un momento, por favor.",
        "Einen Moment, bitte.",
        "Un instant, merci.",
    ),
    ("back", "I am back.", "Ya estoy de vuelta.", "Ich bin wieder da.", "Me revoilà."),
    ("sorry", "Sorry!", "¡Perdón!", "Entschuldigung!", "Pardon !"),
    ("game", "Good game!", "¡Buena partida!", "Schönes Spiel!", "Belle partie !"),
    ("rematch", "Rematch?", "¿Otra partida?", "Revanche?", "On rejoue ?"),
    ("leave", "I have to go.", "Tengo que irme.", "Ich muss los.", "Je dois y aller."),
    ("bye", "Goodbye!", "¡Hasta luego!", "Tschüss!", "Au revoir !"),
)

PHRASES: Mapping[str, Mapping[str, str]] = {
    name: {
        code: words.replace(" !", f"{_SPACE}!").replace(" ?", f"{_SPACE}?")
        for code, words in zip(LANGUAGES, texts, strict=True)
    }
    for name, *texts in _ROWS
}
"""Words of a phrase by language, by the phrase's id."""
