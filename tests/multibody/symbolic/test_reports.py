"""Reports of the equations: complete, well-formed, and what a browser makes of them."""

import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
import sympy as sp

import cosim
from cosim.model import System
from cosim.multibody.joint.symbolic import derive
from cosim.multibody.joint.symbolic.document import Formula, Heading, Table
from cosim.multibody.joint.symbolic.notation import Notation
from cosim.multibody.joint.symbolic.render_html import html_page
from cosim.multibody.joint.symbolic.render_latex import latex_document
from cosim.multibody.joint.symbolic.render_markdown import markdown_page
from cosim.multibody.joint.symbolic.report import report

CASES = Path(__file__).parents[3] / "cases"
VOID = {"meta", "br", "hr", "img", "input", "link"}
SECTIONS = [
    *("Bodies", "Branches", "Joints", "Coordinates and speeds", "Parameters", "Positions"),
    *("Velocity transformation", "Inertia and loads", "Energies", "Equations of motion"),
]


@pytest.fixture(scope="module")
def documents():
    """Reports: written out, with elements, in space with intermediates."""
    made = {}
    for name in ("double_pendulum", "spiderfloat_sliders", "oc3_spar"):
        case = cosim.read_case(CASES / name)
        inline = False if name == "oc3_spar" else None
        made[name] = report(derive(case, inline=inline), title=case.title or name)
    return made


class Balance(HTMLParser):
    """Refuses elements that are not closed in order."""

    def __init__(self):
        super().__init__()
        self.open, self.count = [], {}

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def formulas(document):
    return {b.left.latex: b.right.latex for b in document.blocks if isinstance(b, Formula)}


def test_all_sections_are_there(documents):
    headings = [b.text for b in documents["double_pendulum"].blocks if isinstance(b, Heading)]
    assert headings == SECTIONS
    more = [b.text for b in documents["spiderfloat_sliders"].blocks if isinstance(b, Heading)]
    assert more == [*SECTIONS[:5], "Force elements", *SECTIONS[5:]]
    more = [b.text for b in documents["oc3_spar"].blocks if isinstance(b, Heading)]
    assert more == [*SECTIONS[:4], "Force elements", "Intermediates", *SECTIONS[5:]]


def test_numbers_of_bodies_are_those_of_the_branches(documents):
    tables = [b for b in documents["spiderfloat_sliders"].blocks if isinstance(b, Table)]
    bodies, branches = tables[0], tables[1]
    assert [row[:2] for row in bodies.rows][:4] == [
        ("1", "platform"),
        ("2", "right_leg"),
        ("3", "right_arm"),
        ("4", "right_buoy"),
    ]
    assert branches.rows[0][1].startswith("earth → platform (1) → right_leg (2)")
    assert len(branches.rows) == 2


def test_reduced_equations_of_the_double_pendulum(documents):
    """Both sides of eq. (5) in relative angles, as any textbook has them for two equal links."""
    shown = formulas(documents["double_pendulum"])
    L, J, m = sp.symbols("L J m")
    mid = sp.Symbol(r"\theta_{\mathrm{mid}}")
    expected = J + L**2 * m * sp.cos(mid) / 2 + L**2 * m / 4
    names = {mid: r"\theta_{\mathrm{mid}}"}
    kin = derive(cosim.read_case(CASES / "double_pendulum")).kin
    lhs = shown["B^T M B"]
    for term in sp.Add.make_args(expected):
        assert sp.latex(term, symbol_names=names) in lhs
    assert r"B^T \left( g_{\mathrm{gravity}} - M \dot{B} u\right)" in shown.values()
    assert len(kin.u) == lhs.count(r"\\") + 1


def test_large_matrices_are_listed_entry_by_entry(documents):
    tables = [b for b in documents["spiderfloat_sliders"].blocks if isinstance(b, Table)]
    B = next(table for table in tables if table.titles == ("row", "column", "entry"))
    row, column, entry = B.rows[0]
    assert row == "platform vx"
    assert column.latex == r"v_{\mathrm{x,free}}"
    assert entry.latex == "1"


