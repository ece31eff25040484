"""What a C peer says of itself and cannot be is refused with a sentence, not with a crash."""

import pytest

from .conftest import SANITIZERS, WARNINGS, require, run

SOURCE = """
#include "cosim_peer.h"

static int update(cosim_peer *peer, const cosim_instant *at, cosim_loads *loads)
{
    (void)peer, (void)at, (void)loads;
    return 0;
}

int main(int argc, char **argv)
{
    static const cosim_signal nameless[1];
    const char *mistake = getenv("MISTAKE");
    cosim_peer peer;
    memset(&peer, 0, sizeof peer);
    peer.name = "mistaken";
    peer.update = update;
    if (strcmp(mistake, "mode") == 0) peer.mode = 7;
    if (strcmp(mistake, "bodies") == 0) peer.n_bodies = 1;
    if (strcmp(mistake, "points") == 0) peer.n_points = 1;
    if (strcmp(mistake, "channels") == 0) peer.n_channels = 1;
    if (strcmp(mistake, "outputs") == 0) peer.n_outputs = 1;
    if (strcmp(mistake, "about") == 0) peer.n_about = 1;
    if (strcmp(mistake, "name") == 0) peer.n_outputs = 1, peer.outputs = nameless;
    return cosim_run(&peer, argc, argv);
}
"""


@pytest.fixture(scope="module")
def mistaken(kit):
    require("gcc")
    (kit / "mistaken.c").write_text(SOURCE)
    how = ("-std=c99", *SANITIZERS, *WARNINGS)
    run("gcc", *how, "mistaken.c", "-o", "mistaken", "-lzmq", "-lm", cwd=kit)
    return kit / "mistaken"


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        ("mode", "COSIM_EVALUATE or COSIM_ADVANCE"),
        ("bodies", "a list is missing that the peer counts"),
        ("points", "a list is missing that the peer counts"),
        ("channels", "a list is missing that the peer counts"),
        ("outputs", "a list is missing that the peer counts"),
        ("about", "a list is missing that the peer counts"),
        ("name", "a channel or an output has no name"),
    ],
)
def test_a_mistake_of_the_peer_is_said(mistaken, start, monkeypatch, mistake, said):
    monkeypatch.setenv("MISTAKE", mistake)
    _, client = start(mistaken)
    reply = client.hello()
    assert not reply["ok"]
    assert said in reply["error"]
