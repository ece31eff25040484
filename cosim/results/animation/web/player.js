// Time, buttons and the graph; starts everything.
"use strict";

Cosim.SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];
Cosim.VIEWS = { "3-D": [0.62, -1, 0.34], front: [0, -1, 0], side: [1, 0, 0], top: [0, -1e-4, 1] };

// A number with about four digits; zero where it is nothing beside `largest`.
Cosim.number = function (x, largest = 0) {
  const size = Math.abs(x) < 1e-6 * largest ? 0 : Math.abs(x);
  if (size === 0) return "0";
  if (size >= 1e6 || (size > 0 && size < 1e-3)) return x.toExponential(2);
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
  return x.toFixed(digits).replace(/^-(0\.?0*)$/, "$1");
};

// The graph of one channel over the whole run; pressing it goes to that time.
Cosim.Chart = class Chart {
  constructor(canvas, run, go) {
    this.canvas = canvas;
    this.run = run;
    this.choose(run.series[0]);
    const at = (event) => go(this.timeAt(event.clientX - canvas.getBoundingClientRect().left));
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      at(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons) at(event);
    });
  }

  choose(series) {
    this.series = series;
    const finite = series ? Array.from(series.values).filter(Number.isFinite) : [];
    this.low = finite.reduce((a, b) => Math.min(a, b), Infinity);
    this.high = finite.reduce((a, b) => Math.max(a, b), -Infinity);
  }

  timeAt(x) {
    const part = (x - 10) / (this.canvas.clientWidth - 20);
    return this.run.start + Math.min(1, Math.max(0, part)) * (this.run.end - this.run.start);
  }

  draw(t) {
    const { canvas, run, low, high } = this, w = canvas.clientWidth, h = canvas.clientHeight;
    if (!w || !h || !(low <= high)) return;
    const span = Math.max(high - low, 1e-9 * Math.abs(high)) || 1;
    this.x = (time) => 10 + ((w - 20) * (time - run.start)) / (run.end - run.start);
    this.y = (value) => h - 9 - ((h - 40) * (value - low)) / span;
    const pen = this.clean(w, h), style = getComputedStyle(document.documentElement);
    const accent = style.getPropertyValue("--accent"), soft = style.getPropertyValue("--soft");
    this.drawCurve(pen, accent);
    this.drawCursor(pen, t, h, [accent, soft]);
    const [least, most] = [low, high].map((value) => Cosim.number(value, this.series.largest));
    pen.fillText(`${least} … ${most} ${this.series.units}`, w - 10, 17);
  }

  // The pen on an empty canvas, of the screen's own resolution.
  clean(w, h) {
    const ratio = window.devicePixelRatio || 1, pen = this.canvas.getContext("2d");
    const size = [Math.round(w * ratio), Math.round(h * ratio)];
    if (this.canvas.width !== size[0] || this.canvas.height !== size[1]) {
      [this.canvas.width, this.canvas.height] = size;
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, w, h);
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "right";
    return pen;
  }

  drawCurve(pen, colour) {
    const times = this.run.times, values = this.series.values;
    pen.strokeStyle = colour;
    pen.lineWidth = 1.1;
    pen.beginPath();
    values.forEach((value, i) => pen.lineTo(this.x(times[i]), this.y(value)));
    pen.stroke();
  }

  drawCursor(pen, t, h, [accent, soft]) {
    pen.strokeStyle = pen.fillStyle = soft;
    pen.beginPath();
    pen.moveTo(this.x(t), 28);
    pen.lineTo(this.x(t), h - 2);
    pen.stroke();
    pen.fillStyle = accent;
    pen.beginPath();
    pen.arc(this.x(t), this.y(this.run.value(this.series, t)), 3.2, 0, 2 * Math.PI);
    pen.fill();
    pen.fillStyle = soft;
  }
};

