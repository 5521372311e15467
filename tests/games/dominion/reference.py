"""Dominion by the rule book: slow, obvious, with ordered decks; shares no code with `games.dominion`.

A match is a generator that yields a `Question` and is sent the answer: a card's name, or "end".
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, field

Play = Generator["Question", str, None]

COSTS = {
    name: cost
    for cost, names in {
        0: ["Copper", "Curse"],
        2: ["Estate", "Cellar", "Chapel", "Moat"],
        3: ["Silver", "Village", "Woodcutter", "Chancellor", "Workshop"],
        4: [
            "Gardens",
            "Moneylender",
            "Remodel",
            "Smithy",
            "Bureaucrat",
            "Feast",
            "Militia",
            "Spy",
            "Thief",
            "Throne Room",
        ],
        5: ["Duchy", "Festival", "Laboratory", "Market", "Witch", "Mine", "Library", "Council Room"],
        6: ["Gold", "Adventurer"],
        8: ["Province"],
    }.items()
    for name in names
}
TREASURES = {"Copper": 1, "Silver": 2, "Gold": 3}
GREEN = ("Estate", "Duchy", "Province", "Gardens")
BASIC = ("Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse")
ATTACKS = ("Witch", "Bureaucrat", "Militia", "Spy", "Thief")
NOT_ACTIONS = (*TREASURES, *GREEN, "Curse")
# cards, actions, buys, coins
GIVES = {
    "Village": (1, 2, 0, 0),
    "Woodcutter": (0, 0, 1, 2),
    "Smithy": (3, 0, 0, 0),
    "Festival": (0, 2, 1, 2),
    "Laboratory": (2, 1, 0, 0),
    "Market": (1, 1, 1, 1),
    "Witch": (2, 0, 0, 0),
    "Cellar": (0, 1, 0, 0),
    "Moat": (2, 0, 0, 0),
    "Chancellor": (0, 0, 0, 2),
    "Militia": (0, 0, 0, 2),
    "Spy": (1, 1, 0, 0),
    "Council Room": (4, 0, 1, 0),
}


def is_action(name: str) -> bool:
    return name not in NOT_ACTIONS


@dataclass
class Question:
    seat: int
    kind: str
    options: set[str]


@dataclass
class Seat:
    """deck: (card, whether everybody knows it) with the top card last."""

    deck: list[tuple[str, bool]] = field(default_factory=list)
    hand: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    play: list[str] = field(default_factory=list)
    turns: int = 0


@dataclass
class Match:
    """draws: every unknown card taken from a deck, or shown on it, since somebody emptied the list."""

    num_seats: int
    kingdom: tuple[str, ...]
    shuffle: Callable[[list[str]], None]
    edition: int = 1
    by_hand: bool = False
    curse_buys: bool = False
    limit: int = 999
    draws: list[tuple[int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        n = self.num_seats
        big = 8 if n <= 2 else 12
        self.supply = {"Copper": 60 - 7 * n, "Silver": 40, "Gold": 30, "Curse": max(10, 10 * n - 10)}
        self.supply |= dict.fromkeys(("Estate", "Duchy", "Province"), big)
        self.supply |= {name: big if name == "Gardens" else 10 for name in self.kingdom}
        self.trash: list[str] = []
        self.seats = [Seat(discard=["Copper"] * 7 + ["Estate"] * 3) for _ in range(n)]
        self.turn = self.actions = self.buys = self.coins = 0
        self.aside: list[str] = []
        self.immune: set[int] = set()
        self.is_over = False

    # ---- the course
    def run(self) -> Play:
        for k in range(self.num_seats):
            self.draw(k, 5)
        while True:
            me = self.seats[self.turn]
            me.turns += 1
            self.actions, self.buys, self.coins = 1, 1, 0
            yield from self.action_phase(me)
            yield from self.treasure_phase(me)
            yield from self.buy_phase()
            me.discard += me.hand + me.play
            me.hand, me.play = [], []
            self.draw(self.turn, 5)
            following = (self.turn + 1) % self.num_seats
            empty = sum(left == 0 for left in self.supply.values())
            if self.supply["Province"] == 0 or empty >= 3 or self.seats[following].turns >= self.limit:
                self.is_over = True
                return
            self.turn = following

    def action_phase(self, me: Seat) -> Play:
        while self.actions > 0 and any(map(is_action, me.hand)):
            card = yield self.ask("action", filter(is_action, me.hand), "end")
            if card == "end":
                return
            self.actions -= 1
            me.hand.remove(card)
            me.play.append(card)
            yield from self.carry_out(card)

    def treasure_phase(self, me: Seat) -> Play:
        while any(card in TREASURES for card in me.hand):
            held = [card for card in me.hand if card in TREASURES]
            card = held[0]
            if self.by_hand:
                card = yield self.ask("treasure", held, "end")
                if card == "end":
                    return
            me.hand.remove(card)
            me.play.append(card)
            self.coins += TREASURES[card]

    def buy_phase(self) -> Play:
        while self.buys > 0:
            sold = [card for card in self.up_to(self.coins) if self.curse_buys or card != "Curse"]
            if not sold:
                return
            card = yield self.ask("buy", sold, "end")
            if card == "end":
                return
            self.buys -= 1
            self.coins -= COSTS[card]
            self.gain(self.turn, card)

    # ---- what cards do
    def carry_out(self, card: str) -> Play:
        if card in ATTACKS:
            self.immune = set()
            for k in self.others():
                if "Moat" in self.seats[k].hand and (yield self.ask("moat", ["Moat"], "end", seat=k)) == "Moat":
                    self.immune.add(k)
        cards, actions, buys, coins = GIVES.get(card, (0, 0, 0, 0))
        self.actions += actions
        self.buys += buys
        self.coins += coins
        self.draw(self.turn, cards)
        effect = getattr(self, "do_" + card.lower().replace(" ", "_"), None)
        if effect is not None:
            yield from effect(self.seats[self.turn])

    def do_witch(self, me: Seat) -> Play:
        for k in self.victims():
            if self.supply["Curse"]:
                self.gain(k, "Curse")
        yield from ()

    def do_moneylender(self, me: Seat) -> Play:
        if "Copper" not in me.hand:
            return
        if self.edition == 2 and (yield self.ask("moneylender", ["Copper"], "end")) == "end":
            return
        self.trash_from_hand(me, "Copper")
        self.coins += 3

    def do_remodel(self, me: Seat) -> Play:
        if me.hand:
            card = yield self.ask("remodel_trash", me.hand)
            self.trash_from_hand(me, card)
            yield from self.gain_one("remodel_gain", self.up_to(COSTS[card] + 2))

    def do_mine(self, me: Seat) -> Play:
        held = [card for card in me.hand if card in TREASURES]
        if not held:
            return
        card = yield self.ask("mine_trash", held, *(["end"] if self.edition == 2 else []))
        if card == "end":
            return
        self.trash_from_hand(me, card)
        choice = [name for name in self.up_to(COSTS[card] + 3) if name in TREASURES]
        if choice:
            self.gain(self.turn, (yield self.ask("mine_gain", choice)))
            me.hand.append(me.discard.pop())

    def do_workshop(self, me: Seat) -> Play:
        yield from self.gain_one("workshop_gain", self.up_to(4))

    def do_feast(self, me: Seat) -> Play:
        if "Feast" in me.play:
            me.play.remove("Feast")
            self.trash.append("Feast")
        yield from self.gain_one("feast_gain", self.up_to(5))

    def do_cellar(self, me: Seat) -> Play:
        n = 0
        while me.hand and (card := (yield self.ask("cellar", me.hand, "end"))) != "end":
            me.hand.remove(card)
            me.discard.append(card)
            n += 1
        self.draw(self.turn, n)

    def do_chapel(self, me: Seat) -> Play:
        for _ in range(4):
            if not me.hand or (card := (yield self.ask("chapel", me.hand, "end"))) == "end":
                return
            self.trash_from_hand(me, card)

    def do_chancellor(self, me: Seat) -> Play:
        if me.deck and (yield self.ask("chancellor", ["Chancellor"], "end")) != "end":
            me.discard += [card for card, _ in me.deck]
            me.deck = []

    def do_bureaucrat(self, me: Seat) -> Play:
        if self.supply["Silver"]:
            self.gain(self.turn, "Silver")
            me.deck.append((me.discard.pop(), True))
        for k in self.victims():
            green = [card for card in self.seats[k].hand if card in GREEN]
            if green:
                card = yield self.ask("bureaucrat", green, seat=k)
                self.seats[k].hand.remove(card)
                self.seats[k].deck.append((card, True))

    def do_militia(self, me: Seat) -> Play:
        for k in self.victims():
            victim = self.seats[k]
            while len(victim.hand) > 3:
                card = yield self.ask("militia", victim.hand, seat=k)
                victim.hand.remove(card)
                victim.discard.append(card)

    def do_spy(self, me: Seat) -> Play:
        for k in [self.turn, *self.victims()]:
            seen = self.take(k)
            if seen is not None:
                self.seats[k].deck.append((seen, True))
                if (yield self.ask("spy", [seen], "end")) != "end":
                    self.seats[k].deck.pop()
                    self.seats[k].discard.append(seen)

    def do_thief(self, me: Seat) -> Play:
        stolen: list[str] = []
        for k in self.victims():
            seen = [card for card in (self.take(k), self.take(k)) if card is not None]
            money = [card for card in seen if card in TREASURES]
            if money:
                card = yield self.ask("thief", money)
                seen.remove(card)
                stolen.append(card)
                self.trash.append(card)
            self.seats[k].discard += seen
        while stolen and (card := (yield self.ask("thief_gain", stolen, "end"))) != "end":
            stolen.remove(card)
            self.trash.remove(card)
            me.discard.append(card)

    def do_throne_room(self, me: Seat) -> Play:
        held = [card for card in me.hand if is_action(card)]
        if not held:
            return
        card = yield self.ask("throne_room", held, *(["end"] if self.edition == 2 else []))
        if card != "end":
            me.hand.remove(card)
            me.play.append(card)
            yield from self.carry_out(card)
            yield from self.carry_out(card)

    def do_council_room(self, me: Seat) -> Play:
        for k in self.others():
            self.draw(k, 1)
        yield from ()

    def do_library(self, me: Seat) -> Play:
        aside = []
        while len(me.hand) < 7 and (card := self.take(self.turn)) is not None:
            me.hand.append(card)
            if is_action(card) and (yield self.ask("library", [card], "end")) != "end":
                me.hand.remove(card)
                aside.append(card)
        me.discard += aside

    def do_adventurer(self, me: Seat) -> Play:
        money: list[str] = []
        other: list[str] = []
        while len(money) < 2 and (card := self.take(self.turn)) is not None:
            (money if card in TREASURES else other).append(card)
        me.hand += money
        me.discard += other
        yield from ()

    # ---- what all of it needs
    def ask(self, kind: str, cards: object, *more: str, seat: int | None = None) -> Question:
        return Question(self.turn if seat is None else seat, kind, {*cards, *more})  # type: ignore[misc]

    def gain_one(self, kind: str, choice: list[str]) -> Play:
        if choice:
            self.gain(self.turn, (yield self.ask(kind, choice)))

    def up_to(self, cost: int) -> list[str]:
        return [name for name, left in self.supply.items() if left and COSTS[name] <= cost]

    def gain(self, k: int, card: str) -> None:
        self.supply[card] -= 1
        self.seats[k].discard.append(card)

    def trash_from_hand(self, seat: Seat, card: str) -> None:
        seat.hand.remove(card)
        self.trash.append(card)

    def others(self) -> list[int]:
        return [(self.turn + k) % self.num_seats for k in range(1, self.num_seats)]

    def victims(self) -> list[int]:
        return [k for k in self.others() if k not in self.immune]

    def take(self, k: int) -> str | None:
        """The top card of a deck, after a shuffle if need be."""
        seat = self.seats[k]
        if not seat.deck:
            self.shuffle(seat.discard)
            seat.deck, seat.discard = [(card, False) for card in seat.discard], []
        if not seat.deck:
            return None
        card, is_known = seat.deck.pop()
        if not is_known:
            self.draws.append((k, card))
        return card

    def draw(self, k: int, n: int) -> None:
        for _ in range(n):
            if (card := self.take(k)) is not None:
                self.seats[k].hand.append(card)

    # ---- results
    def owned(self, k: int) -> Counter[str]:
        seat = self.seats[k]
        return Counter(seat.hand + seat.discard + seat.play + [card for card, _ in seat.deck])

    def points(self, k: int) -> int:
        """Of all cards of a seat when the match is over."""
        own = self.owned(k)
        worth = {"Estate": 1, "Duchy": 3, "Province": 6, "Curse": -1, "Gardens": own.total() // 10}
        return sum(worth.get(card, 0) * n for card, n in own.items())


TEST_BED = ("Village", "Woodcutter", "Moneylender", "Remodel", "Smithy", "Festival", "Laboratory", "Market")
TEST_BED += ("Witch", "Gardens")


def random_match(rng: random.Random, num_seats: int = 2) -> Match:
    """A match of random seats."""
    match = Match(num_seats, TEST_BED, rng.shuffle)
    run = match.run()
    question = next(run, None)
    while question is not None:
        try:
            question = run.send(rng.choice(sorted(question.options)))
        except StopIteration:
            question = None
    return match


def rate(seconds: float) -> float:
    """Random matches of two seats per CPU second."""
    rng, count, start = random.Random(1), 0, time.thread_time()
    while count == 0 or time.thread_time() - start < seconds:
        random_match(rng)
        count += 1
    return count / (time.thread_time() - start)
