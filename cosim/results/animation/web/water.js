// The water surface: a round grid whose vertices the graphics card lifts, component by component.
"use strict";

Cosim.VERTEX = `
uniform sampler2D waves;
uniform int count;
attribute float spacing;
varying vec3 vNormal3;
varying vec3 vPlace;
varying float vLift;
void main() {
  vec2 p = position.xy;
  float lift = 0.0;
  vec2 slope = vec2(0.0);
  for (int j = 0; j < count; j++) {
    vec4 w = texelFetch(waves, ivec2(j, 0), 0);
    // waves too short for the grid here would only be noise
    float a = w.w * (1.0 - smoothstep(0.7, 1.5, length(w.xy) * spacing));
    float angle = dot(w.xy, p) + w.z;
    lift += a * cos(angle);
    slope -= a * sin(angle) * w.xy;
  }
  vLift = lift;
  vNormal3 = normalize(vec3(-slope, 1.0));
  vPlace = vec3(p, lift);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(vPlace, 1.0);
}`;

Cosim.FRAGMENT = `
uniform vec3 deep;
uniform vec3 bright;
uniform vec2 centre;
uniform float radius;
uniform float height;
uniform float strength;
varying vec3 vNormal3;
varying vec3 vPlace;
varying float vLift;
void main() {
  vec3 view = normalize(cameraPosition - vPlace);
  vec3 n = normalize(vec3(vNormal3.xy * 2.5, vNormal3.z));
  float up = 0.5 + 0.28 * clamp(vLift / height, -1.6, 1.6);
  float side = dot(n.xy, normalize(vec2(-0.55, 0.8)));
  float light = clamp(up + 0.8 * side, 0.0, 1.0);
  float glance = pow(1.0 - abs(dot(view, n)), 3.0);
  vec3 colour = mix(mix(deep, bright, light), bright, 0.35 * glance);
  float rim = smoothstep(0.82, 1.0, distance(vPlace.xy, centre) / radius);
  gl_FragColor = vec4(colour, strength * (1.0 - rim) * (0.8 + 0.2 * glance));
  #include <encodings_fragment>
}`;

// What is seen through and from both sides; a renderOrder puts it after what is behind it. Called
// transparent, it would be drawn twice, once for either side, in twice the time.
Cosim.SHEET = {
  blending: THREE.CustomBlending,
  blendSrc: THREE.SrcAlphaFactor,
  blendDst: THREE.OneMinusSrcAlphaFactor,
  blendSrcAlpha: THREE.OneFactor,
  depthWrite: false,
  side: THREE.DoubleSide,
};

Cosim.Water = class Water {
  constructor(run, centre, radius) {
    this.run = run;
    const n = Math.max(1, run.water.omega.length);
    this.table = new Float32Array(4 * n);
    this.texture = new THREE.DataTexture(this.table, n, 1, THREE.RGBAFormat, THREE.FloatType);
    const energy = run.water.amplitude.reduce((sum, a) => sum + 0.5 * a * a, 0);
    this.material = new THREE.ShaderMaterial({
      vertexShader: Cosim.VERTEX,
      fragmentShader: Cosim.FRAGMENT,
      uniforms: {
        waves: { value: this.texture },
        count: { value: run.water.omega.length },
        deep: { value: new THREE.Color("#2a6f9e") },
        bright: { value: new THREE.Color("#d9eef8") },
        centre: { value: new THREE.Vector2(centre.x, centre.y) },
        radius: { value: radius },
        height: { value: Math.max(1e-6, 2 * Math.sqrt(energy)) },
        strength: { value: 0.62 },
      },
      ...Cosim.SHEET,
    });
    this.mesh = new THREE.Mesh(Cosim.disc(centre, radius, 110, 168), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 5;
    this.mesh.name = "water";
  }

  seek(t) {
    const { omega, kx, ky, amplitude, phase } = this.run.water, table = this.table;
    const ramp = this.run.ramp(t);
    for (let j = 0; j < omega.length; j++) {
      table[4 * j] = kx[j];
      table[4 * j + 1] = ky[j];
      table[4 * j + 2] = (phase[j] - omega[j] * t) % (2 * Math.PI);
      table[4 * j + 3] = ramp * amplitude[j];
    }
    this.texture.needsUpdate = true;
  }

  // Elevation at a place, as the shader has it on a fine grid.
  elevation(x, y) {
    let lift = 0;
    for (let j = 0; j < this.table.length; j += 4) {
      lift += this.table[j + 3] * Math.cos(this.table[j] * x + this.table[j + 1] * y + this.table[j + 2]);
    }
    return lift;
  }

  theme(dark) {
    this.material.uniforms.deep.value.set(dark ? "#123a55" : "#2a6f9e");
    this.material.uniforms.bright.value.set(dark ? "#6fa9c9" : "#d9eef8");
    this.material.uniforms.strength.value = dark ? 0.55 : 0.62;
  }
};

// A polar grid, finer towards its centre, that knows its own spacing.
Cosim.disc = function (centre, radius, rings, sectors) {
  const places = [], spacing = [], index = [];
  for (let i = 0; i <= rings; i++) {
    const r = radius * Math.pow(i / rings, 1.7);
    const outer = radius * Math.pow((i + 1) / rings, 1.7);
    for (let j = 0; j < sectors; j++) {
      const a = (2 * Math.PI * j) / sectors;
      places.push(centre.x + r * Math.cos(a), centre.y + r * Math.sin(a), 0);
      spacing.push(Math.max(outer - r, (2 * Math.PI * r) / sectors));
      if (i < rings) {
        const here = i * sectors + j, next = i * sectors + ((j + 1) % sectors);
        index.push(here, here + sectors, next + sectors, here, next + sectors, next);
      }
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(places), 3));
  geometry.setAttribute("spacing", new THREE.BufferAttribute(new Float32Array(spacing), 1));
  geometry.setIndex(index);
  return geometry;
};
