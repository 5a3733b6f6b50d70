"""The words of the rules in Spanish. `describe_en` has the same keys."""

from __future__ import annotations

from typing import Final

__all__ = ["SPANISH_WORDS"]

SPANISH_WORDS: Final[dict[str, str]] = {
    # Nombres, y una línea sobre cada juego.
    "title.timed": "Klondike contra reloj",
    "title.klondike": "Klondike clásico",
    "title.freecell": "FreeCell (carta blanca)",
    "title.spider-1": "Spider, un palo",
    "title.spider-2": "Spider, dos palos",
    "title.spider-4": "Spider, cuatro palos",
    "title.spanish": "Klondike con baraja española",
    "line.timed": "la carrera: muchos puntos, cartas que se giran a mano, deshacer es caro",
    "line.klondike-1": "de una en una: el Klondike más fácil",
    "line.klondike-3": "de tres en tres: el más difícil",
    "line.freecell": "todo a la vista; casi todos los repartos se pueden ganar",
    "line.spider-1": "un palo: tranquilo, las escaleras salen casi solas",
    "line.spider-2": "dos palos: equilibrado",
    "line.spider-4": "cuatro palos: una batalla",
    "line.spanish": "oros, copas, espadas, bastos; gana quien acaba antes; opciones de la casa",
    # Títulos.
    "head.layout": "La mesa",
    "head.moves": "Qué se puede hacer",
    "head.automatic": "Cartas que suben solas",
    "head.points": "Puntos",
    "head.winner": "Quién gana",
    "head.undo": "Deshacer",
    "head.options": "Opciones",
    "head.readings": "Interpretaciones",
    "head.tips": "Consejos para empezar",
    "head.unwinnable": "Repartos que no se pueden ganar",
    "head.notation": "Cómo se escriben las jugadas",
    "word.what": "qué",
    "word.rule": "regla",
    "word.for": "por",
    "word.points": "puntos",
    "word.option": "opción",
    "word.values": "valores",
    "word.default": "por defecto",
    "word.and": "y",
    "word.each": "cada una",
    "word.reading": "Interpretación",
    "word.game": "juego",
    "word.none": "ninguna",
    "doc.as": "Como {first}, pero:",
    # Rangos.
    "rank.A": "as",
    "rank.J": "jota",
    "rank.Q": "reina",
    "rank.K": "rey",
    "rank.T": "10",
    "rank.1": "as",
    "rank.R": "rey",
    # Palos.
    "suit.C": "tréboles",
    "suit.D": "diamantes",
    "suit.H": "corazones",
    "suit.S": "picas",
    # La mesa.
    "layout.cards": "{cards} cartas.",
    "layout.cards_spider": "{cards} cartas: {times} veces {suits}.",
    "layout.cards_spanish": "{cards} cartas: oros y copas (rojas), espadas y bastos (verdes); "
    "as, del 2 al {high}, sota, caballo, rey. La sota va justo después del {high}.",
    "layout.columns": "{count} columnas: {lengths}.",
    "layout.triangle": "de 1 a {most} cartas",
    "layout.group": "{count} de {cards}",
    "layout.last_up": "La última carta de cada una está boca arriba.",
    "layout.all_up": "Todas las cartas están boca arriba.",
    "layout.stock": "{stock} cartas en el mazo.",
    "layout.cells": "{cells} celdas para una carta cada una.",
    "layout.reserve": "{reserve} cartas boca arriba en fila, la reserva, todas en juego.",
    "layout.no_stock": "Sin mazo: se conoce todo.",
    "layout.time": "{seconds} segundos, si el duelo no dice otra cosa.",
    # Jugadas.
    "move.columns": "en las columnas",
    "fit.alternate": "de uno en uno hacia abajo, alternando colores",
    "fit.example": "(sobre {lower}: {uppers})",
    "fit.any": "una carta va sobre cualquiera de un rango más, sea del palo que sea",
    "fit.suit": "de uno en uno hacia abajo, del mismo palo",
    "move.runs": "varias cartas a la vez",
    "run.alternate": "una escalera de colores alternos, o cualquier parte inferior de ella",
    "run.any": "cartas seguidas",
    "run.suit": "solo si son todas del mismo palo y seguidas",
    "run.limit": "como mucho (celdas vacías + 1), el doble por cada columna vacía; la columna a la "
    "que van no cuenta. Con dos celdas libres: {full}; con una columna vacía al lado: {beside}; "
    "sobre esa columna vacía: {onto}",
    "move.empty": "en una columna vacía",
    "empty.kings": "solo un {king}, o una escalera que empiece por un {king}",
    "empty.any": "cualquier carta o escalera",
    "move.foundation": "en una base",
    "foundation.up": "de una en una, por palos, desde el {ace}",
    "move.back": "de vuelta de una base",
    "back.yes": "su carta de arriba puede volver a una columna donde encaje",
    "back.no": "nunca",
    "move.cells": "en una celda",
    "cells.rule": "una carta; de allí a una columna donde encaje, o a su base",
    "move.reserve": "de la reserva",
    "reserve.rule": "cualquiera de sus cartas, a una columna o a su base. Un sitio que se vació "
    "queda vacío y los demás conservan su número",
    "move.draw": "robar `d`",
    "draw.one": "una carta cada vez; solo la de arriba del descarte está en juego",
    "draw.many": "{draw} cartas cada vez, la última encima (menos si quedan menos); solo la de "
    "arriba del descarte está en juego",
    "draw.row": "repartir una carta boca arriba sobre cada una de las {columns} columnas. No se "
    "puede con una columna vacía, salvo si hay en la mesa menos cartas que columnas",
    "move.redeal": "vuelta `r`",
    "redeal.none": "ninguna: una sola pasada por el mazo",
    "redeal.count": "como mucho {redeals}, cuando el mazo está vacío; las cartas vuelven en el "
    "mismo orden",
    "redeal.any": "cuantas se quiera, cuando el mazo está vacío; las cartas vuelven en el mismo "
    "orden. Robar nunca da la vuelta por descuido",
    "move.turn": "una carta boca abajo",
    "turn.hand": "**a mano** (`x3`): una carta destapada sigue boca abajo hasta que la giras. "
    "Hasta entonces no se puede mover ni poner nada encima",
    "turn.self": "se gira sola cuando se va la carta que tiene encima",
    "move.run": "una escalera completa",
    "run.leaves": "{cards} cartas boca arriba de un palo, de {king} a {ace}, al final de una "
    "columna, dejan la mesa solas, las complete una jugada o un reparto, y giran la carta de "
    "debajo. La mesa está limpia cuando se han ido las {runs}. No hay bases a las que jugar a mano",
    # Jugadas automáticas.
    "automatic.none": "Ninguna.",
    "automatic.all_four": "Tras cada jugada aceptada (también robar y girar), toda carta boca "
    "arriba al final de una columna o en lo alto del descarte sube sola si las **cuatro** del "
    "rango inferior están en las bases. Un as, siempre. Puntúan como si las subieras tú y son "
    "parte de la jugada que las movió. Van por rondas: una de cada sitio que la tenga, columnas "
    "desde la izquierda y luego el descarte, y otra vez hasta que nada se mueva.",
    "automatic.both": "Tras cada jugada aceptada suben solas las cartas que la mesa ya no "
    "necesita: primero de las columnas, de izquierda a derecha, luego de las celdas, y otra vez "
    "hasta que nada se mueva. Puntúan. No hay otro final automático.",
    "automatic.at_end": "Ninguna durante el juego. *Final automático*: cuando todas las cartas "
    "están boca arriba, el mazo vacío y el descarte con una carta como mucho, el resto sube solo y "
    "puntúa, también lo que una vez se bajó. Con dos cartas en el descarte, una en el mazo o una "
    "boca abajo, espera.",
    # Puntos.
    "points.card": "una carta a su base, todas las veces",
    "points.card_once": "una carta en su base, **la primera vez** que llega",
    "points.turned": "una carta boca abajo de una columna, girada (hay {down})",
    "points.waste": "una carta del descarte a una columna",
    "points.back": "una carta de vuelta de una base",
    "points.again": "0, y 0 cuando sube otra vez",
    "points.run": "una escalera completa ({cards} cartas)",
    "points.redeal": "cada nueva pasada desde la {first}",
    "points.redeal_when": "{price}, al dar la vuelta que la empieza",
    "points.undo": "deshacer",
    "points.undo_price": "se quitan los puntos de la jugada, y además {price}",
    "points.undo_free": "gratis; vuelve la puntuación de antes de la jugada",
    "points.clear": "la mesa está limpia",
    "points.clear_time": "{best} menos {loss} por cada segundo entero jugado, nunca menos de 0",
    "points.clear_minutes": "+{minute} por cada minuto entero que quede, **y** los puntos por "
    "acabar antes",
    "points.early": "acabar antes (terminas la partida, o la mesa está limpia)",
    "points.early_s": "+1 por cada {early} segundos enteros que queden",
    "points.timeout": "se acaba el tiempo",
    "points.timeout_nothing": "nada más",
    "points.no_early": "Terminar antes sin acabar, o agotar el tiempo, no da nada más.",
    "points.floor": "La puntuación nunca baja de {floor}. Se recorta a cada paso, y sus conceptos "
    "cuentan lo que de verdad se sumó o se quitó.",
    "points.floor_example": "Bajar una carta con 10 puntos en la cuenta cuesta 10, no {back}.",
    "points.items": "Conceptos de la puntuación: {items}. Suman el total.",
    "winner.points": "Más puntos; a igualdad, quien acabó antes, en milisegundos; si también es "
    "igual, el mismo puesto, y el siguiente se salta.",
    "winner.first": "No hay puntos (la puntuación es null). Quien limpia la mesa va por delante de "
    "quien no; de los que la limpiaron, el que antes; de los demás, quien tiene más cartas en las "
    'bases. Un duelo de dos es "a dos".',
    # Deshacer.
    "undo.price": "Quita la última jugada y sus puntos, con todo lo que provocó, y además "
    "{price}. El tiempo no se devuelve.",
    "undo.free": "Gratis. Quita la última jugada con todo lo que provocó. El tiempo no se "
    "devuelve.",
    "undo.depth": "Alcanza {depth} jugadas; la número {more} seguida se rechaza.",
    "undo.deal": "Llega hasta el reparto.",
    "undo.row": "También se deshace un reparto: vuelven la escalera, la carta tapada, los puntos y "
    "las cartas del mazo.",
    "undo.reveals": "La carta que la jugada había girado vuelve a estar boca abajo, pero ya la has "
    "visto: deshacer no borra lo que se sabe. Para eso está el precio de deshacer, donde lo tiene.",
    # Opciones.
    "option.none": "Ninguna.",
    "option.draw": "cartas que se roban cada vez",
    "option.redeals": 'cuántas vueltas se dan al descarte; 0 es "sin vueltas", una sola pasada',
    "option.stock": 'false es "sin mazo": las cartas que sobran están boca arriba en fila, la '
    "reserva, todas en juego (`v4-t2`, `v4-f`); un sitio que se vació queda vacío y los demás "
    "conservan su número; no junto con draw ni redeals, valgan lo que valgan",
    "option.prices": "Los precios de las pasadas quedan como están.",
    "option.deck": "48 añade ochos y nueves: bases más largas y 20 cartas de sobra",
    "option.deal": "un reparto numerado del FreeCell de Microsoft (`ms:11982` es el célebre que no "
    "se puede ganar); entonces no hay semilla, y el registro dice que alguien eligió el reparto",
    "option.shown": "Un duelo con opciones lo dice siempre que nombra su juego. No cambian el "
    "orden de las cartas: la misma semilla es el mismo reparto (de la misma baraja).",
    # Interpretaciones: donde la fuente deja un hueco o se contradice.
    "reading.every_rank": "*todos los rangos.* La fuente dice que las cartas que ya no sirven "
    "suben solas y da un ejemplo (un 5 cuando están los cuatros). La tomamos al pie de la letra "
    "para todos los rangos, e incluimos lo alto del descarte.",
    "reading.no_longer_needed": "*ya no se necesita.* Las dos cartas del otro color y del rango "
    "inferior están en sus bases. Ases y doses suben en cuanto encajan.",
    "reading.not_at_deal": "*no al repartir.* Nada se mueve antes de tu primera jugada, aunque "
    "haya un as a la vista; tampoco justo después de deshacer.",
    "reading.taken_back": "*una carta que bajaste se queda.* Una carta que bajaste de una base no "
    "vuelve a subir sola en esa partida; la subes tú. (Si no, bajarla se desharía al momento.) "
    "Deshacer la jugada que la bajó levanta esto.",
    "reading.total": "*{total}, no 30.000.* La tabla de la fuente suma {suit} por palo, {total} en "
    "total; también dice que todas las cartas hacen 30.000. Las dos cosas no pueden ser. La tabla "
    "es la regla, porque es lo que se ve contar, carta a carta; sin tope ni premio aparte. Con "
    "todas las cartas giradas, lo máximo antes de los puntos por tiempo es {most}.",
    "reading.passes": "*qué pasada cuesta.* El mazo como se reparte es la pasada 1. Cuesta la "
    "vuelta que empieza la pasada {first} y cada una de las siguientes; las de antes son gratis.",
    "reading.time_bonuses": "*puntos por tiempo.* Los minutos piden la mesa limpia; los de acabar "
    "antes son para todo final anticipado. Una mesa limpia se lleva los dos, para que limpiarla "
    "nunca valga menos que rendirse. Con 125,9 segundos: {minutes} + {early} = {sum}.",
    "reading.below_zero": "*bajo cero.* La fuente no fija un mínimo: las penalizaciones pueden "
    "dejar la puntuación en negativo.",
    "reading.undo_reach": "*hasta dónde se deshace.* Hasta el reparto. (La fuente solo nombra el "
    'precio, y "la última jugada".)',
    "reading.which_bonus": "*qué premio.* Depende de cuántas cartas se roban cada vez en este "
    "duelo, se llame como se llame el juego: de una en una {one}, de tres en tres {three}.",
    "reading.nothing_back": "*nada vuelve.* Las bases no devuelven cartas: la fuente no nombra esa "
    "jugada.",
    "reading.undo_no_limit": "*deshacer* no tiene límite.",
    "reading.playing_on": "*seguir jugando.* Quien no es primero puede seguir, por el puesto "
    "siguiente, hasta que se acabe el tiempo.",
    "reading.same_place": "*el mismo puesto.* Sin limpiar y con las mismas cartas arriba es el "
    "mismo puesto, acabe quien acabe antes.",
    "reading.vueltas": '*"vueltas"*: "sin vueltas" es una pasada y ninguna vuelta.',
    "reading.en_fila": '*"en fila".* Las cartas de la reserva están todas en juego.',
    # Consejos.
    "tip.uncover": "Destapa antes de construir: de dos jugadas, casi siempre es mejor la que gira "
    "una carta, y más donde más cartas hay tapadas.",
    "tip.low_first": "Primero ases y doses: en las columnas nadie los necesita.",
    "tip.keep_column": "No vacíes una columna antes de tener un {king} para ella.",
    "tip.keep_any": "Una columna vacía es el mejor sitio que hay: llénala solo para ganar dos.",
    "tip.hold_back": "No subas lo que aún necesitas: una carta media en una columna puede ser la "
    "que sostenga a la siguiente.",
    "tip.redeals": "Las vueltas son un recurso: mira el mazo entero una vez antes de jugar de él, "
    "y sabrás lo que viene.",
    "tip.redeals_few": "Las vueltas son un recurso, y tienes {redeals}: fíjate en lo que dejas "
    "pasar.",
    "tip.redeals_cost": "Las vueltas son un recurso: desde la pasada {first} cada una cuesta "
    "{price}. Coge antes lo que puedas.",
    "tip.every_third": "Jugar una carta del descarte cambia cuáles salen en la pasada siguiente.",
    "tip.cells": "Una celda se llena pronto y cuesta vaciarla: piensa la vuelta antes de usarla.",
    "tip.count": "Cuenta cuántas cartas se pueden mover a la vez antes de empezar una jugada "
    "larga.",
    "tip.one_suit": "Construye de un solo palo donde puedas: las escaleras mezcladas no se mueven.",
    "tip.before_deal": "Antes de repartir, gira y ordena cuanto puedas: tapa todas las columnas.",
    "tip.end": "Cuando ya no queda nada que ganar, termina: el tiempo que queda vale puntos.",
    "tip.undo_dear": "Piensa antes de mover: deshacer cuesta más de lo que dan casi todas las "
    "jugadas.",
    "tip.undo_free": "Deshacer es gratis: prueba un camino, mira lo que enseña y vuelve atrás.",
    "tip.reserve": "Toda la reserva está a tu alcance: cuenta con ella desde el principio.",
    # Repartos imposibles.
    "unwinnable.default": "Algunos repartos no los puede ganar nadie. Todos tienen el mismo, así "
    "que la carrera es justa: gana quien llega más lejos.",
    "unwinnable.timed": "Como en todo Klondike, uno de cada cinco repartos no se puede acabar ni "
    "conociendo todas las cartas. Todos tienen el mismo, y los puntos cuentan, se acabe o no.",
    "unwinnable.klondike": "Más o menos uno de cada cinco repartos de Klondike no se puede ganar "
    "ni conociendo todas las cartas, y en la práctica se ganan menos. Todos tienen el mismo, así "
    "que la carrera es justa: gana quien llega más lejos.",
    "unwinnable.freecell": "Muy pocos repartos de FreeCell no se pueden ganar: del primer millón "
    "de numerados, ocho; `ms:11982` es el más conocido. De todos modos, todos tienen el mismo.",
    "unwinnable.spider": "Nadie ha contado los repartos de Spider que no se pueden ganar. Con un "
    "palo son raros; con cuatro, la mayoría no se gana en la práctica. Todos tienen el mismo.",
    # Notación.
    "notation.d": "robar (se rechaza con el mazo vacío)",
    "notation.d_row": "repartir (se rechaza con el mazo vacío)",
    "notation.r": "dar la vuelta; se rechaza si el mazo no está vacío o el descarte lo está",
    "notation.x": "girar la carta boca abajo del final de la columna 3",
    "notation.columns": "una carta de la columna 5 a la 2; tres cartas",
    "notation.waste": "del descarte",
    "notation.foundation": "a la base",
    "notation.cells": "a una celda y desde ella",
    "notation.reserve": "de la reserva",
    "notation.back": "de vuelta de una base a la columna 3",
    "notation.u": "deshacer",
    "notation.end": "terminar la partida",
}
