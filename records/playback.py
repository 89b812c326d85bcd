"""Playing a game from a file: judged like a game at the table or, on request, carried on as recorded."""

from dataclasses import dataclass, field

from engine import Action, BadAction, PlayerId, Refused, State, Title, apply, apply_unjudged, decision, present_step
from engine.actions import Pass
from records.known import known_difference


@dataclass(slots=True)
class Playback:
    """`state` is the position reached. `as_recorded`: actions that the rules refuse are played anyway, and listed."""

    title: Title
    state: State
    as_recorded: bool = False
    against_rules: list[str] = field(default_factory=list)
    """What was played against the rules, a sentence each."""

    def play(self, action: Action, where: str) -> bool:
        """Play an action, which `where` names for people. Returns False for a pass that is not needed here.

        Raises Refused if the rules refuse it and that matters, and BadAction if it cannot be played at all.
        """
        try:
            self.state = apply(self.title, self.state, action)
            if self.against_rules:
                self._check_holdings()
            return True
        except Refused as refusal:
            known = known_difference(self.title, self.state, refusal)
            if not self.as_recorded:
                raise Refused(action, refusal.rule, f"{refusal.text} {known}".rstrip()) from refusal
            self.against_rules.append(f"{where} is refused by the rules: {refusal}")
        if isinstance(action, Pass) and not self._is_asked(action):
            return False
        self.state = apply_unjudged(self.title, self.state, action)
        self._check_holdings()
        return True

    def _check_holdings(self) -> None:
        """Stop at what is less than nothing, which playing against the rules can cause; nobody goes on from there."""
        s = self.state
        poor = [holder for holder in (*self.title.corporations, *s.names) if s.cash[holder] < 0]
        short = [holder for held in s.shares.values() for holder, count in held.items() if count < 0]
        if poor or short:
            who = (poor or short)[0]
            raise BadAction(f"{s.names.get(PlayerId(who), who)} {'cannot pay' if poor else 'has no such shares'}.")

    def _is_asked(self, action: Pass) -> bool:
        step = present_step(self.title, self.state)
        return Pass in step.by_action and action.by in decision(self.title, self.state).players
