// Where the nodes of a tree stand. A tree that is too wide is folded, and what is drawn of it changes as seldom as can be:
// the events are divided into parts, in each of which one and the same drawing has room for all nodes that the search visits.

const MOST_STRETCHED = 2.4;
const MOST_FAILURES = 60, MOST_TRIED = 1500;

// The nodes that are drawn below a root, and how wide that is. Of each node that is drawn it knows the outline of what hangs
// below it, level by level, so that subtrees stand as close to each other as their outlines allow.
class Fold {
  constructor(trees, root, levels) {
    this.trees = trees;
    this.root = root;
    this.levels = levels;
    this.shown = new Map([[root, new Set()]]);
    this.outlines = new Map();
    this.measure(root);
  }

  level(node) {
    return this.trees.replay.ply[node] - this.trees.replay.ply[this.root];
  }

  // Draw a node too, whose parent is drawn.
  add(node) {
    if (this.shown.has(node)) return;
    this.shown.get(this.trees.parent(node)).add(node);
    this.shown.set(node, new Set());
    this.measure(node);
  }

  remove(node) {
    const above = this.trees.parent(node);
    this.shown.get(above).delete(node);
    this.shown.delete(node);
    this.outlines.delete(node);
    this.measure(above);
  }

  measure(node) {
    for (let at = node; ; at = this.trees.parent(at)) {
      this.outlines.set(at, this.outline(at));
      if (at === this.root) return;
    }
  }

  // What is drawn below a node from left to right: nodes, and bundles of nodes as lists; nothing if all of it is folded.
  parts(node) {
    const shown = this.shown.get(node), parts = [];
    if (!shown.size) return parts;
    for (const child of this.trees.replay.children[node]) {
      if (shown.has(child)) parts.push(child);
      else if (Array.isArray(parts.at(-1))) parts.at(-1).push(child);
      else parts.push([child]);
    }
    return parts;
  }

  // The edges of a subtree to the left and right of its root, level by level, and where what is below stands.
  outline(node) {
    const { sizes } = this.trees, own = this.trees.own(node), bundle = { left: [-sizes.bundle / 2], right: [sizes.bundle / 2] };
    const parts = this.parts(node), left = [], right = [], offsets = [];
    for (const part of parts) {
      const its = Array.isArray(part) ? bundle : this.outlines.get(part);
      let offset = offsets.length ? -Infinity : 0;
      for (let level = 0; level < Math.min(right.length, its.left.length); level += 1) {
        offset = Math.max(offset, right[level] + sizes.gap - its.left[level]);
      }
      its.left.forEach((edge, level) => {
        left[level] = Math.min(left[level] ?? Infinity, offset + edge);
        right[level] = Math.max(right[level] ?? -Infinity, offset + its.right[level]);
      });
      offsets.push(offset);
    }
    const middle = offsets.length ? (offsets[0] + offsets.at(-1)) / 2 : 0, shifted = edge => edge - middle;
    return { parts, offsets: offsets.map(shifted), left: [-own.left, ...left.map(shifted)], right: [own.right, ...right.map(shifted)] };
  }

  // From where to where all of it goes, measured from the root.
  get span() {
    const { left, right } = this.outlines.get(this.root);
    return { left: Math.min(...left), right: Math.max(...right) };
  }

  get width() {
    const { left, right } = this.span;
    return right - left;
  }
}

class Trees {
  // `sizes`: gap, bundle, node (its height), detail (the line below it), level (the least distance of two levels), edge;

  constructor(replay, width, height, sizes, own) {
    Object.assign(this, { replay, width, height, sizes });
    this.widths = new Map();
    this.measured = own;
    this.depth = Math.max(...replay.ply);
    const room = height - 2 * sizes.edge - sizes.node - sizes.detail - sizes.below;
    this.levels = Math.min(this.depth + 1, Math.max(2, 1 + Math.floor(room / sizes.level)));
    this.parts = this.divided();
    this.drawings = new Map();
  }

  parent(node) {
    return this.replay.data.nodes.parent[node];
  }

  own(node) {
    if (!this.widths.has(node)) this.widths.set(node, this.measured(node));
    return this.widths.get(node);
  }

  ends(at) {
    const frame = this.replay.frames[at], path = this.replay.path(frame[2]);
    return path.includes(frame[1]) ? path : this.replay.path(frame[1]);
  }

  // Parts of the search, each with the first event that it holds and the uppermost level that is drawn.
  divided() {
    const parts = [];
    let begin = 0;
    while (begin <= this.replay.length) {
      const path = this.ends(begin);
      const top = this.top(this.replay.ply[this.replay.frames[begin][1]]);
      const fold = new Fold(this, path[Math.min(top, path.length - 1)], this.levels);
      let end = begin;
      while (end <= this.replay.length && this.fits(fold, top, end, end === begin)) end += 1;
      if (end <= this.replay.length) end = this.border(begin, end);
      parts.push({ begin, end, root: fold.root, top });
      begin = end;
    }
    return parts;
  }

