// The page: slider, keys and buttons, and the panels beside the drawing.

const $ = id => document.getElementById(id);

class Page {
  constructor(data) {
    this.data = data;
    this.replay = new Replay(data);
    this.drawing = new Drawing(this.replay, $("tree"));
    this.board = data.boards ? new Board(this.replay, $("board"), $("board-words")) : null;
    this.at = 0;
    this.speed = data.speed;
    this.playing = false;
    this.isLarge = false;
    this.prepare();
    this.listen();
    const asked = Number.parseInt(location.hash.slice(1), 10);
    this.at = this.held(Number.isNaN(asked) ? data.start : asked - data.first);
    this.fit();
    document.fonts?.ready.then(() => this.fit());
  }

  held(at) {
    return Math.max(0, Math.min(at, this.replay.length));
  }

  // What stays the same at all moments.
  prepare() {
    const { data, replay } = this;
    $("slider").max = replay.length;
    const [begin, end, total] = [data.first + 1, data.first + replay.length, data.total].map(number => number.toLocaleString("en"));
    $("total").textContent = data.limited ? `of ${total} (here: ${begin} to ${end})` : `of ${total}`;
    $("number").size = Math.max(4, `${data.total}`.length + 1);
    $("place").hidden = !this.board;
    document.body.classList.toggle("boardless", !this.board);
    document.body.classList.toggle("graph", this.drawing.isGraph);
    data.steps.forEach(line => {
      const item = document.createElement("li");
      item.textContent = line || "\u00a0";
      item.style.setProperty("--indent", `${line.length - line.trimStart().length}ch`);
      $("lines").append(item);
    });
    for (const [id, words, key] of [["previous", `The ${data.landmark} before`, "p"], ["next", `Next ${data.landmark}`, "n"]]) {
      $(id).title = `${words} (${key})`;
      $(id).querySelector(".hidden").textContent = words;
    }
    $("jumps").textContent = `next ${data.landmark}, ${data.landmark} before`;
    this.legend();
    this.ticks();
    if (data.limited) this.say(data.limited);
  }

  legend() {
    const occur = new Set(this.data.nodes.shape.map(shape => SHAPES[shape]));
    for (const [shape, words] of Object.entries(this.data.legend)) {
      if (!occur.has(shape)) continue;
      const item = document.createElement("li");
      const d = GLYPHS[shape] || (this.drawing.isGraph ? END : "M-7-6H7V6H-7z");
      item.append(element("svg", { viewBox: "-9 -9 18 18", "aria-hidden": "true" }, element("path", { class: `glyph ${shape}`, d })), words);
      $("legend").append(item);
    }
    const signs = [["here", "the search is here"], ["line", this.drawing.isGraph ? "best play" : "best line so far"]];
    if (this.replay.isEverCut.some(Boolean)) signs.push(["cut", "cut off"]);
    for (const [kind, words] of signs) {
      const item = document.createElement("li");
      item.append(element("svg", { viewBox: "-9 -9 18 18", "aria-hidden": "true" }, element("path", { class: `sign ${kind}`, d: kind === "cut" ? "M-5-5 5 5M5-5-5 5" : kind === "line" ? "M-8 0H8" : "M-8-5H8V5H-8z" })), words);
      $("legend").append(item);
    }
  }

  // Strokes on the slider where the landmarks are.
  ticks() {
    const { landmarks, first } = this.data, { length } = this.replay;
    $("marks").setAttribute("viewBox", `0 0 ${length} 1`);
    if (!length || landmarks.length > 200) return;
    $("marks").append(element("path", { d: landmarks.map(at => `M${at} 0V1`).join(""), "vector-effect": "non-scaling-stroke" }));
  }

  // The room that there is has changed.
  fit() {
    this.reserve();
    const stage = $("stage"), style = getComputedStyle(stage);
    const width = stage.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    this.drawing.fit(Math.max(width, 120), Math.max(stage.clientHeight, 120));
    this.show();
  }

