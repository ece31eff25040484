// What is seen: bodies, joints, springs, lines, bed; all follow the time.
"use strict";

// Colours are given as the screen shows them; light is reckoned in linear ones.
THREE.ColorManagement.legacyMode = false;

Cosim.PALETTE = ["#e5a93c", "#4a86b5", "#c05a3e", "#569b72", "#86679f", "#a98a5a", "#3f9a9a", "#7d5a3c"];
Cosim.LINE = { light: "#33424f", dark: "#b9c6d1" };
Cosim.SPRING = "#a13d63";

Cosim.World = class World {
  constructor(run) {
    this.run = run;
    this.scene = new THREE.Scene();
    this.low = new THREE.Vector3(...run.box[0]);
    this.high = new THREE.Vector3(...run.box[1]);
    this.bodiesLow = new THREE.Vector3(...run.bodies_box[0]);
    this.bodiesHigh = new THREE.Vector3(...run.bodies_box[1]);
    this.size = Math.max(1e-3, this.bodiesHigh.distanceTo(this.bodiesLow));
    this.centre = this.bodiesLow.clone().add(this.bodiesHigh).multiplyScalar(0.5);
    this.layers = { joints: new THREE.Group(), centres: new THREE.Group() };
    this.q = new THREE.Quaternion();
    this.colours = Cosim.colours(run.bodies);
    this.addLights();
    this.groups = run.bodies.map((name) => this.addBody(name));
    run.solids.forEach((solid) => this.addSolid(solid));
    this.addMarks();
    this.springs = run.springs.map((spring) => this.addSpring(spring));
    this.lines = run.lines.map((line) => this.addLine(line));
    this.addSurroundings();
  }

  addLights() {
    const sun = new THREE.DirectionalLight("#ffffff", 2.1);
    sun.position.set(0.45, -0.6, 0.75);
    this.scene.add(new THREE.HemisphereLight("#ffffff", "#8fa3b3", 1.5), sun);
  }

  addBody(name) {
    const group = new THREE.Group();
    group.name = name;
    this.scene.add(group);
    return group;
  }

  addSolid(solid) {
    const colour = this.colours[solid.body];
    const material = new THREE.MeshStandardMaterial({ color: colour, roughness: 0.55, metalness: 0.05 });
    const a = new THREE.Vector3(...solid.ends[0]), b = new THREE.Vector3(...solid.ends[1]);
    const [d0, d1] = solid.diameters, length = a.distanceTo(b);
    let geometry;
    if (solid.kind === "ball") geometry = new THREE.SphereGeometry(0.5 * d0, 40, 28);
    else if (solid.kind === "stick") geometry = new THREE.CapsuleGeometry(0.5 * d0, length, 8, 20);
    else geometry = new THREE.CylinderGeometry(0.5 * d1, 0.5 * d0, length, 40);
    const mesh = new THREE.Mesh(geometry, material);
    if (solid.kind !== "ball") Cosim.stand(mesh, a, b);
    this.groups[solid.body].add(mesh);
  }

  addMarks() {
    const grey = new THREE.MeshStandardMaterial({ color: "#46535f", roughness: 0.4, metalness: 0.3 });
    const r = this.run.joint_size;
    for (const joint of this.run.hinges) {
      const mesh = Cosim.jointMark(joint, r, grey);
      if (!mesh) continue;
      const holder = new THREE.Group();
      holder.add(mesh);
      this.layers.joints.add(holder);
      holder.userData = { body: joint.body, place: new THREE.Vector3(...joint.place) };
    }
    const dark = new THREE.MeshBasicMaterial({ color: "#14202a", depthTest: false, transparent: true });
    this.run.bodies.forEach((name, body) => {
      const mesh = new THREE.Mesh(new THREE.SphereGeometry(0.5 * r, 16, 12), dark);
      mesh.renderOrder = 9;
      mesh.userData = { body, place: new THREE.Vector3() };
      this.layers.centres.add(mesh);
    });
    this.scene.add(this.layers.joints, this.layers.centres);
  }

  addSpring(spring) {
    const line = new Cosim.WideLine(spring.coils ? 8 * spring.coils + 3 : 2, Cosim.SPRING, 2.2);
    line.userData = { spring, ends: [new THREE.Vector3(), new THREE.Vector3()] };
    this.scene.add(line);
    return line;
  }

  addLine(line) {
    const drawn = new Cosim.WideLine(line.count, Cosim.LINE.light, 1.8);
    drawn.name = line.name;
    this.scene.add(drawn);
    return drawn;
  }

  addSurroundings() {
    const run = this.run;
    const reach = Math.max(
      ...["x", "y"].map((k) => Math.max(this.high[k] - this.centre[k], this.centre[k] - this.low[k])),
      run.water ? 2.5 * this.size : 0.8 * this.size,
    );
    this.reach = run.lines.length ? 1.25 * reach : reach;
    if (run.water) {
      this.water = new Cosim.Water(run, this.centre, this.reach);
      this.scene.add(this.water.mesh);
      if (run.depth !== null && run.depth < 2.5 * this.reach) this.addBed(run.depth);
    } else {
      this.addGrid();
    }
  }

  addBed(depth) {
    const material = new THREE.MeshBasicMaterial({ color: "#cdb88b", opacity: 0.4, ...Cosim.SHEET });
    const bed = new THREE.Mesh(new THREE.CircleGeometry(this.reach, 128), material);
    bed.position.set(this.centre.x, this.centre.y, -depth);
    bed.name = "bed";
    bed.renderOrder = 4;
    this.bed = bed;
    this.scene.add(bed);
    const r = 0.006 * this.reach;
    const anchor = new THREE.MeshStandardMaterial({ color: "#46535f" });
    for (const line of this.run.lines) {
      for (const node of [0, line.count - 1]) {
        const z = line.track.values[3 * node + 2];
        if (z > -0.98 * depth) continue;
        const mesh = new THREE.Mesh(new THREE.SphereGeometry(r, 16, 12), anchor);
        mesh.position.set(line.track.values[3 * node], line.track.values[3 * node + 1], z);
        this.scene.add(mesh);
      }
    }
  }

  addGrid() {
    const step = Cosim.nice(this.size / 6), count = 2 * Math.ceil(this.reach / step);
    const grid = new THREE.GridHelper(count * step, count, "#8a97a3", "#8a97a3");
    grid.material.transparent = true;
    grid.material.opacity = 0.28;
    const snap = (x) => step * Math.round(x / step);
    if (this.run.planar) {
      grid.position.set(snap(this.centre.x), this.bodiesHigh.y + 0.02 * this.size, snap(this.centre.z));
    } else {
      grid.rotation.x = Math.PI / 2;
      grid.position.set(snap(this.centre.x), snap(this.centre.y), this.low.z - 0.02 * this.size);
    }
    this.scene.add(grid);
  }

  seek(t) {
    const run = this.run;
    run.seek(t);
    this.groups.forEach((group, body) => {
      run.attitude(body, t, group.quaternion, this.q);
      group.position.fromArray(run.position, 3 * body);
    });
    for (const layer of Object.values(this.layers)) {
      for (const mark of layer.children) {
        this.onBody(mark.userData.body, mark.userData.place, mark.position);
        mark.quaternion.copy(this.groups[mark.userData.body].quaternion);
      }
    }
    this.springs.forEach((line) => this.stretch(line));
    this.lines.forEach((drawn, i) => drawn.follow(run.lines[i].nodes));
    if (this.water) this.water.seek(t);
  }

  // World place of a place on a body; of earth for -1.
  onBody(body, place, out) {
    out.copy(place);
    if (body < 0) return out;
    return out.applyQuaternion(this.groups[body].quaternion).add(this.groups[body].position);
  }

  stretch(line) {
    const { spring, ends } = line.userData;
    ends.forEach((end, i) => this.onBody(spring.bodies[i], end.fromArray(spring.places[i]), end));
    line.follow(Cosim.coil(ends[0], ends[1], spring.coils, this.run.joint_size * 0.9));
  }

  theme(dark) {
    for (const line of this.lines) line.paint(dark ? Cosim.LINE.dark : Cosim.LINE.light);
    if (this.water) this.water.theme(dark);
    if (this.bed) this.bed.material.opacity = dark ? 0.22 : 0.4;
  }
};

