"""Mesh files: four kinds read alike, and every defect ends in one sentence."""

import logging

import meshio
import numpy as np
import pytest
import trimesh

from adapters.capytaine.box import Box
from adapters.capytaine.hulls import Hull, prepare
from adapters.capytaine.meshes import MeshFile
from adapters.capytaine.panels import PanelMesh
from adapters.capytaine.topology import examine
from cosim.algebra.attitude import rotation_from_rpy
from cosim.errors import DatabaseError

LENGTH, WIDTH, DRAFT = 4.0, 3.0, 2.0


def box(**fields):
    shape = Box(length=LENGTH, width=WIDTH, bottom=-DRAFT, panel_size=1.0, **fields)
    return shape.panels()[0].whole()


def closed_box():
    """A box from z = -2 m to z = 0 with a deck, to be moved up and down."""
    hull, lid = Box(length=LENGTH, width=WIDTH, bottom=-DRAFT, panel_size=1.0).panels()
    hull, deck = hull.whole(), lid.whole().flipped()
    return PanelMesh(
        np.vstack([hull.vertices, deck.vertices]),
        np.vstack([hull.faces, deck.faces + len(hull.vertices)]),
    )


def write_obj(path, mesh):
    lines = [f"v {x:.12g} {y:.12g} {z:.12g}" for x, y, z in mesh.vertices]
    lines += ["f " + " ".join(str(i + 1) for i in face) for face in mesh.faces]
    path.write_text("# a box\n" + "\n".join(lines) + "\n")


def write_gdf(path, mesh, *, ulen=1.0, isx=0, isy=0):
    rows = [" ".join(f"{c:.12g}" for c in v) for v in mesh.vertices[mesh.faces].reshape(-1, 3)]
    head = ["a box", f"{ulen:g} 9.80665 ULEN GRAV", f"{isx} {isy} ISX ISY", f"{len(mesh.faces)}"]
    path.write_text("\n".join(head + rows) + "\n")


def write_msh(path, mesh, file_format):
    tags = {
        name: [np.zeros(len(mesh.faces), dtype=int)]
        for name in ("gmsh:physical", "gmsh:geometrical")
    }
    content = meshio.Mesh(mesh.vertices, [("quad", mesh.faces)], cell_data=tags)
    meshio.gmsh.write(path, content, file_format, binary=False)


def write_stl(path, mesh):
    cut = np.vstack([mesh.faces[:, [0, 1, 2]], mesh.faces[:, [0, 2, 3]]])
    trimesh.Trimesh(mesh.vertices, cut, process=False).export(path)


def write(path, mesh):
    {".obj": write_obj, ".gdf": write_gdf, ".stl": write_stl}[path.suffix](path, mesh)


def wetted(path, **fields):
    hull = Hull("float", MeshFile(file=path.name, **fields), (0.0, 0.0, -1.0), folder=path.parent)
    return prepare(hull, water_depth=np.inf)


def assert_is_the_box(hull, panels):
    assert hull.submerged.volume == pytest.approx(LENGTH * WIDTH * DRAFT, rel=1e-6)
    assert hull.submerged.area == pytest.approx(LENGTH * WIDTH, rel=1e-6)
    assert hull.submerged.centre == pytest.approx([0.0, 0.0, -1.0], abs=1e-6)
    assert hull.hull.size == panels
    assert hull.lid is not None
    assert hull.notes == ()


@pytest.mark.parametrize(
    ("kind", "panels"), [("obj", 1), ("gdf", 1), ("msh22", 1), ("msh4", 1), ("stl", 2)]
)
def test_each_kind_of_file_gives_the_same_hull(tmp_path, kind, panels):
    path = tmp_path / f"hull.{kind[:3]}"
    if kind.startswith("msh"):
        write_msh(path, box(), {"msh22": "2.2", "msh4": "4.1"}[kind])
    else:
        write(path, box())
    assert_is_the_box(wetted(path), panels * box().size)


