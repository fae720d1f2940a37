"""What a player at a terminal is told beside the board: what the last command did, the time, how it was won."""

from patience.lines import card_of, tidy
from patience.positions import cards_in, lists_in, parts
from patience.rules import count_of

MOST_TURNED = 3  # cards turned up that the status line names
BETWEEN = " · "


def perform(sitting, move):
    """Make a move. Return what the game says of it, what it did, for the status line, and the card that
    it moved, or None. Raises Refused if it is not allowed."""
    rules = sitting.rules
    before, faces = places(sitting.game), faces_of(sitting.game)
    legal = rules.refusal(sitting.game, *move) is None
    did = tidy(rules.describe(sitting.game, *move)) if legal else ""
    said = sitting.perform(move)
    named = card_of(did.split()[0]) if did else None
    after = places(sitting.game)
    moved = [card for card in cards_in(parts(sitting.game))
             if (card.rank(), card.suit()) == named and before.get(id(card)) != after[id(card)]]
    turned = [str(card).strip() for card in cards_in(parts(sitting.game))
              if faces.get(id(card)) is False and card.is_face_up()]
    if 0 < len(turned) <= MOST_TURNED:
        did += f", {' '.join(turned)} turned up"
    return said, did, moved[0] if moved else None


def places(game):
    """Return where each card of a position lies: a dict of id -> (number of the list, place in it)."""
    return {id(card): (number, place)
            for number, pile in enumerate(lists_in(parts(game)))
            for place, card in enumerate(pile) if not isinstance(card, list)}


def faces_of(game):
    """Return which cards lie face up: a dict of id -> bool. Empty where cards cannot be turned."""
    return {id(card): card.is_face_up() for card in cards_in(parts(game)) if hasattr(card, "is_face_up")}


def line(table):
    """Return the status line of a table."""
    sitting = table.sitting
    told = [str(sitting.number)] if sitting.number is not None else []
    told.append(count_of(len(sitting.done), "move"))
    if sitting.started is not None:
        told.append(minutes(sitting.seconds()))
    told.append(sitting.rules.status(sitting.game))
    told.append(table.did)
    return BETWEEN.join(filter(None, told))


def how_it_was_won(table, best):
    """Return what is told of a game that has just been won. best: the seconds of the fastest one won
    before, or None."""
    sitting = table.sitting
    told = f"{'Solved' if sitting.solved else 'Won'} in {count_of(len(sitting.done), 'command')}"
    seconds = sitting.seconds()
    if seconds is not None:
        told += f", {minutes(seconds)}"
    is_best = best is not None and seconds is not None and int(seconds) < int(best) and not sitting.solved
    if is_best and not sitting.counted:
        told += f", new best; was {minutes(best)}"
    if sitting.hints_given:
        told += f", with {count_of(sitting.hints_given, 'hint')}"
    told += f" (your best {minutes(best)})." if best is not None and not is_best else "."
    if sitting.number is not None:
        told += f"\npython main.py {sitting.how_to_deal()} deals it again."
    return told


def minutes(seconds):
    """Return a time as minutes and seconds, 3:07, or - for None."""
    return "-" if seconds is None else f"{int(seconds) // 60}:{int(seconds) % 60:02}"