def test_symbols_are_letters_with_owners():
    system = System.from_dict(
        {
            "parameters": {"m": 1, "k1": 2, "L_arm": 3, "rho_w": 4, "mass_of_bob": 5, "kt": 6},
            "bodies": {"bob": {"mass": "=m", "cog": [0, 0, -1], "inertia": [1, 1, 1]}},
            "joints": {"free_1": {"type": "floating", "child": "bob"}},
        }
    )
    equations = derive(system, inline=False)
    notation, kin = Notation(equations), equations.kin
    symbols = {str(s): s for s in (*kin.q, *kin.u, *kin.values.numbers)}
    symbols |= {str(s): s for s, _ in kin.definitions}
    expected = {
        "m": "m",
        "k1": r"k_{\mathrm{1}}",
        "L_arm": r"L_{\mathrm{arm}}",
        "rho_w": r"\rho_{\mathrm{w}}",
        "mass_of_bob": r"\mathrm{mass\_of\_bob}",
        "kt": r"\mathrm{kt}",
        "p0_free_1": r"p_{\mathrm{0,free\_1}}",
        "omega_x_free_1": r"\omega_{\mathrm{x,free\_1}}",
        "vz_free_1": r"v_{\mathrm{z,free\_1}}",
        "R12_bob": r"R_{\mathrm{12,bob}}",
    }
    for name, latex in expected.items():
        assert notation.write(symbols[name]).latex == latex


def test_numbers_are_shown_with_six_digits():
    system = cosim.read_case(CASES / "double_pendulum")
    notation = Notation(derive(system))
    assert notation.write(sp.Float(1.23456789)).latex == "1.23457"
    assert notation.write(sp.Float(7466330.0)).latex == r"7.46633 \cdot 10^{6}"
    assert "<mn>7.46633</mn>" in notation.write(sp.Float(7466330.0)).mathml
    assert notation.write(sp.Float(2.0) * sp.Symbol("x")).latex == "2 x"


def test_html_is_well_formed_and_stands_alone(documents):
    for document in documents.values():
        page = html_page(document)
        parser = Balance()
        parser.feed(page)
        parser.close()
        assert parser.open == []
        assert parser.count["h2"] == len([b for b in document.blocks if isinstance(b, Heading)])
        assert parser.count["math"] > 10
        assert not re.search(r'(src|href)="(?!#)', page)
        assert "<script" not in page


def test_html_escapes_what_a_case_says():
    system = cosim.read_case(CASES / "double_pendulum")
    page = html_page(report(derive(system), title="<b>bold</b> & more"))
    assert "<h1>&lt;b&gt;bold&lt;/b&gt; &amp; more</h1>" in page


def test_branches_of_laws_are_shown_as_cases():
    system = System.from_dict(
        {
            "bodies": {"bob": {"mass": 1, "cog": [0, 0, -1], "inertia": [1, 1, 1]}},
            "joints": {
                "slide": {"type": "prismatic", "child": "bob", "at": [0, 0, 0], "axis": [0, 0, 1]}
            },
            "elements": {
                "stop": {"type": "joint", "joint": "slide", "law": "-x if x > 2 else abs(x)"}
            },
        }
    )
    document = report(derive(system))
    page = html_page(document)
    assert '<mtable class="cases" displaystyle="true">' in page
    assert "<mtext>otherwise</mtext>" in page
    assert "begin{cases}" in latex_document(document)
    cells = [line for line in markdown_page(document).splitlines() if line.startswith("| stop")]
    assert len(re.findall(r"(?<!\\)\|", cells[0])) == 4


def test_latex_is_balanced(documents):
    for document in documents.values():
        text = latex_document(document)
        bare = re.sub(r"\\[\\{}&%$#_]", "", text)
        assert bare.count("{") == bare.count("}")
        assert bare.count("$") % 2 == 0
        assert bare.count(r"\left") - bare.count(r"\leftarrow") == bare.count(
            r"\right"
        ) - bare.count(r"\rightarrow")
        opened = []
        for kind, name in re.findall(r"\\(begin|end)\{(\w+)\*?\}", text):
            if kind == "begin":
                opened.append(name)
            else:
                assert opened.pop() == name
        assert opened == []


def test_markdown_tables_have_equal_rows(documents):
    for document in documents.values():
        text = markdown_page(document)
        assert text.count("$$") % 2 == 0
        width = 0
        for line in text.splitlines():
            if line.startswith("|"):
                cells = len(re.findall(r"(?<!\\)\|", line))
                assert width in (0, cells), line
                width = cells
            else:
                width = 0


def test_a_browser_lays_the_formulas_out(documents, browser_path, tmp_path):
    page = html_page(documents["double_pendulum"]).replace(
        "</body>",
        "<script>const m = [...document.querySelectorAll('mtable.matrix')].map(e => "
        "e.getBoundingClientRect()); document.title = `${m.length} ${m.every(r => r.width > 5 "
        "&& r.height > 20)}`</script></body>",
    )
    file = tmp_path / "page.html"
    file.write_text(page, encoding="utf-8")
    command = [
        browser_path,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--dump-dom",
        file.as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert re.search(r"<title>(\d+) true</title>", done.stdout)
    assert int(re.search(r"<title>(\d+) ", done.stdout)[1]) >= 9
