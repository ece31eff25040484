// A linear damper as a peer: F = -c v on every body. Settings: c, N s/m and N m s (default 10).
//
//   g++ -std=c++11 -O2 damper.cpp -o damper -lzmq
//   ./damper --endpoint tcp://127.0.0.1:5555
#include "cosim_peer.h"

namespace {

struct Damper {
    double c;
};

int configure(cosim_peer *peer, const cosim_setup *setup)
{
    Damper *damper = static_cast<Damper *>(peer->user);
    damper->c = 10.0;
    cosim_number(setup, "c", &damper->c);
    return damper->c >= 0.0 ? 0 : cosim_fail(peer, "the setting 'c' must not be negative");
}

int update(cosim_peer *peer, const cosim_instant *at, cosim_loads *loads)
{
    const Damper *damper = static_cast<const Damper *>(peer->user);
    for (int b = 0; b < at->n_bodies; b++)
        for (int i = 0; i < 6; i++)
            loads->load[6 * b + i] = -damper->c * cosim_v(at, b)[i];
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    Damper damper = Damper();
    cosim_peer peer = cosim_peer();
    peer.name = "damper in C++";
    peer.mode = COSIM_EVALUATE;
    peer.user = &damper;
    peer.configure = configure;
    peer.update = update;
    return cosim_run(&peer, argc, argv);
}
