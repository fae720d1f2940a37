"""Another cards.py, such as a grader may have: padded ranks, letters for suits, a stacked deck.

It has what games use of the course's module, and shares nothing with ours. The deck is the one in
patience/grading/courses/montana/sessions/course.deck, and shuffle leaves it unchanged.
"""

ORDER = """
2C 3C 4C 5C 6C 7C 8C 9C 10C AC 5H QH JD 2S 3S 4S 5S 6S AS 7H 9S KS 10S KC 7S 4H
2D 3D 4D 5D 6D 7D 8D 9D 10D AD KH 8H 6H 2H AH QD JS 10H 9H 8S QS 3H KD QC JH JC
"""
NAMES = [" x", " A", " 2", " 3", " 4", " 5", " 6", " 7", " 8", " 9", "10", " J", " Q", " K"]


class Card(object):
    def __init__(self, rank=0, suit=0):
        self.__rank = rank
        self.__suit = suit
        self.__face_up = True

    def rank(self):
        return self.__rank

    def suit(self):
        return self.__suit

    def value(self):
        return 10 if self.__rank > 10 else self.__rank

    def is_face_up(self):
        return self.__face_up

    def flip_card(self):
        self.__face_up = not self.__face_up

    def __str__(self):
        return NAMES[self.__rank] + "xcdhs"[self.__suit] if self.__face_up else " XX"

    __repr__ = __str__

    def __eq__(self, other):
        return isinstance(other, Card) and self.__rank == other.__rank and self.__suit == other.__suit


class Deck(object):
    def __init__(self):
        self.__deck = []
        for name in reversed(ORDER.split()):
            self.__deck.append(Card(NAMES.index(f"{name[:-1]:>2}"), "xCDHS".index(name[-1])))

    def shuffle(self):
        pass

    def deal(self):
        return self.__deck.pop() if self.__deck else None

    def is_empty(self):
        return self.__deck == []

    def __len__(self):
        return len(self.__deck)
