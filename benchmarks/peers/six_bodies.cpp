// Six damped bodies with their full added-mass matrix, as six_bodies.py without its history.
#include "cosim_peer.h"

static int update(cosim_peer *, const cosim_instant *at, cosim_loads *loads)
{
    const int side = 6 * at->n_bodies;
    for (int b = 0; b < at->n_bodies; b++)
        for (int i = 0; i < 6; i++)
            loads->load[6 * b + i] = -30.0 * cosim_v(at, b)[i];
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++)
            loads->mass[side * i + j] = i == j ? 21.0 : 1.0;
    return 0;
}

int main(int argc, char **argv)
{
    cosim_peer peer = cosim_peer();
    peer.name = "six_bodies in C++";
    peer.mode = COSIM_EVALUATE;
    peer.added_mass = 1;
    peer.update = update;
    return cosim_run(&peer, argc, argv);
}