  // Keep room for the longest sentence and the most variables, so that nothing jumps.
  reserve() {
    const { frames, strings } = this.replay;
    const longest = (places, count) => [...places].sort((one, other) => strings[other].length - strings[one].length).slice(0, count);
    const tallest = (box, fill, all) => {
      box.style.minHeight = "";
      const heights = all.map(one => {
        fill(one);
        return box.offsetHeight;
      });
      box.style.minHeight = `${Math.min(Math.max(0, ...heights), 0.3 * innerHeight)}px`;
    };
    tallest($("sentence"), at => ($("sentence").textContent = strings[at]), longest(new Set(frames.map(frame => frame[6])), 6));
    const lists = frames.map(frame => frame[7]).filter(Boolean);
    const length = list => list.reduce((sum, at) => sum + strings[at].length + 3, 0);
    lists.sort((one, other) => length(other) - length(one));
    tallest($("variables"), list => this.variables(list), lists.slice(0, 6));
  }

  variables(list) {
    const { strings } = this.replay, parts = [];
    for (let place = 0; place < list.length; place += 2) {
      const pair = document.createElement("div"), name = document.createElement("dt"), value = document.createElement("dd");
      name.textContent = strings[list[place]];
      value.textContent = strings[list[place + 1]];
      pair.append(name, value);
      parts.push(pair);
    }
    $("variables").replaceChildren(...parts);
  }

  show(glides = false) {
    const { replay, data, at } = this, state = replay.state(at), number = at + data.first;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches || (this.playing && data.speeds[this.speed] > 4);
    const focused = document.activeElement?.closest?.("[data-node]")?.dataset.node;
    const drawing = this.drawing.show(state, glides && !calm);
    if (focused) $("tree").querySelector(`[data-node="${focused}"]`)?.focus({ preventScroll: true });
    this.follow(state);
    $("sentence").setAttribute("aria-live", this.playing ? "off" : "polite");
    $("sentence").textContent = state.sentence;
    this.variables(state.variables);
    [...$("lines").children].forEach((item, line) => {
      item.className = line === state.step ? "now" : "";
      if (line === state.step) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    this.reveal($("lines"), $("lines").children[state.step]);
    this.board?.show(state.here);
    this.notes(state, drawing);
    $("slider").value = at;
    $("slider").setAttribute("aria-valuetext", `Event ${number} of ${data.total}`);
    if (document.activeElement !== $("number")) $("number").value = number.toLocaleString("en");
    $("speed").textContent = `${data.speeds[this.speed]} a second`;
    $("play").classList.toggle("playing", this.playing);
    $("play").title = this.playing ? "Stop (Space)" : "Play (Space)";
    $("play").querySelector(".hidden").textContent = this.playing ? "Stop" : "Play";
  }

  notes(state, drawing) {
    const { replay } = this, above = drawing.above ?? [];
    const { value, detail } = replay.look(state, state.path[0]), root = value || detail;
    $("visited").textContent = `${state.visited.toLocaleString("en")} ${this.drawing.isGraph ? "found" : "visited"}`;
    $("root").textContent = this.drawing.isGraph ? "" : `root ${root || "–"}`;
    const moves = above.slice(-6).map(node => replay.move(node)).join(" ");
    $("note").textContent = above.length ? `${above.length} ${above.length === 1 ? "ply" : "plies"} above: ${above.length > 6 ? "… " : ""}${moves}` : "";
  }

  // Keep the node where the search is inside what a small screen shows of a large graph.
  follow(state) {
    const stage = $("stage"), box = this.drawing.isGraph && this.drawing.layout.at.get(state.here);
    if (!box || (stage.scrollWidth <= stage.clientWidth && stage.scrollHeight <= stage.clientHeight)) return;
    stage.scrollTo(box.x - stage.clientWidth / 2, box.y - stage.clientHeight / 2);
  }

  reveal(list, item) {
    if (!item) return;
    const top = item.offsetTop;
    if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
      const [before] = [...list.children].filter(line => line.offsetTop >= top - (list.clientHeight - item.offsetHeight) / 2);
      list.scrollTop = before.offsetTop;
    }
  }

  say(words) {
    $("said").textContent = words;
  }

  // Going somewhere.

  go(at) {
    const place = this.held(at);
    this.say("");
    if (place === this.at) return this.show();
    this.at = place;
    this.show(true);
  }

  step(events) {
    this.halt();
    this.go(this.at + events);
  }

  jump(step) {
    this.halt();
    const found = this.replay.landmark(this.at, step);
    if (found === null) this.say(`There is no ${step > 0 ? "further" : "earlier"} ${this.data.landmark} here.`);
    else this.go(found);
  }

  visit(node) {
    this.halt();
    const moment = this.data.nodes.first[node];
    if (moment < 0) return this.say("The search never comes to that node.");
    const at = moment - this.data.first;
    if (at < 0 || at > this.replay.length) return this.say(`The search comes to that node at event ${moment.toLocaleString("en")}, which is not in this file.`);
    this.go(at);
  }

  // Playing.

  toggle() {
    if (this.playing) return this.halt();
    if (this.at === this.replay.length) this.at = 0;
    this.playing = true;
    this.owed = 0;
    this.then = performance.now();
    this.timer = requestAnimationFrame(now => this.tick(now));
    this.show();
  }

  halt() {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.timer);
    this.show();
  }

