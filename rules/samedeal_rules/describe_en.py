"""The words of the rules in English. `describe_es` has the same keys."""

from __future__ import annotations

from typing import Final

__all__ = ["ENGLISH"]

ENGLISH: Final[dict[str, str]] = {
    # Names, and a line on what each game is.
    "title.timed": "timed Klondike",
    "title.klondike": "classic Klondike",
    "title.freecell": "FreeCell",
    "title.spider-1": "Spider, one suit",
    "title.spider-2": "Spider, two suits",
    "title.spider-4": "Spider, four suits",
    "title.spanish": "Klondike with the Spanish deck",
    "line.timed": "the race: high points, cards turned by hand, undo is dear",
    "line.klondike-1": "draw one: the easier Klondike",
    "line.klondike-3": "draw three: the harder one",
    "line.freecell": "everything lies open; nearly every deal can be won",
    "line.spider-1": "one suit: quiet, runs come almost by themselves",
    "line.spider-2": "two suits: balanced",
    "line.spider-4": "four suits: a battle",
    "line.spanish": "oros, copas, espadas, bastos; first to clear wins; house options",
    # Headings.
    "head.layout": "The table",
    "head.moves": "What you may do",
    "head.automatic": "Cards that go up by themselves",
    "head.points": "Points",
    "head.winner": "Who wins",
    "head.undo": "Undo",
    "head.options": "Options",
    "head.readings": "Readings",
    "head.tips": "Tips for beginners",
    "head.unwinnable": "Deals that can't be won",
    "head.notation": "How moves are written",
    "word.what": "what",
    "word.rule": "rule",
    "word.for": "for",
    "word.points": "points",
    "word.option": "option",
    "word.values": "values",
    "word.default": "default",
    "word.and": "and",
    "word.each": "each",
    "word.reading": "Reading",
    "word.game": "game",
    "word.none": "none",
    "doc.as": "As {first}, but:",
    # Ranks.
    "rank.A": "ace",
    "rank.J": "jack",
    "rank.Q": "queen",
    "rank.K": "king",
    "rank.T": "10",
    "rank.1": "as",
    "rank.R": "rey",
    # Suits.
    "suit.C": "clubs",
    "suit.D": "diamonds",
    "suit.H": "hearts",
    "suit.S": "spades",
    # The table.
    "layout.cards": "{cards} cards.",
    "layout.cards_spider": "{cards} cards: {times} times {suits}.",
    "layout.cards_spanish": "{cards} cards: oros and copas (red), espadas and bastos (green); "
    "as, 2 to {high}, sota, caballo, rey. The sota comes right after the {high}.",
    "layout.columns": "{count} columns: {lengths}.",
    "layout.triangle": "of 1 to {most} cards",
    "layout.group": "{count} of {cards}",
    "layout.last_up": "The last card of each lies face up.",
    "layout.all_up": "All cards lie face up.",
    "layout.stock": "{stock} cards in the stock.",
    "layout.cells": "{cells} cells for one card each.",
    "layout.reserve": "{reserve} cards face up in a row, the reserve, all in play.",
    "layout.no_stock": "No stock: everything is known.",
    "layout.time": "{seconds} seconds, unless the duel says otherwise.",
    # Moves.
    "move.columns": "in the columns",
    "fit.alternate": "down by one, alternating colours",
    "fit.example": "(on {lower}: {uppers})",
    "fit.any": "a card goes on any card one rank higher, whatever the suit",
    "fit.suit": "down by one, in the same suit",
    "move.runs": "several cards at once",
    "run.alternate": "a run of alternating colours, or any lower part of one",
    "run.any": "cards in sequence",
    "run.suit": "only if all are of one suit and in sequence",
    "run.limit": "at most (empty cells + 1), doubled for each empty column; a column that they go "
    "to does not count. With two cells free: {full}; with an empty column beside: {beside}; "
    "onto that empty column: {onto}",
    "move.empty": "on an empty column",
    "empty.kings": "only a {king}, or a run that starts with a {king}",
    "empty.any": "any card, or any run",
    "move.foundation": "on a foundation",
    "foundation.up": "one card at a time, by suit, from the {ace} up",
    "move.back": "back from a foundation",
    "back.yes": "the top card may go back to a column where it fits",
    "back.no": "never",
    "move.cells": "in a cell",
    "cells.rule": "one card; from there to a column where it fits, or to its foundation",
    "move.reserve": "from the reserve",
    "reserve.rule": "any of its cards, to a column or its foundation. A place that was emptied "
    "stays empty, the others keep their numbers",
    "move.draw": "draw `d`",
    "draw.one": "one card at a time; only the top card of the waste is in play",
    "draw.many": "{draw} cards at a time, the last on top (fewer if fewer are left); only the top "
    "card of the waste is in play",
    "draw.row": "deal one card face up on each of the {columns} columns. Refused while a column is "
    "empty, except when there are fewer cards on the table than columns",
    "move.redeal": "redeal `r`",
    "redeal.none": "none: one pass through the stock",
    "redeal.count": "at most {redeals}, once the stock is empty; the cards come back in the same "
    "order",
    "redeal.any": "as often as you like, once the stock is empty; the cards come back in the same "
    "order. Drawing never becomes a redeal by accident",
    "move.turn": "a face-down card",
    "turn.hand": "**by hand** (`x3`): an uncovered face-down card stays face down until you turn "
    "it. It can't be moved and nothing can be put on it until then",
    "turn.self": "turns by itself when the card on it moves away",
    "move.run": "a complete run",
    "run.leaves": "{cards} face-up cards of one suit from {king} to {ace}, at the end of a column, "
    "leave the table by themselves, whether a move or a deal completed them, and turn the card "
    "under them. The table is clear when all {runs} are gone. There are no foundations to play "
    "to by hand",
    # Automatic moves.
    "automatic.none": "None.",
    "automatic.all_four": "After each accepted move (drawing and turning too), every face-up card "
    "on the end of a column or on top of the waste goes up by itself if **all four** cards of the "
    "rank below are on the foundations. An ace always does. Such cards score as if you had put "
    "them up, and belong to the move that set them off. They go in sweeps: one card from each "
    "place that has one, columns from the left and then the waste, and again until nothing moves.",
    "automatic.both": "After each accepted move, cards that the table no longer needs go up by "
    "themselves: first from the columns, left to right, then from the cells, and again until "
    "nothing moves. They score. There is no other auto-finish.",
    "automatic.at_end": "None during play. *Auto-finish*: once all cards are face up, the stock is "
    "empty and the waste holds at most one card, the rest goes up by itself and scores, also cards "
    "that were once taken back. With two cards in the waste, or one in the stock, or one card face "
    "down, it waits.",
    # Points.
    "points.card": "a card to its foundation, every time",
    "points.card_once": "a card on its foundation, **the first time** it gets there",
    "points.turned": "a face-down card of a column turned (there are {down})",
    "points.waste": "a card from the waste to a column",
    "points.back": "a card back from a foundation",
    "points.again": "0, and 0 when it goes up again",
    "points.run": "a complete run ({cards} cards)",
    "points.redeal": "each new pass from pass {first} on",
    "points.redeal_when": "{price}, when the redeal that begins it is made",
    "points.undo": "undo",
    "points.undo_price": "the move's points are taken back, then {price}",
    "points.undo_free": "free; brings back the score from before the move",
    "points.clear": "the table is clear",
    "points.clear_time": "{best} less {loss} for each whole second played, never below 0",
    "points.clear_minutes": "+{minute} for each whole minute that remains, **and** the early-end "
    "points",
    "points.early": "early end (you end the game, or the table is clear)",
    "points.early_s": "+1 for every whole {early} seconds that remain",
    "points.timeout": "the countdown ends",
    "points.timeout_nothing": "nothing more",
    "points.no_early": "Ending early, or running out of time, brings no bonus.",
    "points.floor": "The score never falls below {floor}. It is cut at each step, and its items "
    "count what was really added or taken.",
    "points.floor_example": "A card taken back with 10 points on the account costs 10, not {back}.",
    "points.items": "Items of the score: {items}. They add up to it.",
    "winner.points": "The higher score; equal scores: whose game ended earlier, in milliseconds; "
    "both equal: the same place, and the next place is skipped.",
    "winner.first": "There are no points (the score is null). Who clears the table is before who "
    "does not; of those who cleared it, the earlier one; of the others, who has more cards up. "
    'A duel of two is "a dos".',
    # Undo.
    "undo.price": "Takes the last move and its points back, with everything that it set off, then "
    "costs {price}. The clock is not given back.",
    "undo.free": "Free. Takes back the last move with everything that it set off. The clock is "
    "not given back.",
    "undo.depth": "Reaches back {depth} moves; number {more} in a row is refused.",
    "undo.deal": "Reaches all the way to the deal.",
    "undo.row": "A deal is undone too: the run, the hidden card, the points and the cards of the "
    "stock come back.",
    "undo.reveals": "A card that the move had turned up is face down again, but you have seen it: "
    "undoing can't take knowledge back. That is what the price of an undo is for, where there is "
    "one.",
    # Options.
    "option.none": "None.",
    "option.draw": "cards drawn at a time",
    "option.redeals": 'how often the waste becomes the stock again; 0 is one pass ("sin vueltas")',
    "option.stock": 'false is "sin mazo": the left-over cards lie face up in a row, the reserve, '
    "all in play (`v4-t2`, `v4-f`); a place that was emptied stays empty, the others keep their "
    "numbers; not together with draw or redeals, whatever their value",
    "option.prices": "The prices of passes stay as they are.",
    "option.deck": "48 adds ochos and nueves: longer foundations, and 20 cards left over",
    "option.deal": "a numbered deal of Microsoft's FreeCell (`ms:11982` is the famous one that "
    "can't be won); there is no seed then, and the record says that somebody chose the deal",
    "option.shown": "A duel with options says so wherever its game is named. They do not change "
    "the order of the cards: the same seed is the same deal (of the same deck).",
    # Readings: where the source leaves a gap or contradicts itself.
    "reading.every_rank": "*every rank.* The source says that cards which no longer serve go up by "
    "themselves and gives one example (a 5 when all fours are up). We take it literally for every "
    "rank, and include the top of the waste.",
    "reading.no_longer_needed": "*no longer needed.* Both cards of the other colour and of the "
    "rank below are on their foundations. Aces and twos go as soon as they fit.",
    "reading.not_at_deal": "*not at the deal.* Nothing moves before your first move, even if an "
    "ace lies open; nor right after an undo.",
    "reading.taken_back": "*a card that you took back stays.* A card that you took back from a "
    "foundation is never sent up again by itself in that game; you put it up by hand. (Otherwise "
    "taking it back would be undone at once.) Undoing the move that took it back lifts this.",
    "reading.total": "*{total}, not 30,000.* The source's table adds up to {suit} a suit, {total} "
    "in all; it also says that all cards make 30,000. Both can't hold. The table is the rule, "
    "because it is what you see counted, card by card; there is no cap and no bonus on top. With "
    "all cards turned the most before time bonuses is {most}.",
    "reading.passes": "*which pass costs.* The stock as dealt is pass 1. A redeal costs from the "
    "one on that begins pass {first}; the redeals before it are free.",
    "reading.time_bonuses": "*time bonuses.* The minutes need a clear table; the early-end points "
    "are for every early end. A clear table gets both, so that clearing is never worth less than "
    "giving up. With 125.9 seconds left: {minutes} + {early} = {sum}.",
    "reading.below_zero": "*below zero.* The source names no floor: penalties may make your score "
    "negative.",
    "reading.undo_reach": "*how far undo reaches.* All the way to the deal. (The source names only "
    'the price, and "the last move".)',
    "reading.which_bonus": "*which bonus.* It goes by the number of cards drawn at a time in this "
    "duel, whatever the game's name: one at a time {one}, three {three}.",
    "reading.nothing_back": "*nothing comes back.* Foundations do not give cards back: the source "
    "lists no such move.",
    "reading.undo_no_limit": "*undo* has no limit.",
    "reading.playing_on": "*playing on.* Who is not first may play on for the next place until the "
    "time is up.",
    "reading.same_place": "*the same place.* Not clear and equal cards up is the same place, "
    "whoever ended earlier.",
    "reading.vueltas": '*"vueltas"* are redeals: "sin vueltas" is one pass and no redeal.',
    "reading.en_fila": '*"en fila".* The reserve\'s cards are all in play.',
    # Tips, in our own words.
    "tip.uncover": "Uncover before you build: of two moves, the one that turns a face-down card "
    "is nearly always better, and best where most cards lie hidden.",
    "tip.low_first": "Aces and twos first: nothing in the columns ever needs them.",
    "tip.keep_column": "Don't empty a column before you have a {king} for it.",
    "tip.keep_any": "An empty column is the best place there is: fill it only to get two for it.",
    "tip.hold_back": "Don't send up what you still need: a middle card in a column may be what "
    "the next one has to lie on.",
    "tip.redeals": "Redeals are a resource: look through the stock once before you play from it, "
    "and know what comes.",
    "tip.redeals_few": "Redeals are a resource, and you have {redeals}: know what you pass by.",
    "tip.redeals_cost": "Redeals are a resource: from pass {first} on each costs {price}. Take "
    "what you can before.",
    "tip.every_third": "Playing one card from the waste changes which cards come up in the next "
    "pass.",
    "tip.cells": "A cell is easily filled and hard to empty: plan the way back before you use it.",
    "tip.count": "Count how many cards can move at once before you begin a long move.",
    "tip.one_suit": "Build in one suit where you can: mixed runs don't move.",
    "tip.before_deal": "Before a deal turn and tidy all you can: it covers every column.",
    "tip.end": "When nothing is left to win, end the game: the time that remains is worth points.",
    "tip.undo_dear": "Think before you move: an undo costs more than most moves bring.",
    "tip.undo_free": "Undo is free: try a way, look at what it shows, and take it back.",
    "tip.reserve": "Every card of the reserve is open to you: plan with them from the start.",
    # On unwinnable deals.
    "unwinnable.default": "Some deals can't be won by anybody. Everybody has the same one, so the "
    "race is fair all the same: who gets further wins.",
    "unwinnable.timed": "As in every Klondike, about one deal in five can't be cleared even if one "
    "knew every card. Everybody has the same one, and points count whether the table "
    "is clear or not.",
    "unwinnable.klondike": "About one Klondike deal in five can't be won even if one knew every "
    "card, and fewer are won in practice. Everybody has the same one, so the race is fair all the "
    "same: who gets further wins.",
    "unwinnable.freecell": "Very few FreeCell deals can't be won: of the first million numbered "
    "ones eight, `ms:11982` the best known. Everybody has the same one all the same.",
    "unwinnable.spider": "Nobody has counted the Spider deals that can't be won. With one suit "
    "they are rare, with four most are not won in practice. Everybody has the same one.",
    # Notation.
    "notation.d": "draw (refused when the stock is empty)",
    "notation.d_row": "deal (refused when the stock is empty)",
    "notation.r": "redeal; refused unless the stock is empty and the waste is not",
    "notation.x": "turn the face-down end card of column 3",
    "notation.columns": "a card from column 5 to column 2; three cards",
    "notation.waste": "from the waste",
    "notation.foundation": "to the foundation",
    "notation.cells": "to a cell and from it",
    "notation.reserve": "from the reserve",
    "notation.back": "back from a foundation to column 3",
    "notation.u": "undo",
    "notation.end": "end your game",
}
