"""The program ``cosim``."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated, Literal

import typer

from cosim.cli.failures import guarded

__all__ = ["app", "main"]

app = typer.Typer(
    name="cosim",
    help="Offshore multiphysics: multibody systems, waves, mooring, external solvers.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

CasePath = Annotated[Path, typer.Argument(metavar="CASE", help="Case file, or its folder.")]
Settings = Annotated[
    list[str],
    typer.Option("--set", metavar="NAME=VALUE", help="A parameter, or section.key; repeatable."),
]
Debug = Annotated[bool, typer.Option("--debug", help="Show all messages and tracebacks.")]


@app.command()
@guarded
def run(
    case: CasePath,
    settings: Settings = [],  # noqa: B006  (typer copies it)
    out: Annotated[Path, typer.Option(help="Folder of the result file.")] = Path("results"),
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only problems.")] = False,
    formulation: Annotated[
        Literal["joint", "symbolic", "cartesian"] | None,
        typer.Option(help="Equations of motion, in place of what the case says."),
    ] = None,
    debug: Debug = False,
) -> None:
    """Run a case and store its results."""
    from cosim.cli.run_command import run_case

    run_case(case, settings, formulation=formulation, out=out, quiet=quiet, level=_level(debug))


@app.command()
@guarded
def resume(
    result: Annotated[Path, typer.Argument(metavar="RESULT", help="Result file of the run.")],
    end: Annotated[float | None, typer.Option(help="New end of the run, s.")] = None,
    out: Annotated[Path | None, typer.Option(help="Another folder for the result file.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only problems.")] = False,
    debug: Debug = False,
) -> None:
    """Go on with a run from its last checkpoint: one that was ended, killed or is to be longer."""
    from cosim.cli.resume_command import resume_run

    resume_run(result, end=end, out=out, quiet=quiet, level=_level(debug))


@app.command()
@guarded
def check(case: CasePath, settings: Settings = [], debug: Debug = False) -> None:  # noqa: B006
    """Look a case over before it runs: balance, periods, databases, step, cost."""
    from cosim.cli.check_command import check_case

    check_case(case, settings, level=_level(debug))


@app.command()
@guarded
def modes(
    case: CasePath,
    settings: Settings = [],  # noqa: B006  (typer copies it)
    static: Annotated[
        bool, typer.Option("--static", help="Mooring lines by their stiffness at rest.")
    ] = False,
    sensitivity: Annotated[
        list[str],
        typer.Option(metavar="NAME", help="Differentiate by a parameter, or section.key."),
    ] = [],  # noqa: B006
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Store all of it.")] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Store the table.")] = None,
    debug: Debug = False,
) -> None:
    """Show natural periods, damping and shapes about the equilibrium."""
    from cosim.cli.modes_command import ModesOptions, show_modes

    options = ModesOptions(static, tuple(sensitivity), json, csv)
    show_modes(case, settings, options, level=_level(debug))


@app.command()
@guarded
def plot(
    result: Annotated[Path, typer.Argument(metavar="RESULT", help="Result file.")],
    out: Annotated[Path | None, typer.Option(help="Folder of the pictures.")] = None,
    at: Annotated[float | None, typer.Option(help="Instant of the scene, s.")] = None,
    channels: Annotated[
        list[str],
        typer.Option(help="Draw these variables instead, * for anything; repeatable."),
    ] = [],  # noqa: B006
    everything: Annotated[bool, typer.Option("--all", help="Draw every channel.")] = False,
    debug: Debug = False,
) -> None:
    """Draw a summary of a run and a picture of the scene, or its channels page by page."""
    from cosim.cli.plot_command import plot_results

    plot_results(result, out=out, at=at, channels=["*"] if everything else channels)


@app.command()
@guarded
def convert(
    model: Annotated[Path, typer.Argument(metavar="INPUT", help="Model in Chrono's YAML dialect.")],
    out: Annotated[Path | None, typer.Argument(metavar="[OUT.yaml]", help="Case file.")] = None,
    simulation: Annotated[
        Path | None, typer.Option(help="Simulation file: gravity and end of the run.")
    ] = None,
    end: Annotated[float | None, typer.Option(help="End of the run, s.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over OUT.yaml.")] = False,
    debug: Debug = False,
) -> None:
    """Make a case file from a model of Chrono, SEA-Stack or M4E."""
    from cosim.cli.convert_command import convert_model

    convert_model(model, out, simulation=simulation, end=end, force=force, level=_level(debug))


@app.command()
@guarded
def show(
    case: CasePath,
    settings: Settings = [],  # noqa: B006
    picture: Annotated[
        Path | None, typer.Option(help="Draw the configuration at the start into this file.")
    ] = None,
    debug: Debug = False,
) -> None:
    """Show what a case describes: bodies, joints, points, elements, and its start."""
    from cosim.cli.show_command import show_case

    show_case(case, settings, picture=picture, level=_level(debug))


@app.command()
@guarded
def animate(
    result: Annotated[Path, typer.Argument(metavar="RESULT", help="Result file.")],
    out: Annotated[Path | None, typer.Option(help="File; its ending names the format.")] = None,
    kind: Annotated[
        str | None, typer.Option("--format", help="html (the default), mp4 or gif.")
    ] = None,
    speed: Annotated[
        float | None, typer.Option(help="Simulated seconds per second of film (mp4, gif).")
    ] = None,
    fps: Annotated[float | None, typer.Option(help="Frames per second (mp4, gif).")] = None,
    start: Annotated[float | None, typer.Option("--from", help="First instant, s.")] = None,
    end: Annotated[float | None, typer.Option("--to", help="Last instant, s.")] = None,
    debug: Debug = False,
) -> None:
    """Show a run as an interactive page, or as a film."""
    from cosim.cli.animate_command import animate_results

    animate_results(result, out=out, kind=kind, speed=speed, fps=fps, span=(start, end))


@app.command()
@guarded
def equations(
    case: CasePath,
    settings: Settings = [],  # noqa: B006
    forms: Annotated[
        list[str],
        typer.Option("--format", help="html, md, latex, python or c; repeatable."),
    ] = ["html"],  # noqa: B006
    out: Annotated[Path, typer.Option(help="Folder of the files.")] = Path("results"),
    angles: Annotated[
        Literal["relative", "absolute"], typer.Option(help="Of planar systems.")
    ] = "relative",
    keep: Annotated[
        list[str], typer.Option(metavar="NAME", help="Parameter that stays a symbol; repeatable.")
    ] = [],  # noqa: B006
    numbers: Annotated[
        bool, typer.Option("--numbers", help="No parameter stays a symbol.")
    ] = False,
    expand: Annotated[bool, typer.Option("--expand", help="Without intermediates.")] = False,
    debug: Debug = False,
) -> None:
    """Derive the equations of motion: to read, or as a program."""
    from cosim.cli.equations_command import EquationsOptions, write_equations

    options = EquationsOptions(out, tuple(forms), angles, tuple(keep), numbers, expand)
    write_equations(case, settings, options, level=_level(debug))


@app.command()
@guarded
def serve(
    case: CasePath,
    settings: Settings = [],  # noqa: B006
    adapter: Annotated[
        str | None, typer.Option(metavar="NAME", help="Serve this adapter of the case.")
    ] = None,
    interface: Annotated[
        str | None, typer.Option(metavar="BODY", help="Serve the case; the other run moves BODY.")
    ] = None,
    endpoint: Annotated[
        str | None, typer.Option(help="tcp://HOST:PORT or ipc://PATH; a free port by default.")
    ] = None,
    heartbeat: Annotated[
        str, typer.Option(metavar="ENDPOINT", help="Where heartbeats are answered.")
    ] = "",
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="Own secret key.")] = None,
    allow: Annotated[
        list[Path], typer.Option(metavar="FILE", help="Public key that may call; repeatable.")
    ] = [],  # noqa: B006
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Serve other machines without keys.")
    ] = False,
    debug: Debug = False,
) -> None:
    """Be the solver at the other end of a socket: a case, or one adapter of it."""
    from cosim.cli.serve_command import ServeOptions, serve_case

    options = ServeOptions(adapter, interface, endpoint, heartbeat, key, tuple(allow), insecure)
    serve_case(case, settings, options, level=_level(debug))


@app.command()
@guarded
def schema(debug: Debug = False) -> None:
    """Print the JSON schema of case files, for editors."""
    import json

    from cosim.case.json_schema import case_schema

    typer.echo(json.dumps(case_schema(), indent=2))


@app.command()
@guarded
def keys(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the two files.")],
    out: Annotated[Path, typer.Option(help="Folder of the files.")] = Path(),
    debug: Debug = False,
) -> None:
    """Make a pair of keys, for peers on other machines."""
    from cosim.cli.keys_command import make_keys

    make_keys(name, out=out)


@app.command()
@guarded
def version(debug: Debug = False) -> None:
    """Print the versions of this program and of what it stands on."""
    from cosim.results.provenance import versions

    for name, number in versions().items():
        typer.echo(f"{name:16}{number}")


def main() -> None:
    """Run the program; ends the process with a documented exit code."""
    app()


def _level(debug: bool) -> int:
    return logging.DEBUG if debug else logging.INFO
