/* A peer with all that mode evaluate has: states, history, statics, added mass, event, points, outputs.

   Force that lags behind the velocity, x' = (v - x) / T, F = -(c + hours) x on the first body, the
   same at the first point, and `hours` counts accepted instants. Setting: nap, s of sleep in each
   update. */
#include "cosim_peer.h"

static double hours, nap;

static int configure(cosim_peer *peer, const cosim_setup *setup)
{
    (void)peer;
    nap = 0.0;
    cosim_number(setup, "nap", &nap);
    return setup->n_points == 1 ? 0 : cosim_fail(peer, "it needs one point");
}

static int static_loads(cosim_peer *peer, const cosim_instant *at, cosim_loads *loads)
{
    (void)peer;
    loads->load[2] = -0.5 * cosim_r(at, 0)[2];
    return 0;
}

static int initialize(cosim_peer *peer, const cosim_instant *at, cosim_loads *loads)
{
    int i;
    (void)peer;
    hours = 0.0;
    for (i = 0; i < 3; i++) {
        loads->x0[i] = 0.5 * cosim_v(at, 0)[i];
        loads->x_scale[i] = 2.0;
    }
    return 0;
}

static int update(cosim_peer *peer, const cosim_instant *at, cosim_loads *loads)
{
    struct timespec pause;
    int i, side = 6 * at->n_bodies;
    (void)peer;
    if (nap > 0.0) {
        pause.tv_sec = (time_t)nap;
        pause.tv_nsec = 0;
        nanosleep(&pause, NULL);
    }
    for (i = 0; i < 3; i++) {
        loads->load[i] = -(3.0 + hours) * at->x[i];
        loads->point_load[i] = -0.25 * at->points[3 + i];
        loads->x_dot[i] = (cosim_v(at, 0)[i] - at->x[i]) / 0.5;
        loads->mass[i * side + i] = 4.0;
    }
    loads->event[0] = 1.0;
    loads->outputs[0] = hours;
    return 0;
}

static int accepted(cosim_peer *peer, const cosim_instant *at)
{
    (void)peer;
    hours += 1e-3 * (at->t > 0.0);
    return 0;
}

static int save_state(cosim_peer *peer, void *data, size_t *bytes)
{
    (void)peer;
    memcpy(data, &hours, sizeof hours);
    *bytes = sizeof hours;
    return 0;
}

static int restore_state(cosim_peer *peer, const void *data, size_t bytes)
{
    if (bytes != sizeof hours)
        return cosim_fail(peer, "a state of another peer");
    memcpy(&hours, data, bytes);
    return 0;
}

int main(int argc, char **argv)
{
    static const cosim_signal output = {"hours", "1", NULL, NULL, "accepted instants"};
    static const char *const about[] = {"compiler", "any"};
    cosim_peer peer;
    memset(&peer, 0, sizeof peer);
    peer.name = "everything";
    peer.n_states = 3;
    peer.history = peer.restorable = peer.statics = peer.event = peer.added_mass = 1;
    peer.n_outputs = 1;
    peer.outputs = &output;
    peer.n_about = 1;
    peer.about = about;
    peer.state_bytes = sizeof hours;
    peer.configure = configure;
    peer.static_loads = static_loads;
    peer.initialize = initialize;
    peer.update = update;
    peer.accept = accepted;
    peer.save_state = save_state;
    peer.restore_state = restore_state;
    return cosim_run(&peer, argc, argv);
}
