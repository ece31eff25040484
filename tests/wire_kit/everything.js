// The peer of everything.c, written from docs/protocol.md alone: node, and no library at all.
"use strict";

const net = require("net");

const endpoint = process.env.COSIM_ENDPOINT;
const beats = endpoint + "-beats";

// MessagePack. A float is written as {float: x}, since 1 and 1.0 are the same in this language.

function pack(value) {
  const wide = (type, size, write) => {
    const bytes = Buffer.alloc(1 + size);
    bytes[0] = type;
    write(bytes);
    return bytes;
  };
  const counted = (type, n, parts) =>
    Buffer.concat([wide(type, 2, (b) => b.writeUInt16BE(n, 1)), ...parts]);
  if (typeof value === "boolean") return Buffer.from([value ? 0xc3 : 0xc2]);
  if (typeof value === "string") {
    const text = Buffer.from(value, "utf8");
    return counted(0xda, text.length, [text]);
  }
  if (Array.isArray(value)) return counted(0xdc, value.length, value.map(pack));
  if (typeof value !== "object") return wide(0xcf, 8, (b) => b.writeBigUInt64BE(BigInt(value), 1));
  if ("float" in value) return wide(0xcb, 8, (b) => b.writeDoubleBE(value.float, 1));
  const pairs = Object.entries(value);
  return counted(0xde, pairs.length, pairs.flat().map(pack));
}

function unpack(bytes) {
  let at = 0;
  const take = (n) => bytes.subarray(at, (at += n));
  const unsigned = (n) => take(n).reduce((sum, byte) => sum * 256 + byte, 0);
  const text = (n) => take(n).toString("utf8");
  const list = (n) => Array.from({ length: n }, next);
  const map = (n) => Object.fromEntries(Array.from({ length: n }, () => [next(), next()]));
  const readers = {
    0xc0: () => null,
    0xc2: () => false,
    0xc3: () => true,
    0xca: () => take(4).readFloatBE(),
    0xcb: () => take(8).readDoubleBE(),
    0xcc: () => unsigned(1),
    0xcd: () => unsigned(2),
    0xce: () => unsigned(4),
    0xcf: () => take(8).readBigUInt64BE(),
    0xd0: () => take(1).readInt8(),
    0xd1: () => take(2).readInt16BE(),
    0xd2: () => take(4).readInt32BE(),
    0xd3: () => take(8).readBigInt64BE(),
    0xd9: () => text(unsigned(1)),
    0xda: () => text(unsigned(2)),
    0xdb: () => text(unsigned(4)),
    0xdc: () => list(unsigned(2)),
    0xdd: () => list(unsigned(4)),
    0xde: () => map(unsigned(2)),
    0xdf: () => map(unsigned(4)),
  };
  function next() {
    const first = unsigned(1);
    if (first < 0x80) return first;
    if (first < 0x90) return map(first & 15);
    if (first < 0xa0) return list(first & 15);
    if (first < 0xc0) return text(first & 31);
    if (first >= 0xe0) return first - 256;
    return readers[first]();
  }
  return next();
}

// A ROUTER: the ZeroMQ Message Transport Protocol 3.0 (rfc.zeromq.org/spec/23) without security.

function frame(flags, body) {
  const head = Buffer.alloc(9);
  head[0] = flags | 2;
  head.writeBigUInt64BE(BigInt(body.length), 1);
  return Buffer.concat([head, body]);
}

function splitFrame(bytes) {
  const long = bytes[0] & 2;
  if (bytes.length < (long ? 9 : 2)) return null;
  const start = long ? 9 : 2;
  const end = start + (long ? Number(bytes.readBigUInt64BE(1)) : bytes[1]);
  if (bytes.length < end) return null;
  return { flags: bytes[0], body: bytes.subarray(start, end), rest: bytes.subarray(end) };
}

