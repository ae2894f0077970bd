// The state of a search after so many events, worked out from the number of events alone, so that going back is exact.
"use strict";

const STAGES = ["ahead", "open", "done", "never"];
const MARKS = ["", "table", "horizon", "pruned", "trial", "quiet"];
const SHAPES = ["max", "min", "chance", "other", "leaf"];
const KEEP = 50; // a whole state is kept after every so many events

class Replay {
  constructor(data) {
    this.data = data;
    this.strings = data.strings;
    this.frames = data.frames;
    this.first = data.first; // the number of the event before the first frame's next one
    this.length = data.frames.length - 1;
    const { parent } = data.nodes;
    this.count = parent.length;
    this.children = parent.map(() => []);
    this.ply = new Array(this.count).fill(0);
    parent.forEach((above, node) => {
      if (above < 0) return;
      this.children[above].push(node);
      this.ply[node] = this.ply[above] + 1;
    });
    this.keep();
  }

  keep() {
    this.kept = [];
    this.lines = []; // the best line of each moment
    this.values = Array.from({ length: this.count }, () => new Set());
    this.details = Array.from({ length: this.count }, () => new Set());
    this.isEverCut = new Array(this.count).fill(false);
    const now = { looks: new Int32Array(3 * this.count), variables: [], line: [], choices: new Map() };
    this.frames.forEach((frame, at) => {
      this.change(now, frame);
      this.lines.push(now.line);
      for (let place = 0; place < frame[0].length; place += 4) {
        const [node, look, value, detail] = frame[0].slice(place, place + 4);
        this.values[node].add(value);
        this.details[node].add(detail);
        if (look & 4) this.isEverCut[node] = true;
      }
      if (at % KEEP === 0) this.kept.push({ ...now, looks: now.looks.slice(), choices: new Map(now.choices) });
    });
  }

  change(state, frame) {
    const [changes] = frame;
    for (let place = 0; place < changes.length; place += 4) {
      const node = changes[place];
      state.looks[3 * node] = changes[place + 1];
      state.looks[3 * node + 1] = changes[place + 2];
      state.looks[3 * node + 2] = changes[place + 3];
    }
    if (frame[7]) state.variables = frame[7];
    if (frame[8]) state.line = frame[8];
    const choices = frame[9] || [];
    for (let place = 0; place < choices.length; place += 2) state.choices.set(choices[place], choices[place + 1]);
  }

  // What is known after the first `at` events of the file.
  state(at) {
    const begin = Math.floor(at / KEEP), kept = this.kept[begin];
    const state = { ...kept, looks: kept.looks.slice(), choices: new Map(kept.choices) };
    for (let number = begin * KEEP + 1; number <= at; number += 1) this.change(state, this.frames[number]);
    const frame = this.frames[at];
    const path = this.path(frame[2]).includes(frame[1]) ? this.path(frame[2]) : this.path(frame[1]);
    return {
      at,
      looks: state.looks,
      line: state.line,
      choices: state.choices,
      variables: state.variables,
      here: frame[1],
      path,
      showsHere: Boolean(frame[3] & 1),
      showsPath: Boolean(frame[3] & 2),
      step: frame[4],
      visited: frame[5],
      sentence: this.strings[frame[6]],
    };
  }

  look(state, node) {
    const look = state.looks[3 * node];
    return {
      stage: STAGES[look & 3],
      isCut: Boolean(look & 4),
      mark: MARKS[look >> 3],
      shape: SHAPES[this.data.nodes.shape[node]],
      value: this.strings[state.looks[3 * node + 1]],
      detail: this.strings[state.looks[3 * node + 2]],
      isHere: state.showsHere && node === state.here,
      isOnPath: state.showsPath && state.path.includes(node),
      isOnLine: state.line.includes(node),
    };
  }

  path(node) {
    const path = [];
    for (let at = node; at >= 0; at = this.data.nodes.parent[at]) path.unshift(at);
    return path;
  }

  move(node) {
    return this.strings[this.data.nodes.move[node]];
  }

  // The next landmark in a direction, or null.
  landmark(at, step) {
    const marks = this.data.landmarks;
    const found = step > 0 ? marks.find(mark => mark > at) : marks.findLast(mark => mark < at);
    return found ?? null;
  }
}
