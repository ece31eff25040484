// A point mass on a spring and damper at the centre of gravity of one body, with its own clock:
//
//   m x'' = k (r - x) + c (r' - x'),   F = -k (r - x) - c (r' - x'),
//
// r the motion of the body since the start, cubic over a step. Settings: mass, kg; stiffness, N/m;
// damping, N s/m. It can be set back, so iterated schemes may use it.
//
//   g++ -std=c++11 -O2 attached_mass.cpp -o attached_mass -lzmq
#include "cosim_peer.h"

#include <algorithm>
#include <cmath>

namespace {

struct Kept { // everything the next step depends on
    double t, origin[3], z[2][3], force[3];
};

struct Mass {
    double m, k, c;
    Kept now;
};

Mass *of(cosim_peer *peer) { return static_cast<Mass *>(peer->user); }

int configure(cosim_peer *peer, const cosim_setup *setup)
{
    Mass *mass = of(peer);
    mass->c = 0.0;
    if (setup->n_bodies != 1)
        return cosim_fail(peer, "the mass hangs on exactly one body");
    if (!cosim_number(setup, "mass", &mass->m) || !cosim_number(setup, "stiffness", &mass->k))
        return cosim_fail(peer, "the settings 'mass' and 'stiffness' are needed");
    cosim_number(setup, "damping", &mass->c);
    return mass->m > 0.0 && mass->k > 0.0 && mass->c >= 0.0
               ? 0
               : cosim_fail(peer, "mass and stiffness must be positive, damping not negative");
}

void load_at(Mass *mass, const cosim_instant *at, cosim_loads *loads)
{
    Kept &now = mass->now;
    for (int i = 0; i < 3; i++) {
        now.force[i] = mass->k * (now.z[0][i] - (cosim_r(at, 0)[i] - now.origin[i]));
        now.force[i] += mass->c * (now.z[1][i] - cosim_v(at, 0)[i]);
        loads->load[i] = now.force[i];
    }
    loads->outputs[0] = now.z[0][0];
}

int initialize(cosim_peer *peer, const cosim_instant *at, cosim_loads *loads)
{
    Kept &now = of(peer)->now;
    now.t = at->t;
    for (int i = 0; i < 3; i++) {
        now.origin[i] = cosim_r(at, 0)[i];
        now.z[0][i] = 0.0;
        now.z[1][i] = cosim_v(at, 0)[i];
    }
    load_at(of(peer), at, loads);
    return 0;
}

typedef double Matrix[6][6];

void multiply(const Matrix a, const Matrix b, Matrix product)
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            product[i][j] = 0.0;
            for (int n = 0; n < 6; n++)
                product[i][j] += a[i][n] * b[n][j];
        }
}

// exp(A h): Taylor series of A h / 2^s with a norm below 1/2, squared s times.
void exponential(const Matrix A, double h, Matrix result)
{
    double norm = 0.0;
    for (int i = 0; i < 6; i++) {
        double row = 0.0;
        for (int j = 0; j < 6; j++)
            row += std::fabs(A[i][j] * h);
        norm = std::max(norm, row);
    }
    int squarings = 0;
    for (; norm > 0.5; norm *= 0.5)
        squarings++;
    Matrix scaled, term, next;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            scaled[i][j] = std::ldexp(A[i][j] * h, -squarings);
            term[i][j] = result[i][j] = i == j ? 1.0 : 0.0;
        }
    for (int n = 1; n <= 16; n++) { // 0.5^17 / 17! is below the rounding
        multiply(term, scaled, next);
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                term[i][j] = next[i][j] / n;
                result[i][j] += term[i][j];
            }
    }
    for (; squarings > 0; squarings--) {
        multiply(result, result, next);
        memcpy(result, next, sizeof next);
    }
}

int advance(cosim_peer *peer, const cosim_instant *start, const cosim_instant *end,
            cosim_loads *loads)
{
    Mass *mass = of(peer);
    Kept &now = mass->now;
    if (std::fabs(start->t - now.t) > 1e-12 * std::max(1.0, std::fabs(now.t)))
        return cosim_fail(peer, "the step does not begin at the clock of the mass");
    const double h = end->t - start->t, k = mass->k / mass->m, c = mass->c / mass->m;
    // rates of [x, x', r, r', r'', r''']
    const Matrix A = {{0, 1, 0, 0, 0, 0}, {-k, -c, k, c, 0, 0}, {0, 0, 0, 1, 0, 0},
                      {0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 1},   {0, 0, 0, 0, 0, 0}};
    Matrix E;
    exponential(A, h, E);
    for (int i = 0; i < 3; i++) {
        const double r0 = cosim_r(start, 0)[i] - now.origin[i], v0 = cosim_v(start, 0)[i];
        const double r1 = cosim_r(end, 0)[i] - now.origin[i], v1 = cosim_v(end, 0)[i];
        const double a = (6.0 * (r1 - r0) / h - 4.0 * v0 - 2.0 * v1) / h;
        const double jerk = (6.0 * (v0 + v1) - 12.0 * (r1 - r0) / h) / (h * h);
        const double from[6] = {now.z[0][i], now.z[1][i], r0, v0, a, jerk};
        for (int row = 0; row < 2; row++) {
            double sum = 0.0;
            for (int n = 0; n < 6; n++)
                sum += E[row][n] * from[n];
            now.z[row][i] = sum;
        }
    }
    now.t = end->t;
    load_at(mass, end, loads);
    return 0;
}

int save_state(cosim_peer *peer, void *data, size_t *bytes)
{
    memcpy(data, &of(peer)->now, sizeof(Kept));
    *bytes = sizeof(Kept);
    return 0;
}

int restore_state(cosim_peer *peer, const void *data, size_t bytes)
{
    if (bytes != sizeof(Kept))
        return cosim_fail(peer, "the state is of another peer or cut off");
    memcpy(&of(peer)->now, data, bytes);
    return 0;
}

const cosim_signal OUTPUTS[] = {{"x", "m", "world", "", "displacement of the attached mass"}};

} // namespace

int main(int argc, char **argv)
{
    Mass mass = Mass();
    cosim_peer peer = cosim_peer();
    peer.name = "attached mass in C++";
    peer.mode = COSIM_ADVANCE;
    peer.restorable = 1;
    peer.n_outputs = 1;
    peer.outputs = OUTPUTS;
    peer.state_bytes = sizeof(Kept);
    peer.user = &mass;
    peer.configure = configure;
    peer.initialize = initialize;
    peer.advance = advance;
    peer.save_state = save_state;
    peer.restore_state = restore_state;
    return cosim_run(&peer, argc, argv);
}
