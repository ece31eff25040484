export {
  BufferAttribute, BufferGeometry, CanvasTexture, CapsuleGeometry, CircleGeometry, Color, ConeGeometry,
  CylinderGeometry, DataTexture, DirectionalLight, DoubleSide, FloatType, GridHelper, Group,
  HemisphereLight, Mesh, MeshBasicMaterial, MeshStandardMaterial, OrthographicCamera, PerspectiveCamera,
  Quaternion, RGBAFormat, Scene, ShaderMaterial, SphereGeometry, Sprite, SpriteMaterial, Vector2, Vector3,
  WebGLRenderer,
} from 'three';
export { OrbitControls } from 'three/addons/controls/OrbitControls.js';
export { LineMaterial } from 'three/addons/lines/LineMaterial.js';
export { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
export { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