// The last part of a name; of many bodies without its number: piece1, piece2 are of one kind.
Cosim.kind = function (name, many) {
  const last = name.split("/").pop();
  return many ? last.replace(/\d+$/, "") : last;
};

// Bodies of the same kind have the same colour.
Cosim.colours = function (bodies) {
  const own = bodies.map((name) => Cosim.kind(name, bodies.length > Cosim.PALETTE.length));
  const kinds = [...new Set(own)];
  return own.map((kind) => Cosim.PALETTE[kinds.indexOf(kind) % Cosim.PALETTE.length]);
};

// Put a mesh whose axis is y between two places.
Cosim.stand = function (mesh, a, b) {
  const axis = b.clone().sub(a);
  mesh.position.copy(a).addScaledVector(axis, 0.5);
  if (axis.length() > 0) mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), axis.normalize());
};

Cosim.jointMark = function (joint, r, material) {
  let geometry;
  if (joint.kind === "floating" || joint.kind === "fixed") return null;
  if (joint.kind === "spherical") geometry = new THREE.SphereGeometry(r, 24, 18);
  else if (joint.kind === "prismatic") geometry = new THREE.CylinderGeometry(r, r, 3 * r, 4, 1);
  else geometry = new THREE.CylinderGeometry(r, r, 2.2 * r, 28);
  const mesh = new THREE.Mesh(geometry, material);
  if (joint.axis) {
    mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(...joint.axis));
  }
  return mesh;
};

// A helix between two places; straight without coils.
Cosim.coil = function (a, b, coils, radius) {
  if (!coils) return [a.x, a.y, a.z, b.x, b.y, b.z];
  const axis = b.clone().sub(a), along = axis.clone().normalize();
  const across = Math.abs(along.y) < 0.9 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(1, 0, 0);
  const side = across.cross(along).normalize(), other = along.clone().cross(side);
  const steps = 8 * coils, nodes = [a.x, a.y, a.z];
  for (let i = 0; i <= steps; i++) {
    const s = 0.12 + (0.76 * i) / steps, angle = (2 * Math.PI * i) / 8;
    const p = a.clone().addScaledVector(axis, s);
    p.addScaledVector(side, radius * Math.cos(angle)).addScaledVector(other, radius * Math.sin(angle));
    nodes.push(p.x, p.y, p.z);
  }
  nodes.push(b.x, b.y, b.z);
  return nodes;
};

// The nearest of 1, 2, 5 times a power of ten, not above x.
Cosim.nice = function (x) {
  const power = Math.pow(10, Math.floor(Math.log10(x)));
  return power * (x >= 5 * power ? 5 : x >= 2 * power ? 2 : 1);
};