def test_gdf_symmetry_is_kept(tmp_path):
    quarter = Box(length=LENGTH, width=WIDTH, bottom=-DRAFT, panel_size=1.0).panels()[0]
    path = tmp_path / "hull.gdf"
    write_gdf(path, PanelMesh(quarter.vertices, quarter.faces), isx=1, isy=1)
    hull = wetted(path)
    assert_is_the_box(hull, box().size)
    assert hull.hull.planes == ("xOz", "yOz")


def test_gdf_length_scale_must_be_explained(tmp_path):
    path = tmp_path / "hull.gdf"
    small = box()
    write_gdf(path, PanelMesh(small.vertices / 2.0, small.faces), ulen=2.0)
    with pytest.raises(DatabaseError, match=r"line 2: ULEN is 2; .*scale: 1\).*scale: 2\)"):
        wetted(path)
    assert_is_the_box(wetted(path, scale=2.0), small.size)


@pytest.mark.parametrize("shift", [0.5, -0.5])
def test_hull_is_cut_at_still_water(tmp_path, shift):
    path = tmp_path / "hull.obj"
    write_obj(path, closed_box())
    hull = wetted(path, at=(1.0, 2.0, shift))
    assert hull.submerged.volume == pytest.approx(LENGTH * WIDTH * min(DRAFT - shift, DRAFT))
    assert hull.submerged.centre[:2] == pytest.approx([1.0, 2.0])
    assert hull.hull.vertices[:, 2].max() <= 0.0
    if shift < 0.0:
        assert hull.lid is None
        assert "fully submerged" in hull.notes[0]


def test_panels_on_the_waterline_serve_as_lid(tmp_path):
    path = tmp_path / "hull.obj"
    write_obj(path, closed_box())
    hull = wetted(path)
    assert_is_the_box(hull, box().size)
    assert hull.lid.size == closed_box().size - box().size


def test_open_deck_above_the_water_is_said_and_harmless(tmp_path):
    path = tmp_path / "hull.obj"
    write_obj(path, box())
    hull = wetted(path, at=(0.0, 0.0, 0.5))
    assert "open above the water" in hull.notes[0]
    assert hull.submerged.volume == pytest.approx(LENGTH * WIDTH * 1.5)


def test_turned_file(tmp_path):
    path = tmp_path / "hull.obj"
    write_obj(path, box())
    hull = wetted(path, yaw_deg=90.0)
    assert hull.submerged.waterplane[1, 1] == pytest.approx(LENGTH * WIDTH**3 / 12.0)


def test_flipped_normals_can_be_put_right(tmp_path):
    path = tmp_path / "hull.obj"
    write_obj(path, box().flipped())
    assert_is_the_box(wetted(path, flip_normals=True), box().size)


def test_hanging_node_is_no_hole():
    # one square beside two half ones: the middle node divides the long edge
    vertices = np.array(
        [
            [0, 0, -1],
            [1, 0, -1],
            [1, 1, -1],
            [0, 1, -1],
            [1, 0.5, -1],
            [2, 0, -1],
            [2, 0.5, -1],
            [2, 1, -1],
        ],
        dtype=float,
    )
    faces = np.array([[0, 1, 2, 3], [1, 5, 6, 4], [4, 6, 7, 2]])
    found = examine(PanelMesh(vertices, faces))
    assert found.twisted == 0
    assert found.open_below == 7  # the outline only: 3 + 2 + 1 + 1 edges