Cosim.Player = class Player {
  constructor(run) {
    const find = (id) => document.getElementById(id);
    Object.assign(this, { run, find, time: run.start, playing: false, last: 0 });
    this.world = new Cosim.World(run);
    this.stage = new Cosim.Stage(find("view"), this.world);
    this.chart = new Cosim.Chart(find("chart"), run, (t) => this.seek(t));
    this.addTransport();
    this.addViews();
    this.addToggles();
    this.addLegend();
    this.addValues();
    new ResizeObserver(() => this.stage.resize()).observe(find("view"));
    this.stage.resize();
    this.seek(this.wanted() ?? run.start);
    this.view(run.planar ? "front" : "3-D", run.planar && run.lines.length ? "all" : "near");
    requestAnimationFrame((now) => this.frame(now));
  }

  // Time that the address asks for: page.html#t=30
  wanted() {
    const found = /[#&]t=([-\d.]+)/.exec(location.hash);
    return found ? Number(found[1]) : null;
  }

  frame(now) {
    const passed = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    if (this.playing) {
      const next = this.time + passed * this.speed;
      this.seek(next > this.run.end ? this.run.start : next);
    }
    this.stage.render();
    requestAnimationFrame((later) => this.frame(later));
  }

  seek(t) {
    this.time = Math.min(this.run.end, Math.max(this.run.start, t));
    this.world.seek(this.time);
    this.chart.draw(this.time);
    this.scrub.value = this.time;
    const digits = this.run.end < 100 ? 2 : 1;
    this.find("time").textContent = `${this.time.toFixed(digits)} / ${this.run.end.toFixed(digits)} s`;
    this.find("clock").textContent = `t = ${this.time.toFixed(digits)} s`;
    this.values?.forEach(([cell, series]) => {
      cell.textContent = Cosim.number(this.run.value(series, this.time), series.largest);
    });
  }

  play(on = true) {
    this.playing = on;
    if (on && this.time >= this.run.end) this.seek(this.run.start);
    this.find("play").innerHTML = on ? "&#10074;&#10074;" : "&#9654;";
  }

  addTransport() {
    const { find, run } = this, speed = find("speed");
    this.scrub = find("scrub");
    Object.assign(this.scrub, { min: run.start, max: run.end });
    this.scrub.addEventListener("input", () => this.seek(Number(this.scrub.value)));
    find("play").addEventListener("click", () => this.play(!this.playing));
    for (const factor of Cosim.SPEEDS) speed.append(new Option(`${factor} ×`, factor));
    this.speed = [1, 2, 4].find((factor) => (run.end - run.start) / factor <= 75) ?? 4;
    speed.value = this.speed;
    speed.addEventListener("change", () => { this.speed = Number(speed.value); });
    window.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (/^(SELECT|INPUT|BUTTON)$/.test(event.target.tagName)) return;
    const step = (this.run.end - this.run.start) / 100;
    const keys = {
      " ": () => this.play(!this.playing),
      ArrowRight: () => this.seek(this.time + step),
      ArrowLeft: () => this.seek(this.time - step),
      Home: () => this.seek(this.run.start),
      End: () => this.seek(this.run.end),
    };
    if (!keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
  }

  addViews() {
    for (const name of Object.keys(Cosim.VIEWS)) this.button("views", name, () => this.view(name, this.what));
    if (!this.run.lines.length) return;
    this.whole = this.button("views", "whole", () => this.view(this.from, this.what === "all" ? "near" : "all"));
  }

  view(name, what) {
    this.from = name;
    this.what = what;
    this.whole?.setAttribute("aria-pressed", String(what === "all"));
    this.stage.look(Cosim.VIEWS[name], what);
  }

  addToggles() {
    const { world, stage, run, find } = this;
    const names = find("names");
    run.bodies.forEach((name, body) => stage.addName(name, "body", body, [0, 0, 0]));
    const holding = run.hinges.filter((joint) => joint.kind !== "floating");
    holding.forEach((joint) => stage.addName(joint.name, "joint", joint.body, joint.place));
    const dry = !run.water;
    this.toggle("names", false, (on) => { names.hidden = !on; });
    if (holding.length) this.toggle("joints", true, (on) => { world.layers.joints.visible = on; });
    this.toggle("centres", dry, (on) => { world.layers.centres.visible = on; });
    if (world.water) this.toggle("water", true, (on) => { world.water.mesh.visible = on; });
    this.toggle("follow", false, (on) => stage.follow(on));
    const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    this.toggle("dark", dark, (on) => {
      document.documentElement.dataset.theme = on ? "dark" : "light";
      world.theme(on);
      this.chart.draw(this.time);
    });
  }

  button(row, text, action) {
    const button = document.createElement("button");
    button.textContent = text;
    button.addEventListener("click", action);
    this.find(row).append(button);
    return button;
  }

  toggle(text, on, action) {
    const button = this.button("toggles", text, () => set(button.getAttribute("aria-pressed") !== "true"));
    const set = (state) => { button.setAttribute("aria-pressed", String(state)); action(state); };
    set(on);
  }

  addLegend() {
    const shown = new Map();
    this.run.bodies.forEach((name, body) => {
      const colour = this.world.colours[body];
      shown.set(colour, [...(shown.get(colour) ?? []), name]);
    });
    const add = (text, colour, kind) => {
      const item = document.createElement("li"), mark = document.createElement("i");
      mark.style.background = colour;
      mark.className = kind;
      item.append(text, mark);
      this.find("legend").append(item);
    };
    for (const [colour, names] of shown) {
      const many = this.run.bodies.length > Cosim.PALETTE.length;
      const kinds = new Set(names.map((name) => Cosim.kind(name, many)));
      const alike = names.length > 1 && kinds.size === 1;
      add(alike ? `${[...kinds][0]} (${names.length})` : names.join(", "), colour, "");
    }
    if (this.run.springs.length) add("springs and ropes", Cosim.SPRING, "thin");
    if (this.run.lines.length) add("lines", "currentColor", "thin");
  }

  addValues() {
    const { find, run } = this, select = find("channel");
    run.series.forEach((series, i) => select.append(new Option(`${series.name}  [${series.units}]`, i)));
    select.addEventListener("change", () => {
      this.chart.choose(run.series[Number(select.value)]);
      this.chart.draw(this.time);
    });
    find("graph").hidden = !run.series.length;
    this.values = run.series.slice(0, 8).map((series) => {
      const row = find("values").insertRow();
      row.insertCell().textContent = series.name;
      const cell = row.insertCell();
      row.insertCell().textContent = series.units;
      return [cell, series];
    });
  }
};

try {
  Cosim.player = new Cosim.Player(new Cosim.Run(JSON.parse(document.getElementById("run").textContent)));
} catch (error) {
  const trouble = document.getElementById("trouble");
  trouble.hidden = false;
  trouble.textContent = `This page cannot show the run: ${error.message.replace(/\.$/, "")}. It needs a browser with WebGL 2.`;
  throw error;
}
