"""Words for comparing by voice: short, common, and not alike in sound."""

from __future__ import annotations

from typing import Final

__all__ = ["WORDS"]

WORDS: Final = tuple(
    # A list of 256 quoted words would be a page of punctuation.
    """
    acorn actor amber anchor apple april apron arrow atlas autumn badge bagel baker bamboo
    banjo barn basil basket beach bean bear beaver bell berry bike birch bird biscuit blanket
    blue boat bold bonfire book boot bottle bowl branch brave bread breeze brick bridge bright
    brook broom brush bubble bucket butter button cabin cable cactus cake camel camera candle
    canoe canyon carbon carrot castle cat cave cedar cello chair chalk cherry chess chest
    circle city clay cliff cloud clover coast cobra coffee comet copper coral cotton cousin
    crane crater cricket crown crystal cup curtain daisy dance dawn deer delta desert diamond
    dinner doctor dolphin donkey door dragon dream drum duck eagle early earth easel echo
    elbow elm ember engine evening fabric falcon family farm feather fence fern ferry fiddle
    field finch fire fish flag flame flute forest fossil fox frost fruit galaxy garden garlic
    gate ginger giraffe glacier glass globe goat gold goose grain grape green guitar hammer
    harbor harp hat hawk hazel helmet heron hill honey horse hotel house island ivory ivy
    jacket jaguar jam jasmine jelly jewel jungle kayak kettle kitten kiwi ladder lake lamp
    lark lemon lily linen lion lizard lobster lotus magnet mango maple marble market meadow
    melon mint mirror monkey moon mountain mouse museum music napkin needle nest night north
    oak oasis ocean olive onion orange orbit orchid otter oven owl paddle palm panda paper
    parrot peach pearl pebble pencil pepper piano pilot pine planet plum pocket pond poppy
    potato puzzle quartz quilt rabbit radio rain raven ribbon river robin rocket rose
    """.split()  # noqa: SIM905
)
"""256 of them, one for each value of a byte. The order is part of the protocol."""
