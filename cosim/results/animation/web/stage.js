// The camera and what stands on the screen around the scene: axes, scale, names.
"use strict";

Cosim.Stage = class Stage {
  constructor(canvas, world) {
    this.world = world;
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    if (!this.renderer.capabilities.isWebGL2) throw new Error("WebGL 2 is missing");
    this.renderer.autoClear = false;
    this.renderer.outputEncoding = THREE.sRGBEncoding;
    this.renderer.physicallyCorrectLights = true;
    const size = Math.max(world.size, world.reach);
    this.camera = new THREE.PerspectiveCamera(world.run.planar ? 12 : 34, 1, 0.002 * world.size, 60 * size);
    this.camera.up.set(0, 0, 1);
    this.controls = new Cosim.Orbit(this.camera, canvas);
    this.triad = new Cosim.Triad();
    this.names = [];
    this.following = false;
    this.focus = new THREE.Vector3();
    this.point = new THREE.Vector3();
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / Math.max(1, h);
    this.camera.updateProjectionMatrix();
  }

  // Look at the bodies ("near") or at everything ("all") from a direction.
  look(direction, what) {
    const world = this.world, whole = what === "all";
    const low = (whole ? world.low : world.bodiesLow).clone();
    const high = (whole ? world.high : world.bodiesHigh).clone();
    if (world.water && whole) high.z = Math.max(high.z, 0.05 * world.reach);
    const target = low.clone().add(high).multiplyScalar(0.5);
    const from = new THREE.Vector3(...direction).normalize();
    const forward = from.clone().negate();
    const right = forward.clone().cross(new THREE.Vector3(0, 0, 1));
    if (right.lengthSq() < 1e-6) right.set(1, 0, 0);
    right.normalize();
    const up = right.clone().cross(forward);
    const half = high.clone().sub(low).multiplyScalar(0.5);
    const extent = (axis) => Math.abs(axis.x) * half.x + Math.abs(axis.y) * half.y + Math.abs(axis.z) * half.z;
    const tan = Math.tan((this.camera.fov * Math.PI) / 360);
    // the graph covers the lowest fifth of the screen
    const tall = extent(up) / (0.72 * tan), wide = extent(right) / (0.9 * tan * this.camera.aspect);
    const distance = Math.max(tall, wide, 0.1 * world.size) + 0.6 * extent(forward);
    target.addScaledVector(up, -0.11 * distance * tan);
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(from, distance);
    // a level view in the water would be from below its surface
    if (world.water) this.camera.position.z = Math.max(this.camera.position.z, 0.04 * distance);
    this.controls.stop();
    this.controls.update();
  }

  // Move the camera along with the bodies.
  follow(on) {
    this.following = on;
    this.middle(this.focus);
  }

  middle(out) {
    const p = this.world.run.position, n = p.length / 3;
    out.set(0, 0, 0);
    for (let i = 0; i < n; i++) out.add(this.point.fromArray(p, 3 * i));
    return out.multiplyScalar(1 / n);
  }

  render() {
    if (this.following) {
      const before = this.focus.clone(), move = this.middle(this.focus).clone().sub(before);
      this.camera.position.add(move);
      this.controls.target.add(move);
    }
    this.controls.update();
    const { renderer, canvas } = this, w = canvas.clientWidth, h = canvas.clientHeight;
    renderer.setViewport(0, 0, w, h);
    renderer.clear();
    renderer.render(this.world.scene, this.camera);
    this.drawn = renderer.info.render.triangles;
    renderer.clearDepth();
    const bottom = document.getElementById("foot").offsetHeight + 8;
    renderer.setViewport(8, bottom, 104, 104);
    this.triad.render(renderer, this.camera, this.controls.target);
    this.placeNames(w, h);
    this.drawScale(h);
  }

  addName(text, kind, body, place) {
    const label = document.createElement("span");
    label.textContent = text;
    label.className = kind;
    document.getElementById("names").append(label);
    this.names.push({ label, body, place: new THREE.Vector3(...place) });
  }

  placeNames(w, h) {
    if (document.getElementById("names").hidden) return;
    const taken = [];
    for (const name of this.names) {
      const p = this.world.onBody(name.body, name.place, this.point).project(this.camera);
      name.width ||= name.label.offsetWidth;
      const x = 0.5 * (1 + p.x) * w + 9, y = 0.5 * (1 - p.y) * h - 8;
      const inside = p.z < 1 && Math.abs(p.x) < 1.05 && Math.abs(p.y) < 1.05;
      // a name that would cover an earlier one waits until there is room
      const seen = inside && !taken.some((o) => x < o.x + o.width && o.x < x + name.width && Math.abs(y - o.y) < 17);
      if (seen) taken.push({ x, y, width: name.width });
      name.label.style.visibility = seen ? "visible" : "hidden";
      name.label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
  }

  // How long something at the centre of rotation looks.
  drawScale(h) {
    const distance = this.camera.position.distanceTo(this.controls.target);
    const perPixel = (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / h;
    const length = Cosim.nice(140 * perPixel), scale = document.getElementById("scale");
    scale.querySelector("i").style.width = `${(length / perPixel).toFixed(1)}px`;
    const text = length >= 1000 ? `${length / 1000} km` : `${Number(length.toPrecision(1))} m`;
    scale.querySelector("span").textContent = text;
  }
};

// The world's axes in a corner.
Cosim.Triad = class Triad {
  constructor() {
    this.scene = new THREE.Scene();
    this.camera = new THREE.OrthographicCamera(-1.5, 1.5, 1.5, -1.5, 0.1, 10);
    this.camera.up.set(0, 0, 1);
    const axes = { x: ["#c8503c", [1, 0, 0]], y: ["#3f9a5c", [0, 1, 0]], z: ["#2f78c4", [0, 0, 1]] };
    for (const [name, [colour, direction]] of Object.entries(axes)) {
      const along = new THREE.Vector3(...direction), material = new THREE.MeshBasicMaterial({ color: colour });
      const shaft = new THREE.Mesh(new THREE.CylinderGeometry(0.045, 0.045, 0.8, 10), material);
      Cosim.stand(shaft, new THREE.Vector3(), along.clone().multiplyScalar(0.8));
      const tip = new THREE.Mesh(new THREE.ConeGeometry(0.1, 0.26, 16), material);
      Cosim.stand(tip, along.clone().multiplyScalar(0.76), along.clone().multiplyScalar(1.02));
      const letter = Cosim.letter(name, colour);
      letter.position.copy(along).multiplyScalar(1.26);
      this.scene.add(shaft, tip, letter);
    }
  }

  render(renderer, camera, target) {
    this.camera.position.copy(camera.position).sub(target).normalize().multiplyScalar(4);
    this.camera.quaternion.copy(camera.quaternion);
    renderer.render(this.scene, this.camera);
  }
};

Cosim.letter = function (text, colour) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext("2d");
  pen.font = "600 46px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = colour;
  pen.fillText(text, 32, 33);
  const map = new THREE.CanvasTexture(canvas);
  map.encoding = THREE.sRGBEncoding;
  const material = new THREE.SpriteMaterial({ map, depthTest: false });
  const sprite = new THREE.Sprite(material);
  sprite.scale.setScalar(0.56);
  return sprite;
};
