// What the page was given: arrays out of base64, and values between their instants.
"use strict";
const Cosim = {};

// Numbers of little-endian 32-bit floats in base64.
Cosim.floats = function (text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Float32Array(bytes.buffer);
};

// Rows of `width` numbers at rising instants.
Cosim.Track = class Track {
  constructor(times, values, width) {
    this.times = times;
    this.values = values;
    this.width = width;
    this.left = 0;
  }

  // Index of the last instant not after t, and how far t is towards the next one.
  locate(t) {
    const times = this.times, last = times.length - 2;
    if (last < 0) return [0, 0];
    let i = Math.min(this.left, last);
    if (t < times[i] || t > times[i + 1]) {
      let low = 0, high = last;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (times[middle] <= t) low = middle; else high = middle - 1;
      }
      i = low;
    }
    this.left = i;
    const part = (t - times[i]) / (times[i + 1] - times[i]);
    return [i, Math.min(1, Math.max(0, part))];
  }

  // Cubic between two instants whose slopes are those between their neighbours, so that motion
  // looks smooth; through any even motion it is exact.
  read(t, out) {
    const [i, s] = this.locate(t), n = this.width, v = this.values, times = this.times;
    const last = times.length - 1, b = i, c = Math.min(i + 1, last);
    const a = Math.max(b - 1, 0), d = Math.min(c + 1, last), h = times[c] - times[b];
    const before = c > a ? h / (times[c] - times[a]) : 0, after = d > b ? h / (times[d] - times[b]) : 0;
    const s2 = s * s, s3 = s2 * s;
    const first = (s3 - 2 * s2 + s) * before, second = (s3 - s2) * after;
    const start = 2 * s3 - 3 * s2 + 1 - second, end = 3 * s2 - 2 * s3 + first;
    for (let k = 0; k < n; k++) {
      out[k] = start * v[b * n + k] + end * v[c * n + k] - first * v[a * n + k] + second * v[d * n + k];
    }
    return out;
  }
};

// Everything that moves, at any time of the run.
Cosim.Run = class Run {
  constructor(given) {
    Object.assign(this, given);
    this.times = Cosim.floats(given.times);
    this.start = this.times[0];
    this.end = this.times[this.times.length - 1];
    const count = given.bodies.length;
    this.positions = new Cosim.Track(this.times, Cosim.floats(given.positions), 3 * count);
    this.turns = Cosim.floats(given.quaternions);
    this.position = new Float32Array(3 * count);
    const lineTimes = Cosim.floats(given.line_times);
    this.lines = given.lines.map((line) => ({
      name: line.name,
      count: line.count,
      track: new Cosim.Track(lineTimes, Cosim.floats(line.nodes), 3 * line.count),
      nodes: new Float32Array(3 * line.count),
    }));
    this.series = given.series.map((one) => ({ ...one, values: Cosim.floats(one.values) }));
    const widest = {};
    for (const one of this.series) {
      for (const v of one.values) widest[one.units] = Math.max(widest[one.units] ?? 0, Math.abs(v) || 0);
    }
    for (const one of this.series) one.largest = widest[one.units];
    if (given.water) {
      for (const key of ["omega", "kx", "ky", "amplitude", "phase"]) {
        this.water[key] = Cosim.floats(given.water[key]);
      }
    }
  }

  // Centres of gravity and node places at t; `position` and `nodes` of lines are filled.
  seek(t) {
    this.positions.read(t, this.position);
    for (const line of this.lines) line.track.read(t, line.nodes);
  }

  // Attitude of a body at t into a three.js quaternion; `other` is scratch.
  attitude(body, t, out, other) {
    const [i, s] = this.positions.locate(t), n = this.bodies.length, q = this.turns;
    const at = (k) => 4 * (Math.min(k, this.times.length - 1) * n + body);
    const a = at(i), b = at(i + 1);
    out.set(q[a + 1], q[a + 2], q[a + 3], q[a]);
    other.set(q[b + 1], q[b + 2], q[b + 3], q[b]);
    return out.slerp(other, s);
  }

  // Value of a series at t, straight between instants.
  value(series, t) {
    const [i, s] = this.positions.locate(t), v = series.values;
    return v[i] + s * (v[Math.min(i + 1, v.length - 1)] - v[i]);
  }

  // Factor of the waves at t.
  ramp(t) {
    const done = this.water.ramp > 0 ? Math.min(1, Math.max(0, t / this.water.ramp)) : 1;
    return 0.5 * (1 - Math.cos(Math.PI * done));
  }
};
