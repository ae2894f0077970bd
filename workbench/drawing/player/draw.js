// The drawing of a moment as SVG. Whatever is drawn depends on the moment and on the room alone.

const SVG = "http://www.w3.org/2000/svg";
const GLIDE = 260; // milliseconds that nodes take to their new places when another part of the tree is drawn
const MARK_SIGNS = { table: "▤", pruned: "⊘", trial: "?", horizon: "", quiet: "", "": "" };
const GLYPHS = {
  max: "M0-7 8 7H-8z",
  min: "M0 7 8-7H-8z",
  chance: "M0-7A7 7 0 0 1 0 7 7 7 0 0 1 0-7z",
  other: "M0-8 8 0 0 8-8 0z",
  leaf: "",
};
const END = "M0-8 2.1-2.6 8-2.4 3.4 1.1 5 7 0 3.7-5 7-3.4 1.1-8-2.4-2.1-2.6z";

function element(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const short = number => (number >= 1e6 ? `${(number / 1e6).toFixed(1)}M` : number >= 1e4 ? `${Math.round(number / 1e3)}k` : `${number}`);
const place = number => `${Math.round(number * 10) / 10}`;

class Drawing {
  constructor(replay, svg) {
    Object.assign(this, { replay, svg, where: new Map(), timer: 0, layout: null });
    this.pen = document.createElement("canvas").getContext("2d");
    this.isGraph = Boolean(replay.data.layers);
    this.hasDetails = replay.details.some(details => [...details].some(detail => detail));
  }

  // Lay everything out anew, in the room that there is.
  fit(width, height) {
    const style = getComputedStyle(this.svg);
    const size = parseFloat(style.fontSize);
    this.family = style.fontFamily;
    this.size = size;
    this.sizes = {
      gap: 0.55 * size, bundle: 3 * size, node: 1.75 * size, edge: 0.8 * size, gutter: 6 * size,
      below: this.isGraph ? 0 : 1.1 * size, detail: this.hasDetails && !this.isGraph ? 1.22 * size : 0, level: (this.hasDetails ? 5.4 : 4.7) * size,
    };
    const own = node => this.own(node);
    this.layout = new (this.isGraph ? Graph : Trees)(this.replay, width, height, this.sizes, own);
    this.svg.setAttribute("width", this.layout.width);
    this.svg.setAttribute("height", this.layout.height);
    this.svg.setAttribute("viewBox", `0 0 ${this.layout.width} ${this.layout.height}`);
    this.drawn = null;
    this.where.clear();
  }

  text(words, scale = 1, weight = 600) {
    this.pen.font = `${weight} ${this.size * scale}px ${this.family}`;
    return this.pen.measureText(words).width;
  }

  widest(places, scale) {
    return Math.max(0, ...[...places].map(at => this.text(this.replay.strings[at], scale)));
  }

  isLeaf(node) {
    return SHAPES[this.replay.data.nodes.shape[node]] === "leaf";
  }

  // How wide the box of a node is: as wide as its widest value.
  box(node) {
    const name = this.isGraph ? this.text(this.replay.move(node)) + 0.4 * this.size : 0;
    const value = this.widest(this.replay.values[node], 1) || 0.7 * this.size;
    return value + name + (this.isLeaf(node) && !this.isGraph ? 1 : 2.4) * this.size;
  }

  own(node) {
    const move = this.isGraph ? 0 : Math.min(this.text(this.replay.move(node), 0.85), 7 * this.size);
    const box = this.box(node), cut = this.replay.isEverCut[node] ? 2.2 * this.size : 0;
    const half = Math.max(box, move, this.widest(this.replay.details[node], 0.78)) / 2;
    return { left: half, right: Math.max(half, box / 2 + cut) };
  }

  // Show a moment; `glides`: nodes that are drawn already move to their new places.
  show(state, glides) {
    this.state = state;
    const drawing = this.layout.drawing(state.at);
    if (drawing !== this.drawn) this.begin(drawing, glides);
    for (const box of drawing.boxes) this.dress(box);
    if (this.isGraph) this.edges();
    return drawing;
  }

  begin(drawing, glides) {
    const before = this.where;
    this.drawn = drawing;
    this.boxes = new Map();
    this.where = new Map();
    const edges = element("g", { class: "edges" }), nodes = element("g", { class: "nodes" });
    if (this.isGraph) this.rows(edges);
    for (const box of drawing.boxes) {
      const key = box.folded ? `+${box.node}` : `${box.node}`;
      const made = { box, node: this.made(box), edge: box.above ? element("path", { fill: "none" }) : null, cross: null };
      if (made.edge) {
        made.cross = element("path", { class: "cross", d: "M-5-5 5 5M5-5-5 5" });
        edges.append(made.edge, made.cross);
      }
      nodes.append(made.node);
      this.boxes.set(key, made);
      const old = before.get(key) ?? (box.above && before.get(`${box.above.node}`));
      this.where.set(key, { x: box.x, y: box.y, old: glides && old ? { x: old.x, y: old.y } : { x: box.x, y: box.y } });
    }
    this.svg.replaceChildren(element("defs", {}, this.tip("tip"), this.tip("tip-strong")), edges, nodes);
    this.glide(glides && before.size > 0);
  }

  tip(id) {
    const shape = element("path", { d: "M0 0 8 4 0 8z", class: id });
    return element("marker", { id, viewBox: "0 0 8 8", refX: 4, refY: 4, markerWidth: 9, markerHeight: 9, orient: "auto", markerUnits: "userSpaceOnUse" }, shape);
  }

  glide(slowly) {
    cancelAnimationFrame(this.timer);
    if (!slowly) return this.put(1);
    const begin = performance.now();
    const next = now => {
      const share = Math.min(1, Math.max(0, (now - begin) / GLIDE));
      this.put(share * share * (3 - 2 * share));
      if (share < 1) this.timer = requestAnimationFrame(next);
    };
    this.put(0);
    this.timer = requestAnimationFrame(next);
  }

  // Put all nodes and edges that share of the way from their old places to the new ones.
  put(share) {
    const half = this.sizes.node / 2;
    const at = key => {
      const { x, y, old } = this.where.get(key);
      return { x: old.x + (x - old.x) * share, y: old.y + (y - old.y) * share };
    };
    for (const [key, { box, node, edge, cross }] of this.boxes) {
      const own = at(key);
      node.setAttribute("transform", `translate(${place(own.x)} ${place(own.y)})`);
      if (!edge) continue;
      const above = at(`${box.above.node}`);
      const detail = this.sizes.detail;
      const end = own.y - half - (box.folded ? 0 : 1.15 * this.size);
      edge.setAttribute("d", `M${place(above.x)} ${place(above.y + half + detail)}L${place(own.x)} ${place(end)}`);
      const middle = { x: above.x + 0.42 * (own.x - above.x), y: above.y + half + detail + 0.42 * (end - above.y - half - detail) };
      cross.setAttribute("transform", `translate(${place(middle.x)} ${place(middle.y)})`);
    }
    if (share === 1) for (const one of this.where.values()) one.old = { x: one.x, y: one.y };
  }

  // The parts of a node, which are the same at all moments.
  made(box) {
    const { size, sizes } = this;
    const group = element("g", { "data-node": box.node, role: "button", tabindex: "0" });
    const wide = box.folded ? sizes.bundle : this.box(box.node), half = sizes.node / 2;
    group.append(element("title"));
    const corner = box.folded || !this.isLeaf(box.node) ? half : 3;
    group.append(element("rect", { class: "ring", x: place(-wide / 2 - 3), y: place(-half - 3), width: place(wide + 6), height: place(2 * half + 6), rx: place(corner + 3) }));
    group.append(element("rect", { class: "pill", x: place(-wide / 2), y: place(-half), width: place(wide), height: place(2 * half), rx: place(corner) }));
    const shape = SHAPES[this.replay.data.nodes.shape[box.node]];
    let left = -wide / 2 + 0.5 * size;
    if (!box.folded && (shape !== "leaf" || this.isGraph)) {
      const scale = (size / 15).toFixed(3);
      group.append(element("path", { class: `glyph ${shape}`, d: GLYPHS[shape] || END, transform: `translate(${place(left + 0.55 * size)} 0) scale(${scale})` }));
      left += 1.3 * size;
    }
    const middle = (left + wide / 2 - 0.3 * size) / 2;
    const words = (kind, x, y, anchor = "middle") => element("text", { class: kind, x: place(x), y: place(y), "text-anchor": anchor });
    if (this.isGraph) {
      const name = words("name", left, 0.35 * size, "start");
      name.textContent = this.replay.move(box.node);
      group.append(name, words("value", wide / 2 - 0.5 * size, 0.35 * size, "end"));
      return group;
    }
    group.append(words("value", box.folded || shape === "leaf" ? 0 : middle, 0.35 * size));
    group.append(words("detail", 0, half + 1.02 * size));
    if (box.below) {
      const stub = words("below", 0, half + sizes.detail + 0.85 * size);
      stub.textContent = `⋮ ${short(box.below)}`;
      group.append(stub);
    }
    if (box.above && !box.folded) {
      const move = words("move", 0, -half - 0.5 * size);
      move.textContent = this.clipped(this.replay.move(box.node));
      group.append(move);
    }
    if (!box.folded && this.replay.isEverCut[box.node]) {
      const cut = element("g", { class: "cut-sign", transform: `translate(${place(wide / 2 + 0.3 * size)} 0)` });
      const sign = words("cut-word", 0.95 * size, 0.28 * size);
      sign.textContent = "cut";
      cut.append(sign);
      group.append(cut);
    }
    return group;
  }

  clipped(words) {
    let shown = words;
    while (shown && this.text(shown, 0.85) > 7.2 * this.size) shown = shown.slice(0, -1);
    return shown === words ? words : `${shown.slice(0, -1)}…`;
  }

  // What a node looks like at this moment.
  dress(box) {
    const { node, edge, cross } = this.boxes.get(box.folded ? `+${box.node}` : `${box.node}`);
    const part = kind => node.querySelector(`.${kind}`);
    if (box.folded) {
      const below = box.folded.reduce((sum, one) => sum + this.replay.data.nodes.size[one], 0);
      node.setAttribute("class", "node bundle");
      part("value").textContent = `+${box.folded.length}`;
      part("detail").textContent = below ? `${short(below)}` : "";
      this.name(node, `${box.folded.length} more, folded${below ? `; ${below.toLocaleString("en")} nodes` : ""}`);
      edge.setAttribute("class", "edge ahead");
      cross.setAttribute("class", "cross");
      return;
    }
    const look = this.replay.look(this.state, box.node);
    const kinds = ["node", look.shape, look.stage];
    if (look.isHere) kinds.push("here");
    if (look.isOnPath) kinds.push("path");
    if (look.isOnLine) kinds.push("line");
    if (look.isCut) kinds.push("cut");
    if (look.mark) kinds.push(`is-${look.mark}`);
    node.setAttribute("class", kinds.join(" "));
    part("value").textContent = `${look.value}${MARK_SIGNS[look.mark]}`;
    if (part("detail")) part("detail").textContent = look.detail;
    this.name(node, this.words(box, look));
    if (!edge) return;
    const above = this.replay.look(this.state, box.above.node);
    const strong = look.isOnLine && above.isOnLine ? " line" : "";
    const onPath = look.isOnPath && above.isOnPath ? " path" : "";
    edge.setAttribute("class", `edge ${look.stage}${strong}${onPath}`);
    cross.setAttribute("class", look.stage === "never" && above.stage !== "never" ? "cross shown" : "cross");
  }

  name(node, words) {
    node.setAttribute("aria-label", words);
    node.querySelector("title").textContent = words;
  }

  words(box, look) {
    const { legend } = this.replay.data;
    const stage = { ahead: "not reached yet", open: "being searched", done: "finished", never: "cut off, never searched" };
    const isKnown = this.isGraph ? look.stage === "done" : true;
    const parts = [this.replay.move(box.node) || "the root", legend[look.shape], this.isGraph ? (isKnown ? "found" : "not found yet") : stage[look.stage]];
    if (look.value) parts.push(`value ${look.value}`);
    if (look.detail) parts.push(look.detail);
    if (look.mark) parts.push(look.mark);
    if (look.isCut) parts.push("the other moves are cut off");
    if (look.isHere) parts.push("the search is here");
    if (look.isOnLine) parts.push("on the best line");
    return parts.filter(Boolean).join(", ");
  }

  // What belongs to a graph alone.

  rows(group) {
    for (const { y, height, title } of this.layout.bands) {
      group.append(element("rect", { class: "band", x: 0, y: place(y - height / 2), width: this.layout.width, height: place(height), rx: 8 }));
      const words = element("text", { class: "row", x: place(0.7 * this.size), y: place(y + 0.3 * this.size) });
      words.textContent = title;
      group.append(words);
    }
    this.lines = this.layout.edges.map(edge => {
      const line = element("path", { d: edge.d, fill: "none" });
      group.append(line);
      return line;
    });
  }

  edges() {
    this.layout.edges.forEach((edge, number) => {
      const isKnown = this.replay.look(this.state, edge.from).stage === "done";
      const isTaken = this.state.choices.get(edge.from) === edge.to;
      this.lines[number].setAttribute("class", `edge ${isKnown ? "done" : "ahead"}${isTaken ? " line" : ""}`);
      this.lines[number].setAttribute("marker-end", isTaken ? "url(#tip-strong)" : "url(#tip)");
    });
  }
}
