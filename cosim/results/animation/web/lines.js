// Lines of constant width on the screen: one quad for each piece, spread by a vertex shader.
"use strict";

Cosim.LINE_VERTEX = `
attribute vec3 start;
attribute vec3 end;
uniform vec2 screen;
uniform float width;
void main() {
  vec4 a = modelViewMatrix * vec4(start, 1.0);
  vec4 b = modelViewMatrix * vec4(end, 1.0);
  // what is behind the eye has no place on the screen: cut there
  float near = -projectionMatrix[3][2] / (projectionMatrix[2][2] - 1.0);
  if (a.z > near && b.z < near) a = mix(a, b, (near - a.z) / (b.z - a.z));
  if (b.z > near && a.z < near) b = mix(b, a, (near - b.z) / (a.z - b.z));
  a = projectionMatrix * a;
  b = projectionMatrix * b;
  vec2 along = (b.xy / b.w - a.xy / a.w) * screen;
  along = length(along) > 1e-4 ? normalize(along) : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  // half a width beyond either end, so that pieces meet at bends
  vec2 shift = width * ((2.0 * position.x - 1.0) * along + position.y * across);
  gl_Position = position.x < 0.5 ? a : b;
  gl_Position.xy += shift / screen * gl_Position.w;
}`;

Cosim.LINE_FRAGMENT = `
uniform vec3 colour;
void main() {
  gl_FragColor = vec4(colour, 1.0);
  #include <encodings_fragment>
}`;

// A line through `count` nodes; `width` in pixels of the page.
Cosim.WideLine = class WideLine extends THREE.Mesh {
  constructor(count, colour, width) {
    const geometry = new THREE.InstancedBufferGeometry();
    // x: from the start of a piece to its end, y: from one side to the other
    const quad = new Float32Array([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0]);
    geometry.setAttribute("position", new THREE.BufferAttribute(quad, 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    // each node ends one piece and starts the next: the same numbers, read three further on
    const nodes = new THREE.InstancedInterleavedBuffer(new Float32Array(3 * count), 3);
    nodes.setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute("start", new THREE.InterleavedBufferAttribute(nodes, 3, 0));
    geometry.setAttribute("end", new THREE.InterleavedBufferAttribute(nodes, 3, 3));
    geometry.instanceCount = count - 1;
    const material = new THREE.ShaderMaterial({
      vertexShader: Cosim.LINE_VERTEX,
      fragmentShader: Cosim.LINE_FRAGMENT,
      uniforms: {
        screen: { value: new THREE.Vector2(1, 1) },
        width: { value: width },
        colour: { value: new THREE.Color(colour) },
      },
      side: THREE.DoubleSide,
    });
    super(geometry, material);
    this.nodes = nodes;
    this.frustumCulled = false;
    this.view = new THREE.Vector4();
  }

  onBeforeRender(renderer) {
    renderer.getViewport(this.view);
    this.material.uniforms.screen.value.set(this.view.z, this.view.w);
  }

  // Lead it through nodes, [x, y, z, x, ...].
  follow(nodes) {
    this.nodes.array.set(nodes);
    this.nodes.needsUpdate = true;
  }

  paint(colour) {
    this.material.uniforms.colour.value.set(colour);
  }
};
