// The board of the node where the search is.

class Board {
  constructor(replay, svg, words) {
    Object.assign(this, { replay, svg, words, data: replay.data.boards, parsed: new Map() });
  }

  shape(at) {
    if (!this.parsed.has(at)) {
      const source = `<svg xmlns="${SVG}">${this.data.shapes[at]}</svg>`;
      const parsed = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
      const shapes = element("g", {}, ...[...parsed.children].map(shape => document.importNode(shape, true)));
      this.parsed.set(at, shapes);
    }
    return this.parsed.get(at).cloneNode(true);
  }

  show(node) {
    if (node === this.shown) return;
    this.shown = node;
    const [size, said, ...others] = this.data.boards[node];
    const all = [...this.data.ground, ...others];
    this.svg.setAttribute("viewBox", `0 0 ${this.data.sizes[size]}`);
    this.svg.replaceChildren(...all.map(at => this.shape(at)));
    this.words.textContent = this.replay.strings[said];
  }
}
