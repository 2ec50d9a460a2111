"""Windows: moments in which acts are offered, and to whom, in what order, until when.

    free            everybody who can do something is asked at once; each option has its own player
    in_turn         seat by seat from `active`
    opponent_first  seat by seat from the next after `active`

A free window that closes after one act has no "pass": the act must be done. After each act everything offered is
computed anew. Who has nothing to do is not asked, and a window in which nobody has anything closes by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ludoloom.compiler.analysis import types as t
from ludoloom.compiler.analysis.eye import ANYBODY
from ludoloom.compiler.analysis.scope import Scope
from ludoloom.compiler.analysis.typed import E, Var
from ludoloom.compiler.backend import eyes, texts
from ludoloom.compiler.backend.acts import action_of, card_act, signature
from ludoloom.compiler.backend.heads import Parts, doers, parameters
from ludoloom.compiler.backend.layout import Universe
from ludoloom.compiler.backend.printed import never_in
from ludoloom.compiler.backend.proc import Proc
from ludoloom.compiler.backend.records import Action
from ludoloom.compiler.backend.statements import Statements
from ludoloom.compiler.backend.unit import Unit
from ludoloom.compiler.backend.values import Values
from ludoloom.compiler.diagnostics.nearest import did_you_mean
from ludoloom.compiler.frontend.nodes import Items, Map, Scalar
from ludoloom.runtime import isa
from ludoloom.runtime.image import QuestionRow, TextRow, TypeRow


@dataclass(slots=True)
class Offered:
    """One entry of `offers`: an action, or an act of the things of a set."""

    node: Scalar
    action: Action | None = None
    things: E | None = None
    act: str = ""
    kinds: tuple[str, ...] = ()
    legal: int = 0
    run: int = 0
    label: int = 0


def window_of(unit: Unit, name: str, target: str) -> Proc:
    """The procedure of a window; opened round a verb it takes the verb's parameters."""
    params = signature(unit, target).params if target in unit.game.verbs else ()
    words = sum(unit.words(param.type) for param in params)
    key = f"window.{name}@{target}" if target else f"window.{name}"
    return unit.proc(key, words, 0, lambda proc: _Window(unit, proc, name, target, words).build())