def defective(kind):
    mesh = box()
    faces = mesh.faces
    changed = {
        "inside out": mesh.flipped().faces,
        "open": faces[1:],
        "twice": np.vstack([faces, faces[:1]]),
        "opposite": np.vstack([faces[:1, ::-1], faces[1:]]),
    }[kind]
    return PanelMesh(mesh.vertices, changed)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("inside out", r"inside out.*96 panels.*flip_normals: true"),
        ("open", r"open below the water: 4 edges.*close the hole"),
        ("twice", r"holds 1 panels twice"),
        ("opposite", r"4 edges where neighbouring panels face opposite ways"),
    ],
)
def test_bad_mesh_is_refused_in_one_sentence(tmp_path, kind, said):
    path = tmp_path / "hull.obj"
    write_obj(path, defective(kind))
    with pytest.raises(DatabaseError, match=rf"hull.obj' of body 'float' .*{said}") as caught:
        wetted(path)
    assert "\n" not in str(caught.value)


BAD_FILES = {
    "hull.stl": (None, "does not exist"),
    "hull.step": ("", "unknown kind.*.obj"),
    "lfs.stl": ("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git-lfs stub"),
    "text.stl": ("this is no mesh", "STL|holds no panels"),
    "text.msh": ("this is no mesh", "Gmsh"),
    "empty.obj": ("# nothing\n", "holds no panels"),
    "pentagon.obj": ("v 0 0 0\n" * 5 + "f 1 2 3 4 5\n", "line 6: a panel has 5 corners"),
    "words.obj": ("v 0 0 zero\n", "line 1: could not convert"),
    "index.obj": ("v 0 0 0\nf 1 2 3\n", "corner is not in the list"),
    "nan.obj": ("v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not finite"),
    "head.gdf": ("a\n1 9.8\n", "does not start like a GDF"),
    "short.gdf": ("a\n1 9.8\n0 0\n2\n0 0 0 1 0 0 1 1 0 0 1 0\n", "announces 2 panels.*12 follow"),
    "words.gdf": ("a\n1 9.8\n0 0\n1\n0 0 0 1 0 0 1 1 0 0 1 zero\n", "line 5: .* is not numbers"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_unreadable_file_is_refused_in_one_sentence(tmp_path, name):
    content, said = BAD_FILES[name]
    path = tmp_path / name
    if content is not None:
        path.write_text(content)
    with pytest.raises(DatabaseError, match=said) as caught:
        wetted(path)
    assert name in str(caught.value)
    assert "body 'float'" in str(caught.value)


def test_dry_mesh_is_refused(tmp_path):
    path = tmp_path / "hull.obj"
    write_obj(path, box())
    with pytest.raises(DatabaseError, match=r"is dry: its lowest point is at z = 1.000 m"):
        wetted(path, at=(0.0, 0.0, 3.0))


@pytest.mark.parametrize(
    ("rpy_deg", "centre", "waterplane"),
    [
        ((90, 0, 0), (0.0, 1.0, -0.75), LENGTH * DRAFT),  # y turns to z, z to -y
        ((0, 90, 0), (-1.0, 0.0, -1.0), WIDTH * DRAFT),  # x turns to -z, z to x
        ((90, 0, 90), (-1.0, 0.0, -0.75), LENGTH * DRAFT),  # roll first, then yaw
    ],
)
def test_the_attitude_of_the_body_turns_the_mesh(tmp_path, rpy_deg, centre, waterplane):
    path = tmp_path / "hull.obj"
    write_obj(path, closed_box())
    hull = Hull(
        "float",
        MeshFile(file=path.name),
        (0.0, 0.0, -1.0),
        rotation=rotation_from_rpy(np.radians(rpy_deg)),
        folder=path.parent,
    )
    submerged = prepare(hull, water_depth=np.inf).submerged
    assert submerged.volume == pytest.approx(12.0, rel=1e-6)
    assert submerged.centre == pytest.approx(centre, abs=1e-6)
    assert submerged.area == pytest.approx(waterplane, rel=1e-6)


def test_nothing_is_printed(tmp_path, capfd):
    path = tmp_path / "hull.obj"
    write_obj(path, closed_box())
    before = list(logging.getLogger().handlers)
    wetted(path, at=(0.0, 0.0, 0.5))
    assert logging.getLogger().handlers == before
    assert capfd.readouterr() == ("", "")
