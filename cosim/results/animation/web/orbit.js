// Turning, shifting and enlarging by mouse, wheel and touch; z stays upright.
"use strict";

// Time in which two thirds of a movement are done, s.
Cosim.EASE = 0.09;

Cosim.Orbit = class Orbit {
  constructor(camera, element) {
    Object.assign(this, { camera, element, target: new THREE.Vector3(), fingers: new Map(), last: 0 });
    this.nearest = 5 * camera.near;
    this.farthest = 0.4 * camera.far;
    this.anchor = new THREE.Vector3();
    this.arm = new THREE.Vector3();
    this.sphere = new THREE.Spherical();
    this.toY = new THREE.Quaternion().setFromUnitVectors(camera.up, new THREE.Vector3(0, 1, 0));
    this.fromY = this.toY.clone().invert();
    this.stop();
    const on = (name, action) => element.addEventListener(name, action, { passive: false });
    on("contextmenu", (event) => event.preventDefault());
    on("pointerdown", (event) => this.press(event));
    on("pointermove", (event) => this.drag(event));
    on("pointerup", (event) => this.fingers.delete(event.pointerId));
    on("pointercancel", (event) => this.fingers.delete(event.pointerId));
    on("wheel", (event) => this.wheel(event));
  }

  // Forget movements that are not done yet.
  stop() {
    this.rest = { turn: 0, rise: 0, right: 0, down: 0, zoom: 0 };
    this.anchor.copy(this.target);
  }

  press(event) {
    this.element.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
  }

  drag(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const before = this.grip();
    Object.assign(finger, { x: event.offsetX, y: event.offsetY });
    const after = this.grip(), right = after.x - before.x, down = after.y - before.y;
    const shifts = event.buttons & 6 || event.shiftKey || event.ctrlKey || event.metaKey;
    if (this.fingers.size > 1 || shifts) {
      this.rest.right += right;
      this.rest.down += down;
      if (before.spread > 0) this.zoom(before.spread / after.spread, after);
    } else {
      // a drag over the height of the view is one turn
      const angle = (2 * Math.PI) / this.element.clientHeight;
      this.rest.turn -= angle * right;
      this.rest.rise -= angle * down;
    }
  }

  // The middle of the fingers, and how far apart they are.
  grip() {
    const all = [...this.fingers.values()], mean = (key) => all.reduce((sum, one) => sum + one[key], 0) / all.length;
    const spread = all.length > 1 ? Math.hypot(all[1].x - all[0].x, all[1].y - all[0].y) : 0;
    return { x: mean("x"), y: mean("y"), spread };
  }

  wheel(event) {
    event.preventDefault();
    // of mice that count lines or pages
    const pixels = event.deltaY * [1, 16, 400][event.deltaMode];
    // two fingers on a touchpad come as a wheel with the control key, in small steps
    const speed = event.ctrlKey ? 0.005 : 0.0005;
    this.zoom(Math.exp(speed * Math.max(-1000, Math.min(1000, pixels))), { x: event.offsetX, y: event.offsetY });
  }

  // Change the distance by a factor; what is seen at `place`, level with the target, stays there.
  zoom(factor, place) {
    if (!(factor > 0 && Number.isFinite(factor))) return;
    const { clientWidth: w, clientHeight: h } = this.element;
    this.rest.zoom += Math.log(factor);
    this.anchor.copy(this.target);
    this.slide(this.anchor, place.x - 0.5 * w, place.y - 0.5 * h);
  }

  // Move a place near the target along the screen, by pixels.
  slide(place, right, down) {
    const half = this.camera.position.distanceTo(this.target) * Math.tan((this.camera.fov * Math.PI) / 360);
    const perPixel = (2 * half) / Math.max(1, this.element.clientHeight);
    const axes = this.camera.matrix.elements;
    place.addScaledVector(this.arm.fromArray(axes, 0), perPixel * right);
    place.addScaledVector(this.arm.fromArray(axes, 4), -perPixel * down);
  }

  // Do the part of the movements that is due.
  update() {
    const now = performance.now(), share = 1 - Math.exp((this.last - now) / (1000 * Cosim.EASE));
    this.last = now;
    const { camera, target, rest, arm, sphere } = this, due = {};
    for (const key of Object.keys(rest)) {
      due[key] = share * rest[key];
      rest[key] -= due[key];
    }
    camera.updateMatrix();
    this.arm.set(0, 0, 0);
    const before = target.clone();
    this.slide(target, -due.right, -due.down);
    camera.position.add(target).sub(before);
    const distance = camera.position.distanceTo(target);
    const factor = Math.min(this.farthest, Math.max(this.nearest, distance * Math.exp(due.zoom))) / distance;
    for (const place of [camera.position, target]) place.sub(this.anchor).multiplyScalar(factor).add(this.anchor);
    sphere.setFromVector3(arm.copy(camera.position).sub(target).applyQuaternion(this.toY));
    sphere.theta += due.turn;
    sphere.phi = Math.min(Math.PI - 1e-4, Math.max(1e-4, sphere.phi + due.rise));
    camera.position.setFromSpherical(sphere).applyQuaternion(this.fromY).add(target);
    camera.lookAt(target);
  }
};
