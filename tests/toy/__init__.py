"""A game small enough to solve by hand: it proves the frame and every engine.

*Cards*: the cards 1 .. K lie in a random order. In each turn one is drawn and the seat on turn
hands it to any seat, itself included; the last card is kept by whoever draws it. A seat's score
is the sum of its cards, the most points win. In the variant *secret cards* every seat is first
dealt a card that only it sees and that counts when the match is over.

By hand, for two seats: a card handed out at random moves the margin by nothing on average, so a
position's mean margin under random play is the present one plus, or minus, the mean of the cards
left, after whoever draws the last one. Under best play everybody keeps everything.
"""
