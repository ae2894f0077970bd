"""Specifications of lanes: an algorithm with its parameters, read from text or made from settings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from engines import catalog
from engines.contract import InputError, Setting, instead, shown
from workbench.jobs.workers import cores
from workbench.play.players import distinct
from workbench.render.values import counted
from workbench.sessions.comparison_types import LaneSpec, Mode

FEWEST_LANES, MOST_LANES = 2, 6


def read_lanes(
    algorithms: str, settings: Sequence[str], game: str, seed: int = 0
) -> tuple[tuple[LaneSpec, ...], tuple[str, ...]]:
    """Read the lanes `a,b,c` (or `name=a,name=b`). A setting `LANE:NAME=VALUE` is for one lane, by its number or name;
    `NAME=VALUE` is for every lane that has the parameter. Returns the lanes, and the settings that are for none of them."""
    ids, names = _typed(algorithms)
    declared = [{parameter.name: parameter for parameter in catalog.algorithm(name).parameters} for name in ids]
    judging = catalog.judging(game)
    given: list[dict[str, str]] = [{} for _ in ids]
    rest = []
    for setting in settings:
        lane_text, name, value = _split_setting(setting)
        if lane_text is not None:
            lane = lane_number(lane_text, names)
            if name not in declared[lane] and name not in judging:
                hint = instead(name, [*declared[lane], *judging], f"plybench algorithms {ids[lane]}")
                raise InputError(f"{ids[lane]} has no parameter {shown(name)} in {game}.{hint}")
            given[lane][name] = value
        elif any(name in known for known in declared):
            for lane, known in enumerate(declared):
                if name in known:
                    given[lane].setdefault(name, value)
        else:
            rest.append(setting)
    lanes = [spec(algorithm, texts, game, name, seed) for algorithm, texts, name in zip(ids, given, names, strict=True)]
    return tuple(lanes), tuple(rest)


def settings_of_game(algorithms: str, settings: Sequence[str]) -> tuple[str, ...]:
    """The settings that are for no lane, found before it is known which game is searched."""
    ids, _ = _typed(algorithms)
    declared = {parameter.name for name in ids for parameter in catalog.algorithm(name).parameters}
    split = [(setting, *_split_setting(setting)) for setting in settings]
    return tuple(setting for setting, lane, name, _ in split if lane is None and name not in declared)


def _typed(algorithms: str) -> tuple[list[str], list[str]]:
    """The algorithms of the lanes, and the unique names of the lanes."""
    words = [word.strip() for word in algorithms.split(",") if word.strip()]
    if not FEWEST_LANES <= len(words) <= MOST_LANES:
        raise InputError(f"A comparison has {FEWEST_LANES} to {MOST_LANES} lanes, not {len(words)}: a,b,c.")
    pairs = [word.rpartition("=") for word in words]
    ids = [algorithm.strip() for _, _, algorithm in pairs]
    return ids, distinct([name.strip() or algorithm.strip() for name, _, algorithm in pairs])


def _split_setting(setting: str) -> tuple[str | None, str, str]:
    """The lane that a setting names (None if it names none), the parameter and the value."""
    match = re.fullmatch(r"\s*(?:(?P<lane>[^:=]+):)?(?P<name>[^:=]+)=(?P<value>.*)", setting, re.DOTALL)
    if match is None:
        raise InputError(f"A setting is written NAME=VALUE or LANE:NAME=VALUE, not {shown(setting)}.")
    lane = match["lane"]
    return lane if lane is None else lane.strip(), match["name"].strip(), match["value"].strip()


def lane_number(text: str, names: Sequence[str]) -> int:
    """The index, from 0, of the lane that a number or name stands for."""
    if text in names:
        return names.index(text)
    if text.isdecimal() and 1 <= int(text) <= len(names):
        return int(text) - 1
    hint = instead(text, [*names, *map(str, range(1, len(names) + 1))])
    raise InputError(f"There is no lane {shown(text)}.{hint}")


def spec(algorithm: str, texts: Mapping[str, str], game: str, name: str = "", seed: int = 0) -> LaneSpec:
    """A lane from parameters as texts."""
    declared = catalog.algorithm(algorithm).parameters
    own = {parameter.name for parameter in declared}
    parameters = catalog.read_settings(declared, {key: text for key, text in texts.items() if key in own}, game)
    return spec_of(algorithm, {**parameters, **catalog.read_judging(game, texts)}, game, name, seed)


def spec_of(algorithm: str, parameters: Mapping[str, Setting], game: str, name: str = "", seed: int = 0) -> LaneSpec:
    """A lane from parsed parameters. Missing ones get their default for the game. Options of the game that change its
    evaluation may be among them."""
    usual = catalog.read_settings(catalog.algorithm(algorithm).parameters, {}, game)
    options = {key: value for key, value in parameters.items() if key not in usual and key in catalog.judging(game)}
    own = {key: value for key, value in parameters.items() if key not in options}
    return LaneSpec(
        name=name or algorithm,
        algorithm=algorithm,
        parameters={**usual, **own},
        changed={**{key: value for key, value in own.items() if usual.get(key) != value}, **options},
        seed=seed,
        options=options,
    )


def is_lane(algorithm: str, parameters: Mapping[str, Setting], game: str) -> bool:
    """Whether the algorithm exists and accepts the parameters in this version of Plybench."""
    try:
        declared = catalog.algorithm(algorithm).parameters
        catalog.read_settings(declared, catalog.as_typed(parameters), game)
    except InputError:
        return False
    return set(parameters) <= {parameter.name for parameter in declared}


def named(lanes: Sequence[LaneSpec]) -> tuple[LaneSpec, ...]:
    """The same lanes, named after their algorithms, each with a unique name."""
    names = distinct([lane.algorithm for lane in lanes])
    return tuple(replace(lane, name=name) for lane, name in zip(lanes, names, strict=True))


def mode_for(lanes: Sequence[LaneSpec], together: bool | None = None) -> tuple[Mode, str]:
    """Whether lanes run together, and the reason in words. By default they do if each thread can have its own core."""
    threads = sum(int(lane.parameters.get("threads", 1)) or cores() for lane in lanes)  # 0 stands for all cores
    if together is not None:
        return ("together" if together else "one after another"), "as was asked for"
    enough = threads <= cores()
    why = f"{counted(threads, 'thread')} on {counted(cores(), 'core')}"
    return ("together", why) if enough else ("one after another", f"{why}, so that no lane slows another")