function router(place, answer) {
  const greeting = Buffer.alloc(64);
  greeting.set([0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 3, 0]);
  greeting.write("NULL", 12);
  const ready = Buffer.from("\x05READY\x0bSocket-Type\0\0\0\x06ROUTER", "latin1");
  const server = net.createServer((connection) => {
    let bytes = Buffer.alloc(0);
    let greeted = false;
    let parts = [];
    const send = (frames) =>
      connection.write(Buffer.concat(frames.map((f, i) => frame(+(i < frames.length - 1), f))));
    connection.on("error", () => connection.destroy());
    connection.write(Buffer.concat([greeting, Buffer.from([4, ready.length]), ready]));
    connection.on("data", (more) => {
      bytes = Buffer.concat([bytes, more]);
      if (!greeted && bytes.length >= 64) {
        bytes = bytes.subarray(64);
        greeted = true;
      }
      for (let one; greeted && (one = splitFrame(bytes)); bytes = one.rest) {
        if (one.flags & 4) continue;
        parts.push(one.body);
        if (one.flags & 1) continue;
        answer(parts, send);
        parts = [];
      }
    });
  });
  server.listen(place.slice("ipc://".length));
}

// The solver

let hours = 0;
const zeros = (...shape) => ({ shape, values: Array(shape.reduce((a, b) => a * b)).fill(0) });

function loads({ state, points, x }) {
  const k = state.length / 18;
  const [load, push, mass, rate] = [zeros(k, 6), zeros(1, 6), zeros(6 * k, 6 * k), zeros(3)];
  for (let i = 0; i < 3; i++) {
    load.values[i] = -(3 + hours) * x[i];
    push.values[i] = -0.25 * points[3 + i];
    mass.values[i * (6 * k + 1)] = 4;
    rate.values[i] = (state[12 + i] - x[i]) / 0.5;
  }
  const event = { shape: [1], values: [1] };
  const outputs = { shape: [1], values: [hours] };
  return { load, point_load: push, mass, x_dot: rate, event, outputs };
}

const work = {
  hello: () => ({}),
  end: () => ({}),
  update: loads,
  static({ state }) {
    const load = zeros(state.length / 18, 6);
    load.values[2] = -0.5 * state[2];
    return { load };
  },
  initialize(arrays) {
    hours = 0;
    const x = [12, 13, 14].map((i) => 0.5 * arrays.state[i]);
    const own = { x: { shape: [3], values: x }, x_scale: { shape: [3], values: [2, 2, 2] } };
    return { ...own, ...loads({ ...arrays, x }) };
  },
  accept(arrays, t) {
    hours += 1e-3 * (t > 0);
    return loads(arrays);
  },
  save_state: () => ({ data: { shape: [8], values: [hours], type: "|u1" } }),
  restore_state({ data }) {
    [hours] = data;
    return {};
  },
};

const introduction = (q) => ({
  version: 1,
  name: "everything",
  mode: "evaluate",
  n_states: 3,
  history: true,
  restorable: true,
  static: true,
  event: true,
  added_mass: true,
  max_step: { float: Infinity },
  inner_step: { float: 0 },
  bodies: q.bodies,
  points: q.points.map((name) => ({ name })),
  channels: [],
  outputs: [{ name: "hours", units: "1", frame: "", point: "", long_name: "accepted instants" }],
  heartbeat: beats,
  pid: process.pid,
  about: { node: process.version },
});

// The session

const doubles = (bytes) =>
  Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readDoubleLE(8 * i));

function raw(values) {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, i) => bytes.writeDoubleLE(value, 8 * i));
  return bytes;
}

let session = null;
let last = 0;
let kept = null;

function answer([first, ...frames], send) {
  const q = unpack(first);
  const ours = BigInt(q.session) === session;
  if (q.op === "abort" && ours) process.exit(0);
  if (q.op === "abort" || (ours && q.seq < last)) return;
  if (ours && q.seq === last) return send(kept);
  const begins = session === null && q.op === "hello" && q.seq === 1 && q.version === 1;
  const done = begins || (ours && q.seq === last + 1);
  const error = done ? "" : "this request has no place here";
  const head = { re: q.op, session: q.session, seq: q.seq, t: { float: q.t }, ok: done, error };
  if (!done) return send([pack({ ...head, arrays: [], ...(q.op === "hello" && { version: 1 }) })]);
  const arrays = Object.fromEntries(q.arrays.map(([name], i) => [name, doubles(frames[i])]));
  const results = Object.entries(work[q.op](arrays, q.t));
  const described = results.map(([name, one]) => [name, one.type || "<f8", one.shape]);
  const more = q.op === "hello" ? introduction(q) : {};
  session = BigInt(q.session);
  last = q.seq;
  kept = [pack({ ...head, arrays: described, ...more }), ...results.map(([, r]) => raw(r.values))];
  send(kept);
  if (q.op === "end") setTimeout(() => process.exit(0), 100);
}

router(beats, (frames, send) => send(frames));
router(endpoint, answer);