  top(ply) {
    if (ply <= this.levels - 2 || this.depth < this.levels) return 0;
    return Math.min(ply - Math.floor(this.levels / 2), this.depth + 1 - this.levels);
  }

  // Add the path of a moment to a fold, if there is room for it.
  fits(fold, top, at, isFirst) {
    const path = this.ends(at), here = this.replay.ply[this.replay.frames[at][1]];
    if (!isFirst && (path[top] !== fold.root || here < top || (here === top && top > 0))) return false;
    if (!isFirst && here - top > this.levels - 1) return false;
    const added = this.needed(at, top).filter(node => {
      if (fold.shown.has(node) || !fold.shown.has(this.parent(node))) return false;
      fold.add(node);
      return true;
    });
    if (isFirst || fold.width <= this.width - 2 * this.sizes.edge) return true;
    added.reverse().forEach(node => fold.remove(node));
    return false;
  }

  // What has to be drawn at a moment: the path and the best line, as far as there are levels for them.
  needed(at, top) {
    const line = this.replay.lines[at], path = this.ends(at);
    return [...path.slice(top + 1, top + this.levels), ...(line[0] === path[0] ? line.slice(top + 1, top + this.levels) : [])];
  }

  // A part ends where the search turns to another node as high up as can be.
  border(begin, end) {
    const place = at => this.replay.ply[this.replay.frames[at][1]];
    let best = end;
    for (let at = end; at > begin + 0.4 * (end - begin); at -= 1) {
      if (place(at - 1) < place(at) && place(at - 1) < place(best - 1)) best = at;
    }
    return Math.max(best, begin + 1);
  }

  // The drawing for a moment: boxes with their places.
  drawing(at) {
    const part = this.parts.findLast(one => one.begin <= at);
    if (!this.drawings.has(part)) this.drawings.set(part, this.laidOut(part));
    return this.drawings.get(part);
  }

  laidOut(part) {
    const fold = new Fold(this, part.root, this.levels);
    for (let at = part.begin; at < part.end; at += 1) {
      for (const node of this.needed(at, part.top)) if (fold.shown.has(this.parent(node))) fold.add(node);
    }
    this.fill(fold, part);
    const stretch = Math.max(1, Math.min(MOST_STRETCHED, (this.width - 2 * this.sizes.edge) / fold.width));
    const boxes = [];
    this.place(fold, part.root, 0, null, boxes);
    const shift = this.width / 2 - (stretch * (fold.span.left + fold.span.right)) / 2;
    const room = this.height - 2 * this.sizes.edge - this.sizes.node - this.sizes.detail - this.sizes.below;
    const step = Math.min(this.levels > 1 ? room / (this.levels - 1) : 0, 2 * this.sizes.level);
    const top = Math.max(0, (room - step * (this.levels - 1)) / 2) + this.sizes.edge + this.sizes.node / 2;
    for (const box of boxes) {
      box.x = shift + box.x * stretch;
      box.y = top + step * box.level;
    }
    return { boxes, above: this.replay.path(part.root).slice(1), width: this.width, height: this.height };
  }

  // Draw what else there is room for: the best line, what lies beside the path, and then level by level.
  fill(fold, part) {
    let failures = 0, tried = 0;
    for (const node of this.wishes(fold, part)) {
      tried += 1;
      if (failures > MOST_FAILURES || tried > MOST_TRIED) return;
      if (fold.shown.has(node) || !fold.shown.has(this.parent(node)) || fold.level(node) >= this.levels) continue;
      fold.add(node);
      if (fold.width <= this.width - 2 * this.sizes.edge) continue;
      fold.remove(node);
      failures += 1;
    }
  }

  *wishes(fold, part) {
    const needed = [...fold.shown.keys()];
    yield* this.replay.children[part.root];
    for (let distance = 1; distance < 12; distance += 1) {
      for (const node of needed) {
        if (node === part.root) continue;
        const siblings = this.replay.children[this.parent(node)], place = siblings.indexOf(node);
        for (const beside of [siblings[place - distance], siblings[place + distance]]) if (beside !== undefined) yield beside;
      }
    }
    const waiting = [part.root];
    for (const node of waiting) {
      for (const child of this.replay.children[node]) {
        yield child;
        if (fold.shown.has(child)) waiting.push(child);
      }
    }
  }

  // Put a node at its place, and below it what hangs there.
  place(fold, node, x, above, boxes) {
    const { parts, offsets } = fold.outlines.get(node), level = fold.level(node);
    const box = { node, above, level, x, y: 0, folded: null, below: 0 };
    if (!parts.length) box.below = this.replay.children[node].reduce((sum, child) => sum + this.replay.data.nodes.size[child], 0);
    boxes.push(box);
    parts.forEach((part, number) => {
      const middle = x + offsets[number];
      if (!Array.isArray(part)) this.place(fold, part, middle, box, boxes);
      else boxes.push({ node: part[0], above: box, level: level + 1, x: middle, y: 0, folded: part, below: 0 });
    });
  }
}