  tick(now) {
    if (!this.playing) return;
    this.owed += (Math.max(0, Math.min(now - this.then, 1000)) / 1000) * this.data.speeds[this.speed];
    this.then = now;
    const events = Math.floor(this.owed);
    this.owed -= events;
    if (events) this.go(this.at + events);
    if (this.at === this.replay.length) return this.halt();
    this.timer = requestAnimationFrame(later => this.tick(later));
  }

  faster(step) {
    this.speed = Math.max(0, Math.min(this.speed + step, this.data.speeds.length - 1));
    this.show();
  }

  // How the page looks.

  theme() {
    const isDark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = isDark ? "light" : "dark";
  }

  large() {
    this.isLarge = !this.isLarge;
    document.documentElement.classList.toggle("is-large", this.isLarge);
    $("large").setAttribute("aria-pressed", `${this.isLarge}`);
    this.fit();
  }

  // Keys, buttons and the mouse.

  listen() {
    const on = (id, act) => $(id).addEventListener("click", act);
    on("first", () => this.step(-this.replay.length));
    on("last", () => this.step(this.replay.length));
    on("back", () => this.step(-1));
    on("forward", () => this.step(1));
    on("previous", () => this.jump(-1));
    on("next", () => this.jump(1));
    on("play", () => this.toggle());
    on("slower", () => this.faster(-1));
    on("faster", () => this.faster(1));
    on("theme", () => this.theme());
    on("large", () => this.large());
    on("help", () => $("help-page").showModal());
    $("slider").addEventListener("input", () => {
      this.halt();
      this.go($("slider").valueAsNumber);
    });
    $("number").addEventListener("focus", () => {
      this.halt();
      $("number").select();
    });
    $("number").addEventListener("change", () => this.asked());
    $("tree").addEventListener("pointerdown", event => (this.pressed = event.target.closest("[data-node]")?.dataset.node));
    $("tree").addEventListener("click", event => {
      const node = event.target.closest("[data-node]")?.dataset.node ?? this.pressed;
      if (node !== undefined) this.visit(Number(node));
    });
    document.addEventListener("keydown", event => this.key(event));
    let waiting = 0;
    addEventListener("resize", () => {
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(() => this.fit());
    });
  }

  asked() {
    const number = Number($("number").value.replaceAll(",", ""));
    const isNumber = Number.isInteger(number) && $("number").value.trim() !== "";
    $("number").blur();
    if (!isNumber) this.say("Type the number of an event, such as 17.");
    else this.go(number - this.data.first);
    this.show();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help-page").open) return;
    const target = event.target;
    if (target === $("number")) {
      if (event.key === "Enter") $("number").blur();
      return;
    }
    const node = target.closest?.("[data-node]")?.dataset.node;
    const presses = event.key === " " || event.key === "Enter";
    if (presses && target.closest?.("button")) return;
    const keys = {
      ArrowRight: () => this.step(1),
      ArrowLeft: () => this.step(-1),
      PageDown: () => this.step(Math.max(1, Math.floor(this.replay.length / 10))),
      PageUp: () => this.step(-Math.max(1, Math.floor(this.replay.length / 10))),
      Home: () => this.step(-this.replay.length),
      End: () => this.step(this.replay.length),
      " ": () => (node === undefined ? this.toggle() : this.visit(Number(node))),
      Enter: () => node !== undefined && this.visit(Number(node)),
      n: () => this.jump(1),
      p: () => this.jump(-1),
      "+": () => this.faster(1),
      "=": () => this.faster(1),
      "-": () => this.faster(-1),
      "−": () => this.faster(-1),
      l: () => this.large(),
      d: () => this.theme(),
      "?": () => $("help-page").showModal(),
    };
    const act = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

window.player = new Page(JSON.parse($("search").textContent));