class _Window:
    """Builds one window procedure."""

    def __init__(self, unit: Unit, proc: Proc, name: str, target: str, words: int) -> None:
        self.unit, self.proc, self.name, self.target, self.words = unit, proc, name, target, words
        self.node: Map = unit.game.windows[name]
        self.values = Values(unit, proc)
        self.st = Statements(unit, proc, name)
        params = signature(unit, target).params if target in unit.game.verbs else ()
        self.scope = parameters(unit, params, Scope(), 0)
        kind = unit.game.kinds[unit.game.player_kind]
        self.seat_kind = t.Thing(kind.name)
        self.seats = Universe(kind.first, max(kind.count, 1))
        self.offers: list[Offered] = []

    def build(self) -> None:
        with self.proc.at(self.node.span):
            self.offers = self._offers()
            order = self.node.get("order")
            how = order.text if isinstance(order, Scalar) else "free"
            if how == "free":
                self._free()
            else:
                self._in_turn(how)

    # --- what is offered --------------------------------------------------------------------------------------------

    def _offers(self) -> list[Offered]:
        node = self.node.get("offers")
        entries = node.items if isinstance(node, Items) else (node,) if node is not None else ()
        found: list[Offered] = []
        for entry in entries:
            if not isinstance(entry, Scalar):
                continue
            offered = self._offer(entry)
            if offered is not None:
                found.append(offered)
        if not entries:
            self.unit.bag.add(
                "nobody-can-act", self.node.span, f"the window `{self.name}` offers nothing", "add `offers: [act, …]`"
            )
        return found

    def _offer(self, entry: Scalar) -> Offered | None:
        unit = self.unit
        if entry.text in unit.game.actions:
            unit.called.add(f"action.{entry.text}")
            action = action_of(unit, entry.text, self.target)
            return Offered(entry, action, label=action.label)
        head, _, act = entry.text.rpartition(".")
        if not head:
            known = [
                *unit.game.actions,
                *(f"{kind.plural}.{name}" for kind in unit.game.kinds.values() for name in kind.acts if kind.plural),
            ]
            hint = did_you_mean(entry.text, known) or "an offer is an action, or `things.act`"
            if entry.text in unit.game.removed:
                unit.infer.unknown(entry.text, entry.span, "", hint)
            else:
                unit.bag.add("offer-not-an-act", entry.span, f"`{entry.text}` is no action", hint)
            return None
        things = unit.infer.as_set(unit.infer.scalar(Scalar(entry.span, head, head, entry.plain), self.scope))
        if not isinstance(things.type, t.SetOf) or not isinstance(things.type.of, t.Thing):
            return None
        eyes.told(unit, things, entry.span, "this offer", ANYBODY)
        unit.tested(things, entry.span, "this offer")
        kinds = things.type.of.kinds
        for kind in kinds:
            if act not in unit.game.kinds[kind].acts:
                unit.bag.add(
                    "offer-not-an-act",
                    entry.span,
                    f"{kind} has no act `{act}`",
                    did_you_mean(act, unit.game.kinds[kind].acts),
                )
                return None
            unit.called.add(f"act.{kind}.{act}")
        offered = Offered(entry, None, things, act, kinds)
        self._tables(offered)
        return offered

    def _tables(self, offered: Offered) -> None:
        """Per thing the procedures of its act. What cannot be played in this window has one that says no; so has what
        does not write the act: the kind says what such acts share, the item that it has one (`use: {}` if there is
        nothing to add)."""
        unit = self.unit
        assert offered.things is not None
        assert isinstance(offered.things.type, t.SetOf)
        universe = unit.universe(offered.things.type.of)
        legal, run = [0] * universe.count, [0] * universe.count
        never = unit.proc(f"never.{2 + self.words}", 2 + self.words, 1, _never)
        nothing = unit.proc(f"nothing.{2 + self.words}.run", 2 + self.words, 0, lambda proc: proc.put(isa.RET))
        offering = {
            kind.name: kind.acts[offered.act].get("during")
            for kind in unit.game.kinds.values()
            if any(unit.infer.is_a(kind.name, one) for one in offered.kinds)
        }
        for place in range(universe.count):
            thing = unit.game.things[universe.first + place - 1]
            legal[place], run[place] = never.number, nothing.number
            item = thing.item
            own = item.acts.get(offered.act) if item is not None else None
            if item is None or own is None or item.kind not in offering or never_in(unit.game, offered.things, item):
                continue
            during = own.get("during") or offering[item.kind]
            if isinstance(during, Scalar) and during.text not in unit.game.verbs:
                unit.bag.add(
                    "unknown-word",
                    during.span,
                    f"there is no verb `{during.text}`",
                    did_you_mean(during.text, unit.game.verbs),
                )
                continue
            if isinstance(during, Scalar) and during.text != self.target:
                continue
            action = card_act(unit, item, offered.act, self.target)
            legal[place], run[place], offered.label = action.legal.number, action.run.number, action.label
        offered.legal = unit.layout.table(legal)
        offered.run = unit.layout.table(run)

    # --- gathering --------------------------------------------------------------------------------------------------

    def gather(self, allowed: int, able: int, found: int) -> None:
        """Offer all legal acts of the players in the set at `allowed`; `able` becomes those who have one, slot
        `found` 1 if any."""
        proc = self.proc
        proc.put(isa.SNEW, able, self.seats.words)
        proc.push(0)
        proc.store(found)
        for offered in self.offers:
            with proc.block(), proc.at(offered.node.span):
                if offered.action is not None:
                    parts = Parts(offered.node.text, (self.unit.game.actions[offered.node.text],))
                    self._gather_doers(parts, Scope(), None, offered, allowed, able, found)
                elif offered.things is not None and isinstance(offered.things.type, t.SetOf):
                    self._gather_things(offered, allowed, able, found)

    def _gather_things(self, offered: Offered, allowed: int, able: int, found: int) -> None:
        proc, unit = self.proc, self.unit
        assert offered.things is not None
        assert isinstance(offered.things.type, t.SetOf)
        of = offered.things.type.of
        slot, universe = self.values.set(offered.things)
        card = Var("self", of, slot=proc.slot())

        def one() -> None:
            end = proc.label()
            for number, kind_name in enumerate(offered.kinds):
                kind = unit.game.kinds[kind_name]
                following = proc.label()
                thing = E("var", t.Thing(kind_name), data=card)
                if len(offered.kinds) > 1 and number + 1 < len(offered.kinds):
                    self.values.put(E("is_kind", t.Bool(), (thing,), (kind_name,)))
                    proc.put(isa.JZ, following)
                parts = Parts(f"{kind_name}.{offered.act}", (kind.acts[offered.act],), None, kind)
                self._gather_doers(parts, Scope(self_=thing), card, offered, allowed, able, found)
                proc.put(isa.JMP, end)
                proc.set(following)
            proc.set(end)

        self.values.loop(slot, universe, card.slot, one)

    def _gather_doers(
        self, parts: Parts, scope: Scope, card: Var | None, offered: Offered, allowed: int, able: int, found: int
    ) -> None:
        proc, unit = self.proc, self.unit
        who = doers(unit, parts, scope)
        if who is None or not isinstance(who[1].type, t.SetOf):
            return
        doer = Var(who[0], who[1].type.of)
        seat = unit.player_of(E("var", doer.type, data=doer))
        if seat is None:
            unit.bag.add(
                "nobody-can-act",
                parts.span,
                f"{t.show(doer.type)} is no player and has no owner",
                "who may act is a player, or a thing that a player owns",
            )
            return

        def one() -> None:
            skip = proc.label()
            player = proc.slot()
            self.values.put(seat)
            proc.store(player)
            proc.load(player)
            proc.put(isa.SHAS, allowed, self.seats.first, self.seats.count)
            proc.put(isa.JZ, skip)
            self._arguments(doer, card)
            if offered.action is not None:
                proc.put(isa.CALL, offered.action.legal.number)
            else:
                self._entry(offered, card, offered.legal)
                proc.put(isa.CALLI, 2 + self.words, 1)
            proc.put(isa.JZ, skip)
            proc.load(player)
            proc.push(offered.label)
            proc.load(doer.slot)
            proc.load(card.slot) if card is not None else proc.push(0)
            proc.put(isa.OPT)
            proc.load(player)
            proc.put(isa.SADD, able, self.seats.first, self.seats.count)
            proc.push(1)
            proc.store(found)
            proc.set(skip)

        self.values.each(who[1], doer, one)

    def _arguments(self, doer: Var, card: Var | None) -> None:
        if card is not None:
            self.proc.load(card.slot)
        self.proc.load(doer.slot)
        for word in range(self.words):
            self.proc.load(word)

    def _entry(self, offered: Offered, card: Var | None, table: int) -> None:
        assert card is not None
        assert offered.things is not None
        assert isinstance(offered.things.type, t.SetOf)
        universe = self.unit.universe(offered.things.type.of)
        self.proc.load(card.slot)
        self.proc.put(isa.LDC, table, universe.first, universe.count)

    def perform(self) -> None:
        """Do the act that was chosen."""
        proc = self.proc
        end = proc.label()
        for offered in self.offers:
            following = proc.label()
            with proc.block(), proc.at(offered.node.span):
                proc.put(isa.ANS, 1)
                proc.push(offered.label)
                proc.put(isa.EQ)
                proc.put(isa.JZ, following)
                doer = Var("doer", t.Unknown(), slot=proc.slot())
                proc.put(isa.ANS, 2)
                proc.store(doer.slot)
                card: Var | None = None
                if offered.action is None:
                    card = Var("card", t.Unknown(), slot=proc.slot())
                    proc.put(isa.ANS, 3)
                    proc.store(card.slot)
                self._arguments(doer, card)
                if offered.action is not None:
                    proc.put(isa.CALL, offered.action.run.number)
                else:
                    self._entry(offered, card, offered.run)
                    proc.put(isa.CALLI, 2 + self.words, 0)
                proc.put(isa.JMP, end)
            proc.set(following)
        proc.set(end)

    # --- orders -----------------------------------------------------------------------------------------------------

    def _players(self, slot: int) -> None:
        """The players who may act in this window, as a set."""
        who = self.node.get("who")
        self.proc.put(isa.SNEW, slot, self.seats.words)
        if who is None:
            self.proc.put(isa.SPLAY, slot, self.seats.first, self.seats.count)
            return
        whole = self.unit.infer.as_set(self.unit.infer.value(who, self.scope))
        eyes.told(self.unit, whole, who.span, "who is asked", ANYBODY)
        self.unit.tested(whole, who.span, "this `who`")
        if not isinstance(whole.type, t.SetOf) or not isinstance(whole.type.of, t.Thing):
            return
        it = Var("it", whole.type.of)
        seat = self.unit.player_of(E("var", it.type, data=it))
        if seat is None:
            self.unit.bag.add(
                "nobody-can-act",
                who.span,
                f"{t.show(it.type)} is no player and has no owner",
                "who may act is a player, or a thing that a player owns",
            )
            return

        def add() -> None:
            self.values.put(seat)
            self.proc.put(isa.SADD, slot, self.seats.first, self.seats.count)

        self.values.each(whole, it, add)

    def _ask(self, player: int | None) -> None:
        row = QuestionRow(self.name, "act", texts.title(self.name), TypeRow("act"))
        if player is None:
            self.proc.push(0)
        else:
            self.proc.load(player)
        self.proc.put(isa.ASK, self.unit.question(row))

    def _word(self, word: str) -> int:
        """The label of `pass` and `done`; word a is the player."""
        text = "pass" if word == "pass" else "done"
        return self.unit.label(
            word, TextRow(word, f"{{player}}: {text}", ("player",), (self.unit.row(self.seat_kind),))
        )

    def _option(self, label: int, player: Callable[[], None]) -> None:
        player()
        self.proc.push(label)
        player()
        self.proc.push(0)
        self.proc.put(isa.OPT)

    def _free(self) -> None:
        proc = self.proc
        closes = self.node.get("closes")
        by = closes.get("by") if isinstance(closes, Map) else None
        how = closes.text if isinstance(closes, Scalar) else "all_passed"
        passed, able, players = (proc.slot(self.seats.words) for _ in range(3))
        found, at = proc.slot(), proc.slot()
        proc.put(isa.SNEW, passed, self.seats.words)
        top, end = proc.label(), proc.label()
        proc.set(top)
        self._players(players)
        proc.put(isa.SOP, players, passed, self.seats.words, 3)
        self.gather(players, able, found)
        proc.load(found)
        proc.put(isa.JZ, end)
        pass_label, done_label = self._word("pass"), self._word("done")
        if by is not None:
            seat = self.st.player(by, self.scope, by.span)
            if seat is not None:
                who = proc.slot()
                self.values.put(seat)
                proc.store(who)
                self._option(done_label, lambda: proc.load(who))
        elif how != "one":
            self.values.loop(able, self.seats, at, lambda: self._option(pass_label, lambda: proc.load(at)))
        only = proc.slot()
        self._single(able, only, by is None)
        self._ask(only)
        proc.put(isa.ANS, 1)
        proc.push(done_label)
        proc.put(isa.EQ)
        proc.put(isa.JNZ, end)
        if by is None and how != "one":
            acted = proc.label()
            proc.put(isa.ANS, 1)
            proc.push(pass_label)
            proc.put(isa.EQ)
            proc.put(isa.JZ, acted)
            proc.put(isa.ANS, 0)
            proc.put(isa.SADD, passed, self.seats.first, self.seats.count)
            proc.put(isa.JMP, top)
            proc.set(acted)
            proc.put(isa.SNEW, passed, self.seats.words)
        self.perform()
        if how == "one":
            proc.put(isa.JMP, end)
        proc.put(isa.JMP, top)
        proc.set(end)
        proc.put(isa.RET)

    def _single(self, able: int, only: int, alone: bool) -> None:
        """Slot `only`: the one player who can act, or 0 if there are several (each option has its own player)."""
        proc = self.proc
        proc.push(0)
        proc.store(only)
        if not alone:
            return
        several = proc.label()
        proc.put(isa.SCNT, able, self.seats.words)
        proc.push(1)
        proc.put(isa.EQ)
        proc.put(isa.JZ, several)
        proc.put(isa.SNEXT, able, self.seats.first, self.seats.words, only, several)
        proc.set(several)

    def _in_turn(self, how: str) -> None:
        """Seat after seat; closed when all have passed one after the other (or after one act)."""
        proc = self.proc
        closes = self.node.get("closes")
        once = isinstance(closes, Scalar) and closes.text == "one"
        if isinstance(closes, Map):
            self.unit.bag.add(
                "wrong-type",
                closes.span,
                f"a window in the order `{how}` closes by passing, not by one player",
                "write `closes: all_passed` or `closes: one`, or `order: free`",
            )
        players, able, alone = (proc.slot(self.seats.words) for _ in range(3))
        found, seat, passes = proc.slot(), proc.slot(), proc.slot()
        top, end, passing, step = (proc.label() for _ in range(4))
        active = self.unit.player_of(E("word", t.Thing(self.unit.infer.active_kind()), data="active"))
        if active is not None:
            self.values.put(active)
        else:
            proc.push(self.seats.first)
        proc.store(seat)
        if how == "opponent_first":
            self._advance(seat)
        proc.push(0)
        proc.store(passes)
        proc.set(top)
        self._players(players)
        proc.load(passes)
        proc.put(isa.SCNT, players, self.seats.words)
        proc.put(isa.LT)
        proc.put(isa.JZ, end)
        proc.load(seat)
        proc.put(isa.SHAS, players, self.seats.first, self.seats.count)
        proc.put(isa.JZ, step)
        proc.put(isa.SNEW, alone, self.seats.words)
        proc.load(seat)
        proc.put(isa.SADD, alone, self.seats.first, self.seats.count)
        self.gather(alone, able, found)
        proc.load(found)
        proc.put(isa.JZ, passing)
        label = self._word("pass")
        self._option(label, lambda: proc.load(seat))
        self._ask(seat)
        proc.put(isa.ANS, 1)
        proc.push(label)
        proc.put(isa.EQ)
        proc.put(isa.JNZ, passing)
        self.perform()
        proc.push(0)
        proc.store(passes)
        if once:
            proc.put(isa.JMP, end)
        proc.put(isa.JMP, step)
        proc.set(passing)
        proc.load(passes)
        proc.push(1)
        proc.put(isa.ADD)
        proc.store(passes)
        proc.set(step)
        self._advance(seat)
        proc.put(isa.JMP, top)
        proc.set(end)
        proc.put(isa.RET)

    def _advance(self, seat: int) -> None:
        var = Var("seat", self.seat_kind, slot=seat)
        self.values.put(E("next_seat", self.seat_kind, (E("var", self.seat_kind, data=var),)))
        self.proc.store(seat)


def _never(proc: Proc) -> None:
    proc.push(0)
    proc.put(isa.RET)
