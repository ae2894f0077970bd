// Where the nodes and edges of a graph stand: a row for each layer, the targets at the top, what is in no layer at the bottom.

class Graph {
  constructor(replay, width, height, sizes, own) {
    const { rows, titles, to } = replay.data.layers;
    Object.assign(this, { rows, titles, to, wide: node => own(node).left + own(node).right });
    const gutter = sizes.gutter, wide = row => row.reduce((sum, node) => sum + this.wide(node) + 3 * sizes.gap, 0);
    this.width = Math.max(width, gutter + Math.max(...rows.map(wide)) + 2 * sizes.edge);
    const margin = 1.4 * sizes.node, least = 1.6 * sizes.node + sizes.gap;
    const step = Math.max(least, Math.min((height - 2 * margin) / Math.max(rows.length - 1, 1), 1.6 * sizes.level));
    this.height = Math.max(height, step * (rows.length - 1) + 2 * margin);
    const top = (this.height - step * (rows.length - 1)) / 2;
    this.boxes = [];
    this.bands = rows.map((row, number) => ({ y: top + step * number, height: Math.min(step - 4, 2.2 * sizes.node), title: titles[number] }));
    rows.forEach((row, number) => {
      const room = this.width - gutter - 2 * sizes.edge, each = room / row.length, shift = row.length < 2 ? (number % 2 ? 0.09 : -0.09) * room : 0;
      row.forEach((node, place) => {
        const x = gutter + sizes.edge + each * (place + 0.5) + shift;
        this.boxes.push({ node, x, y: top + step * number, width: this.wide(node), above: null, folded: null, level: number });
      });
    });
    this.at = new Map(this.boxes.map(box => [box.node, box]));
    this.edges = [];
    to.forEach((others, node) => others.forEach(other => this.edges.push({ from: node, to: other, d: this.curve(node, other, sizes) })));
  }

  drawing() {
    return this;
  }

  // An edge as a curve: up to a row above it leaves at the top, else at the side.
  curve(from, to, sizes) {
    const start = this.at.get(from), end = this.at.get(to), half = sizes.node / 2, tip = 5;
    const round = value => Math.round(value * 10) / 10;
    const path = numbers => `M${round(numbers[0])} ${round(numbers[1])}C${numbers.slice(2).map(round).join(" ")}`;
    if (from === to) {
      const x = start.x + start.width / 2;
      return path([x - 6, start.y - half, x + 30, start.y - 3 * half, x + 40, start.y + half, x + tip, start.y + 3]);
    }
    const aside = Math.sign(end.x - start.x) || 1;
    if (end.level < start.level) {
      const spread = 0.28 * Math.min(start.width, end.width), dx = Math.max(-1, Math.min(1, (end.x - start.x) / 160)) * spread;
      const y0 = start.y - half, y1 = end.y + half + tip, bend = (y0 - y1) / 2.4;
      const around = end.level < start.level - 1 ? aside * 0.16 * (y0 - y1) : 0;
      return path([start.x + dx, y0, start.x + dx + around, y0 - bend, end.x - dx + around, y1 + bend, end.x - dx, y1]);
    }
    if (end.level === start.level) {
      const x0 = start.x + 0.3 * aside * start.width, x1 = end.x - 0.3 * aside * end.width, lift = 1.1 * sizes.node;
      const y = aside > 0 ? start.y - half : start.y + half, way = aside > 0 ? -1 : 1;
      return path([x0, y, x0, y + way * lift, x1, y + way * lift, x1, y + way * tip]);
    }
    const x0 = start.x - (aside * start.width) / 2 * 0.6, x1 = end.x - aside * 0.34 * end.width;
    const bend = (end.y - start.y) / 2.6, out = -aside * (18 + 0.12 * (end.y - start.y));
    return path([x0, start.y + half, x0 + out, start.y + half + bend, x1 + out, end.y - half - bend, x1, end.y - half - tip]);
  }
}
