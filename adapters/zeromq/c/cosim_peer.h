/* cosim_peer.h: a solver as a peer of offshore-cosim, wire protocol version 1 (docs/protocol.md).

   Header only, C99 or C++11; needs libzmq 4.2 or newer and nothing else:

       cc damper.c -lzmq
       c++ -std=c++11 damper.cpp -lzmq

   Include it before any other header (it asks the system for POSIX), in one source file. Fill in a
   cosim_peer and hand it to cosim_run() from main(). Other languages link with an object:

       cc -x c -DCOSIM_PEER_EXPORT -c cosim_peer.h -o cosim_peer.o

   All numbers are SI, positions and vectors in the world frame. A body has 18 numbers: r (3, m),
   R (9, body axes to world axes, row by row), v (6, m/s and rad/s: [vx vy vz wx wy wz] at the
   centre of gravity, world axes).

   A callback returns 0, or cosim_fail(peer, "one sentence"), which ends the run of the host with
   that sentence. Memory is taken when a session opens, none for each call.

   MIT licence. */
#ifndef COSIM_PEER_H
#define COSIM_PEER_H

#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE) && !defined(__cplusplus)
#define _POSIX_C_SOURCE 200809L
#endif

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <zmq.h>

#ifndef _WIN32
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#else
#include <process.h>
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "cosim_peer.h sends the memory of doubles as it is, which must be little-endian"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifdef COSIM_PEER_EXPORT
#define COSIM_API
#else
#define COSIM_API static inline
#endif

#define COSIM_PROTOCOL_VERSION 1
#define COSIM_HEADER_MOST 65536u
#define COSIM_MESSAGE_MOST 67108864u
#define COSIM_ARRAYS_MOST 16
#define COSIM_STATE_SIZE 18
#define COSIM_KEYS_MOST 256
#define COSIM_NAMES_MOST 1000
#define COSIM_ERROR_SIZE 512

enum { COSIM_EVALUATE = 0, COSIM_ADVANCE = 1 };

/* ---- what a peer is made of ---------------------------------------------------------------- */

/* A scalar input or output. `frame`, `point`, `long_name` may be NULL. */
typedef struct cosim_signal {
    const char *name;
    const char *units; /* SI, as in "N m"; "1" for a plain number */
    const char *frame;
    const char *point;
    const char *long_name;
} cosim_signal;

/* What the case gives, before anything moves; valid during `configure`, the names until `end`. */
typedef struct cosim_setup {
    const char *run;
    int n_bodies;
    const char *const *bodies;
    int n_points;
    const char *const *points;
    double gravity;       /* m/s2 */
    double water_density; /* kg/m3 */
    double water_depth;   /* m; infinite for deep water */
    double start, end;    /* s */
    const unsigned char *settings; /* read it with cosim_number() and its like */
    size_t settings_bytes;
} cosim_setup;

/* One instant. */
typedef struct cosim_instant {
    double t; /* s */
    int n_bodies, n_points, n_channels, n_states;
    const double *state;    /* (n_bodies, 18) */
    const double *points;   /* (n_points, 6): position and velocity */
    const double *channels; /* (n_channels) */
    const double *x;        /* (n_states) own states */
} cosim_instant;

/* What a callback fills in; all zero when it is called. The load on the bodies is
   load - mass v', v' the derivative of their twists. NULL where there is no such array. */
typedef struct cosim_loads {
    double *load;       /* (n_bodies, 6) [F M] at the centres of gravity, N and N m */
    double *point_load; /* (n_points, 6) force at the point, and a free couple */
    double *mass;       /* (6 n_bodies, 6 n_bodies), symmetric; if the peer says added_mass */
    double *x_dot;      /* (n_states) */
    double *event;      /* (1) its zero ends a step; if the peer says event */
    double *outputs;    /* (n_outputs) */
    double *x0;         /* (n_states) in `initialize` only: states at the start */
    double *x_scale;    /* (n_states) in `initialize` only: typical magnitudes, positive */
} cosim_loads;

typedef struct cosim_peer cosim_peer;

/* Start from zeroed memory: cosim_peer peer; memset(&peer, 0, sizeof peer); */
struct cosim_peer {
    const char *name;
    int mode;       /* COSIM_EVALUATE or COSIM_ADVANCE */
    int n_states;   /* evaluate: own states x, integrated by the host */
    int history;    /* evaluate: `accept` changes later updates; then restorable too */
    int restorable; /* save_state and restore_state */
    int statics;    /* static_loads */
    int event;      /* fills in loads->event */
    int added_mass; /* fills in loads->mass */
    double max_step;   /* s; 0 for no limit */
    double inner_step; /* s; 0 for none */
    int n_bodies; /* 0: those the case gives, in its order; same for the points */
    const char *const *bodies;
    int n_points;
    const char *const *points;
    int n_channels; /* inputs */
    const cosim_signal *channels;
    int n_outputs;
    const cosim_signal *outputs;
    int n_about; /* number of pairs: "key", "value", ... */
    const char *const *about;
    const double *apparent_mass; /* (6k, 6k) or NULL; advance, not restorable */
    size_t state_bytes;          /* most that save_state writes */
    void *user;                  /* yours */

    /* optional, except update or advance, and those that a flag above announces */
    int (*configure)(cosim_peer *peer, const cosim_setup *setup);
    int (*static_loads)(cosim_peer *peer, const cosim_instant *at, cosim_loads *loads);
    int (*initialize)(cosim_peer *peer, const cosim_instant *at, cosim_loads *loads);
    int (*update)(cosim_peer *peer, const cosim_instant *at, cosim_loads *loads);
    int (*accept)(cosim_peer *peer, const cosim_instant *at);
    int (*advance)(cosim_peer *peer, const cosim_instant *start, const cosim_instant *end,
                   cosim_loads *loads);
    int (*save_state)(cosim_peer *peer, void *data, size_t *bytes); /* in: room, out: used */
    int (*restore_state)(cosim_peer *peer, const void *data, size_t bytes);
    void (*end)(cosim_peer *peer);

    char error[COSIM_ERROR_SIZE];
};

/* ---- small helpers for callbacks ----------------------------------------------------------- */

/* Note why a callback failed; returns 1, for `return cosim_fail(peer, "...")`. */
COSIM_API int cosim_fail(cosim_peer *peer, const char *sentence)
{
    size_t size = strlen(sentence);
    if (size >= COSIM_ERROR_SIZE)
        size = COSIM_ERROR_SIZE - 1;
    memcpy(peer->error, sentence, size);
    peer->error[size] = '\0';
    return 1;
}

/* Position (3), rotation matrix (9) and twist (6) of body b. */
COSIM_API const double *cosim_r(const cosim_instant *at, int b)
{
    return at->state + (size_t)b * COSIM_STATE_SIZE;
}

COSIM_API const double *cosim_rotation(const cosim_instant *at, int b)
{
    return at->state + (size_t)b * COSIM_STATE_SIZE + 3;
}

COSIM_API const double *cosim_v(const cosim_instant *at, int b)
{
    return at->state + (size_t)b * COSIM_STATE_SIZE + 12;
}

/* ---- MessagePack: the part the protocol uses ------------------------------------------------ */

typedef struct cosim_text_ {
    const unsigned char *at;
    size_t size;
} cosim_text_;

typedef struct cosim_reader_ {
    const unsigned char *at;
    const unsigned char *end;
    const char *wrong; /* NULL while all is well */
} cosim_reader_;

COSIM_API const unsigned char *cosim_take_(cosim_reader_ *r, size_t size)
{
    const unsigned char *at = r->at;
    if (r->wrong)
        return NULL;
    if ((size_t)(r->end - r->at) < size) {
        r->wrong = "the header is cut off";
        return NULL;
    }
    r->at += size;
    return at;
}

COSIM_API uint64_t cosim_big_endian_(const unsigned char *at, size_t size)
{
    uint64_t value = 0;
    size_t n;
    for (n = 0; n < size; n++)
        value = value << 8 | at[n];
    return value;
}

/* Unsigned integer of `size` bytes that follows; 0 where something is wrong. */
COSIM_API uint64_t cosim_follows_(cosim_reader_ *r, size_t size)
{
    const unsigned char *at = cosim_take_(r, size);
    return at ? cosim_big_endian_(at, size) : 0;
}

COSIM_API int cosim_wrong_(cosim_reader_ *r, const char *sentence)
{
    if (!r->wrong)
        r->wrong = sentence;
    return 0;
}

/* Number of entries of a map (small 0x80, long 0xde) or a list (small 0x90, long 0xdc). */
COSIM_API size_t cosim_count_(cosim_reader_ *r, unsigned small, unsigned longer, const char *wrong)
{
    unsigned first = (unsigned)cosim_follows_(r, 1);
    if (r->wrong)
        return 0;
    if ((first & 0xf0u) == small)
        return first & 0x0fu;
    if (first == longer)
        return (size_t)cosim_follows_(r, 2);
    if (first == longer + 1)
        return (size_t)cosim_follows_(r, 4);
    cosim_wrong_(r, wrong);
    return 0;
}

COSIM_API size_t cosim_map_(cosim_reader_ *r)
{
    return cosim_count_(r, 0x80, 0xde, "a map is expected in the header");
}

COSIM_API size_t cosim_list_(cosim_reader_ *r)
{
    return cosim_count_(r, 0x90, 0xdc, "a list is expected in the header");
}

/* Bytes of one UTF-8 character of at most `size` bytes; 0 if it is none (RFC 3629). */
COSIM_API size_t cosim_character_(const unsigned char *at, size_t size)
{
    unsigned a = at[0], low = 0x80, high = 0xbf;
    size_t n, length;
    if (a < 0x80)
        return 1;
    length = a >= 0xc2 && a <= 0xdf ? 2 : (a & 0xf0u) == 0xe0 ? 3 : a >= 0xf0 && a <= 0xf4 ? 4 : 0;
    if (!length || length > size)
        return 0;
    if (a == 0xe0)
        low = 0xa0;
    if (a == 0xed)
        high = 0x9f;
    if (a == 0xf0)
        low = 0x90;
    if (a == 0xf4)
        high = 0x8f;
    if (at[1] < low || at[1] > high)
        return 0;
    for (n = 2; n < length; n++)
        if ((at[n] & 0xc0u) != 0x80)
            return 0;
    return length;
}

/* A text of `least` to `most` characters. */
COSIM_API cosim_text_ cosim_read_text_(cosim_reader_ *r, size_t least, size_t most)
{
    cosim_text_ text = {NULL, 0};
    unsigned first = (unsigned)cosim_follows_(r, 1);
    size_t size = 0, at, length, characters = 0;
    if (!r->wrong && (first & 0xe0u) == 0xa0)
        size = first & 0x1fu;
    else if (!r->wrong && first >= 0xd9 && first <= 0xdb)
        size = (size_t)cosim_follows_(r, (size_t)1 << (first - 0xd9));
    else
        cosim_wrong_(r, "a text is expected in the header");
    text.at = cosim_take_(r, size);
    if (!text.at)
        return text;
    text.size = size;
    for (at = 0; at < size; at += length, characters++) {
        length = cosim_character_(text.at + at, size - at);
        if (!length) {
            cosim_wrong_(r, "a text in the header is not UTF-8");
            return text;
        }
    }
    if (characters < least || characters > most)
        cosim_wrong_(r, "a text in the header is empty or too long");
    return text;
}

/* A whole number, as its magnitude and sign; 0 if the next value is none. */
COSIM_API int cosim_integer_(unsigned first, cosim_reader_ *r, uint64_t *magnitude, int *negative)
{
    size_t size;
    uint64_t raw;
    *negative = 0;
    if (first < 0x80) {
        *magnitude = first;
    } else if (first >= 0xe0) {
        *negative = 1;
        *magnitude = 256 - first;
    } else if (first >= 0xcc && first <= 0xcf) {
        *magnitude = cosim_follows_(r, (size_t)1 << (first - 0xcc));
    } else if (first >= 0xd0 && first <= 0xd3) {
        size = (size_t)1 << (first - 0xd0);
        raw = cosim_follows_(r, size);
        *negative = (int)(raw >> (8 * size - 1) & 1);
        if (*negative) {
            raw = ~raw + 1;
            if (size < 8)
                raw &= ((uint64_t)1 << 8 * size) - 1;
        }
        *magnitude = raw;
    } else {
        return 0;
    }
    return 1;
}

/* A whole number from 0 to 2^63 - 1. */
COSIM_API uint64_t cosim_read_natural_(cosim_reader_ *r)
{
    uint64_t magnitude = 0;
    int negative = 0;
    unsigned first = (unsigned)cosim_follows_(r, 1);
    if (r->wrong)
        return 0;
    if (!cosim_integer_(first, r, &magnitude, &negative) || negative || magnitude >> 63) {
        cosim_wrong_(r, "a whole number from 0 to 2^63 - 1 is expected in the header");
        return 0;
    }
    return magnitude;
}

/* Any whole number, as a float. */
COSIM_API double cosim_read_version_(cosim_reader_ *r)
{
    uint64_t magnitude = 0;
    int negative = 0;
    unsigned first = (unsigned)cosim_follows_(r, 1);
    if (!r->wrong && !cosim_integer_(first, r, &magnitude, &negative))
        cosim_wrong_(r, "the version is no whole number");
    return negative ? -(double)magnitude : (double)magnitude;
}

/* A number; may be infinite or NaN. */
COSIM_API double cosim_read_number_(cosim_reader_ *r)
{
    uint64_t raw = 0;
    uint32_t raw32;
    double value = 0.0;
    float single;
    int negative = 0;
    unsigned first = (unsigned)cosim_follows_(r, 1);
    if (r->wrong)
        return 0.0;
    if (first == 0xcb) {
        raw = cosim_follows_(r, 8);
        memcpy(&value, &raw, 8);
    } else if (first == 0xca) {
        raw32 = (uint32_t)cosim_follows_(r, 4);
        memcpy(&single, &raw32, 4);
        value = (double)single;
    } else if (cosim_integer_(first, r, &raw, &negative)) {
        value = negative ? -(double)raw : (double)raw;
    } else {
        cosim_wrong_(r, "a number is expected in the header");
    }
    return value;
}

COSIM_API double cosim_read_finite_(cosim_reader_ *r)
{
    double value = cosim_read_number_(r);
    if (!r->wrong && !(fabs(value) <= DBL_MAX))
        cosim_wrong_(r, "a number in the header is not finite");
    return r->wrong ? 0.0 : value;
}

COSIM_API int cosim_same_(cosim_text_ text, const char *other)
{
    return text.size == strlen(other) && memcmp(text.at, other, text.size) == 0;
}

/* Go over one value of any kind that need not be looked at. */
COSIM_API void cosim_skip_(cosim_reader_ *r)
{
    /* bytes after the first from 0xc0 on; -n: a length of n bytes, and as many bytes after it;
       -10 - n: the same and one byte more */
    static const signed char sizes[] = {0,  0,  0,  0,  -1, -2, -4, -11, -12, -14, 4,  8,
                                        1,  2,  4,  8,  1,  2,  4,  8,   2,   3,   5,  9,
                                        17, -1, -2, -4};
    uint64_t left = 1;
    unsigned first;
    int size;
    for (; left > 0 && !r->wrong; left--) {
        first = r->at < r->end ? *r->at : 0xc1;
        if ((first & 0xf0u) == 0x80 || first == 0xde || first == 0xdf) {
            left += 2 * (uint64_t)cosim_map_(r);
        } else if ((first & 0xf0u) == 0x90 || first == 0xdc || first == 0xdd) {
            left += cosim_list_(r);
        } else if ((first & 0xe0u) == 0xa0) {
            cosim_take_(r, 1 + (size_t)(first & 0x1fu));
        } else if (first < 0x80 || first >= 0xe0) {
            cosim_take_(r, 1);
        } else if (first == 0xc1) {
            cosim_wrong_(r, "the header is cut off");
        } else {
            size = sizes[first - 0xc0];
            cosim_take_(r, 1);
            if (size >= 0)
                cosim_take_(r, (size_t)size);
            else if (size > -10)
                cosim_take_(r, (size_t)cosim_follows_(r, (size_t)-size));
            else
                cosim_take_(r, 1 + (size_t)cosim_follows_(r, (size_t)(-size - 10)));
        }
    }
}

/* Whether one of the first n keys of the map that starts at `start` is that one. */
COSIM_API int cosim_twice_(const unsigned char *start, const unsigned char *end, size_t n,
                           cosim_text_ key)
{
    cosim_reader_ r = {NULL, NULL, NULL};
    cosim_text_ other;
    size_t m;
    r.at = start;
    r.end = end;
    for (m = 0; m < n && !r.wrong; m++) {
        other = cosim_read_text_(&r, 0, SIZE_MAX);
        if (!r.wrong && other.size == key.size && !memcmp(other.at, key.at, key.size))
            return 1;
        cosim_skip_(&r);
    }
    return 0;
}

/* Check one value of the settings: only what JSON has, keys are texts, none twice. */
COSIM_API void cosim_check_(cosim_reader_ *r, int depth)
{
    cosim_text_ key;
    const unsigned char *start;
    size_t n, count;
    unsigned first;
    if (depth > 20)
        cosim_wrong_(r, "the settings are nested deeper than 20");
    if (r->wrong)
        return;
    first = r->at < r->end ? *r->at : 0xc1;
    if ((first & 0xf0u) == 0x80 || first == 0xde || first == 0xdf) {
        count = cosim_map_(r);
        start = r->at;
        if (count > COSIM_KEYS_MOST)
            cosim_wrong_(r, "a map of the settings has more than 256 keys");
        for (n = 0; n < count && !r->wrong; n++) {
            key = cosim_read_text_(r, 0, SIZE_MAX);
            if (!r->wrong && cosim_twice_(start, r->end, n, key))
                cosim_wrong_(r, "the settings have a key twice");
            cosim_check_(r, depth + 1);
        }
    } else if ((first & 0xf0u) == 0x90 || first == 0xdc || first == 0xdd) {
        count = cosim_list_(r);
        for (n = 0; n < count && !r->wrong; n++)
            cosim_check_(r, depth + 1);
    } else if ((first & 0xe0u) == 0xa0 || (first >= 0xd9 && first <= 0xdb)) {
        cosim_read_text_(r, 0, SIZE_MAX);
    } else if (first == 0xc0 || first == 0xc2 || first == 0xc3) {
        cosim_take_(r, 1);
    } else {
        cosim_read_number_(r);
    }
}

/* The value of a setting; 0 if the case does not give it. */
COSIM_API int cosim_setting_(const cosim_setup *setup, const char *key, cosim_reader_ *value)
{
    size_t n, count;
    value->at = setup->settings;
    value->end = setup->settings + setup->settings_bytes;
    value->wrong = NULL;
    count = cosim_map_(value);
    for (n = 0; n < count && !value->wrong; n++) {
        if (cosim_same_(cosim_read_text_(value, 0, SIZE_MAX), key))
            return !value->wrong;
        cosim_skip_(value);
    }
    return 0;
}

/* Settings: 1 and the value if the case gives it as what is asked for, else 0, value unchanged. */
COSIM_API int cosim_number(const cosim_setup *setup, const char *key, double *value)
{
    cosim_reader_ r;
    double number;
    if (!cosim_setting_(setup, key, &r))
        return 0;
    number = cosim_read_number_(&r);
    if (r.wrong)
        return 0;
    *value = number;
    return 1;
}

/* A list of exactly `count` numbers. */
COSIM_API int cosim_numbers(const cosim_setup *setup, const char *key, double *values, int count)
{
    cosim_reader_ r, again;
    int n;
    if (!cosim_setting_(setup, key, &r) || cosim_list_(&r) != (size_t)count || r.wrong)
        return 0;
    again = r;
    for (n = 0; n < count; n++)
        cosim_read_number_(&r);
    if (r.wrong)
        return 0;
    for (n = 0; n < count; n++)
        values[n] = cosim_read_number_(&again);
    return 1;
}

COSIM_API int cosim_flag(const cosim_setup *setup, const char *key, int *value)
{
    cosim_reader_ r;
    if (!cosim_setting_(setup, key, &r) || r.at == r.end || (*r.at != 0xc2 && *r.at != 0xc3))
        return 0;
    *value = *r.at == 0xc3;
    return 1;
}

/* A text that fits into `size` bytes with the zero at its end. */
COSIM_API int cosim_words(const cosim_setup *setup, const char *key, char *value, size_t size)
{
    cosim_reader_ r;
    cosim_text_ text;
    if (!cosim_setting_(setup, key, &r))
        return 0;
    text = cosim_read_text_(&r, 0, SIZE_MAX);
    if (r.wrong || text.size >= size)
        return 0;
    memcpy(value, text.at, text.size);
    value[text.size] = '\0';
    return 1;
}

typedef struct cosim_writer_ {
    unsigned char *at, *end;
    int full; /* the rest does not fit */
} cosim_writer_;

COSIM_API void cosim_put_(cosim_writer_ *w, const void *bytes, size_t size)
{
    if (w->full || (size_t)(w->end - w->at) < size) {
        w->full = 1;
        return;
    }
    if (size)
        memcpy(w->at, bytes, size);
    w->at += size;
}

/* A type byte and an integer of `size` bytes after it. */
COSIM_API void cosim_put_big_endian_(cosim_writer_ *w, unsigned type, uint64_t value, size_t size)
{
    unsigned char bytes[9];
    size_t n;
    bytes[0] = (unsigned char)type;
    for (n = 0; n < size; n++)
        bytes[1 + n] = (unsigned char)(value >> 8 * (size - 1 - n));
    cosim_put_(w, bytes, 1 + size);
}

COSIM_API void cosim_write_natural_(cosim_writer_ *w, uint64_t value)
{
    if (value < 0x80)
        cosim_put_big_endian_(w, (unsigned)value, 0, 0);
    else if (value <= 0xff)
        cosim_put_big_endian_(w, 0xcc, value, 1);
    else if (value <= 0xffff)
        cosim_put_big_endian_(w, 0xcd, value, 2);
    else if (value <= 0xffffffffu)
        cosim_put_big_endian_(w, 0xce, value, 4);
    else
        cosim_put_big_endian_(w, 0xcf, value, 8);
}

COSIM_API void cosim_write_number_(cosim_writer_ *w, double value)
{
    uint64_t raw;
    memcpy(&raw, &value, 8);
    cosim_put_big_endian_(w, 0xcb, raw, 8);
}

COSIM_API void cosim_write_flag_(cosim_writer_ *w, int value)
{
    cosim_put_big_endian_(w, value ? 0xc3 : 0xc2, 0, 0);
}

COSIM_API void cosim_write_list_(cosim_writer_ *w, size_t count)
{
    if (count < 16)
        cosim_put_big_endian_(w, 0x90 | (unsigned)count, 0, 0);
    else
        cosim_put_big_endian_(w, 0xdd, count, 4);
}

COSIM_API void cosim_write_map_(cosim_writer_ *w, size_t count)
{
    if (count < 16)
        cosim_put_big_endian_(w, 0x80 | (unsigned)count, 0, 0);
    else
        cosim_put_big_endian_(w, 0xdf, count, 4);
}

COSIM_API void cosim_write_text_(cosim_writer_ *w, const char *text)
{
    size_t size = text ? strlen(text) : 0;
    if (size < 32)
        cosim_put_big_endian_(w, 0xa0 | (unsigned)size, 0, 0);
    else if (size <= 0xff)
        cosim_put_big_endian_(w, 0xd9, size, 1);
    else
        cosim_put_big_endian_(w, 0xda, size, 2);
    if (size > 0xffff)
        w->full = 1;
    cosim_put_(w, text, size);
}

/* ---- requests -------------------------------------------------------------------------------- */

enum cosim_op_ {
    COSIM_HELLO_,
    COSIM_STATIC_,
    COSIM_INITIALIZE_,
    COSIM_UPDATE_,
    COSIM_ACCEPT_,
    COSIM_ADVANCE_,
    COSIM_SAVE_,
    COSIM_RESTORE_,
    COSIM_END_,
    COSIM_ABORT_,
    COSIM_OPS_,
    COSIM_NO_OP_ = COSIM_OPS_
};

COSIM_API const char *cosim_op_name_(int op)
{
    static const char *const names[] = {"hello",  "static",  "initialize", "update",
                                        "accept", "advance", "save_state", "restore_state",
                                        "end",    "abort",   "nothing"};
    return names[op];
}

enum cosim_key_ {
    COSIM_KEY_OP_ = 1,
    COSIM_KEY_SESSION_ = 2,
    COSIM_KEY_SEQ_ = 4,
    COSIM_KEY_T_ = 8,
    COSIM_KEY_ARRAYS_ = 16,
    COSIM_KEY_VERSION_ = 32,
    COSIM_KEY_HOST_ = 64,
    COSIM_KEY_RUN_ = 128,
    COSIM_KEY_BODIES_ = 256,
    COSIM_KEY_POINTS_ = 512,
    COSIM_KEY_CHANNELS_ = 1024,
    COSIM_KEY_SETTINGS_ = 2048,
    COSIM_KEY_ENVIRONMENT_ = 4096,
    COSIM_KEY_END_ = 8192,
    COSIM_KEY_T0_ = 16384,
    COSIM_KEY_REASON_ = 32768,
    COSIM_KEYS_ALL_ = 31,
    COSIM_KEYS_HELLO_ = 31 | 0x3fe0
};

/* A list of names: where it starts, its number, and the bytes of all of them. */
typedef struct cosim_names_ {
    const unsigned char *at;
    size_t count, size;
} cosim_names_;

typedef struct cosim_array_ {
    cosim_text_ name;
    int is_bytes, dimensions;
    uint64_t shape[2];
    uint64_t bytes; /* of the frame */
    const void *data;
} cosim_array_;

typedef struct cosim_request_ {
    int op;
    uint64_t session, seq;
    double version, t, t0, end, gravity, water_density, water_depth;
    cosim_text_ run, reason, settings;
    cosim_names_ bodies, points, channels;
    size_t n_arrays;
    cosim_array_ arrays[COSIM_ARRAYS_MOST];
    unsigned keys;
} cosim_request_;

typedef struct cosim_frame_ {
    const void *data;
    size_t size;
} cosim_frame_;

COSIM_API void cosim_read_names_(cosim_reader_ *r, cosim_names_ *names)
{
    cosim_reader_ others;
    cosim_text_ name, other;
    size_t n, m;
    names->count = cosim_list_(r);
    names->at = r->at;
    names->size = 0;
    if (names->count > COSIM_NAMES_MOST)
        cosim_wrong_(r, "a list has more than 1000 names");
    for (n = 0; n < names->count && !r->wrong; n++) {
        name = cosim_read_text_(r, 1, 200);
        names->size += name.size + 1;
        others.at = names->at;
        others.end = r->at;
        others.wrong = NULL;
        for (m = 0; m < n && !r->wrong; m++) {
            other = cosim_read_text_(&others, 1, 200);
            if (other.size == name.size && !memcmp(other.at, name.at, name.size))
                cosim_wrong_(r, "a name is there twice in the header");
        }
    }
}

COSIM_API void cosim_read_environment_(cosim_reader_ *r, cosim_request_ *q)
{
    cosim_text_ key;
    unsigned seen = 0, bit;
    size_t n, count = cosim_map_(r);
    double value;
    for (n = 0; n < count && !r->wrong; n++) {
        key = cosim_read_text_(r, 0, SIZE_MAX);
        value = cosim_read_number_(r);
        if (r->wrong)
            return;
        bit = cosim_same_(key, "gravity")         ? 1
              : cosim_same_(key, "water_density") ? 2
              : cosim_same_(key, "water_depth")   ? 4
                                                  : 0;
        if (!bit || seen & bit)
            cosim_wrong_(r, "the environment has an unknown key, or one twice");
        seen |= bit;
        if (bit == 1)
            q->gravity = value;
        else if (bit == 2)
            q->water_density = value;
        else
            q->water_depth = value;
    }
    if (seen != 7)
        cosim_wrong_(r, "the environment lacks a key");
    if (!r->wrong && (!(q->gravity >= 0.0 && q->gravity <= DBL_MAX) || !(q->water_depth > 0.0) ||
                      !(q->water_density >= 0.0 && q->water_density <= DBL_MAX)))
        cosim_wrong_(r, "gravity, water_density or water_depth is out of range");
}

COSIM_API void cosim_read_arrays_(cosim_reader_ *r, cosim_request_ *q)
{
    size_t n, m, d;
    uint64_t total = 0;
    cosim_text_ type;
    q->n_arrays = cosim_list_(r);
    if (q->n_arrays > COSIM_ARRAYS_MOST) {
        q->n_arrays = 0;
        cosim_wrong_(r, "a message has at most 16 arrays");
    }
    for (n = 0; n < q->n_arrays && !r->wrong; n++) {
        cosim_array_ *a = &q->arrays[n];
        if (cosim_list_(r) != 3)
            cosim_wrong_(r, "an array is described by [name, dtype, shape]");
        a->name = cosim_read_text_(r, 1, 200);
        type = cosim_read_text_(r, 0, SIZE_MAX);
        d = cosim_list_(r);
        if (r->wrong)
            return;
        a->is_bytes = cosim_same_(type, "|u1");
        if ((!a->is_bytes && !cosim_same_(type, "<f8")) ||
            a->is_bytes != cosim_same_(a->name, "data"))
            cosim_wrong_(r, "an array has the wrong dtype: data is |u1, all others are <f8");
        if (d < 1 || d > 2 || (a->is_bytes && d != 1)) {
            cosim_wrong_(r, "an array has one or two dimensions, data one");
            return;
        }
        a->dimensions = (int)d;
        a->bytes = a->is_bytes ? 1 : 8;
        for (m = 0; m < d && !r->wrong; m++) {
            a->shape[m] = cosim_read_natural_(r);
            if (a->shape[m] < 1 || a->shape[m] > COSIM_MESSAGE_MOST)
                cosim_wrong_(r, "an array is empty, or larger than a message may be");
            a->bytes *= a->shape[m];
        }
        total += a->bytes;
        if (total > COSIM_MESSAGE_MOST)
            cosim_wrong_(r, "a message has at most 64 MiB");
        for (m = 0; m < n && !r->wrong; m++)
            if (q->arrays[m].name.size == a->name.size &&
                !memcmp(q->arrays[m].name.at, a->name.at, a->name.size))
                cosim_wrong_(r, "an array is there twice");
    }
}

COSIM_API int cosim_read_op_(cosim_text_ name)
{
    int op;
    for (op = 0; op < COSIM_OPS_; op++)
        if (cosim_same_(name, cosim_op_name_(op)))
            return op;
    return COSIM_NO_OP_;
}

COSIM_API unsigned cosim_which_key_(cosim_text_ key)
{
    static const char *const names[] = {"op",      "session", "seq",  "t",        "arrays",
                                        "version", "host",    "run",  "bodies",   "points",
                                        "channels", "settings", "environment", "end", "t0",
                                        "reason"};
    unsigned n;
    for (n = 0; n < 16; n++)
        if (cosim_same_(key, names[n]))
            return 1u << n;
    return 0;
}

COSIM_API void cosim_read_key_(cosim_reader_ *r, cosim_request_ *q, unsigned key)
{
    const unsigned char *start = r->at;
    switch (key) {
    case COSIM_KEY_OP_: q->op = cosim_read_op_(cosim_read_text_(r, 0, SIZE_MAX)); break;
    case COSIM_KEY_SESSION_: q->session = cosim_read_natural_(r); break;
    case COSIM_KEY_SEQ_: q->seq = cosim_read_natural_(r); break;
    case COSIM_KEY_T_: q->t = cosim_read_finite_(r); break;
    case COSIM_KEY_ARRAYS_: cosim_read_arrays_(r, q); break;
    case COSIM_KEY_VERSION_: q->version = cosim_read_version_(r); break;
    case COSIM_KEY_HOST_: cosim_read_text_(r, 0, 1000); break;
    case COSIM_KEY_RUN_: q->run = cosim_read_text_(r, 0, 1000); break;
    case COSIM_KEY_REASON_: q->reason = cosim_read_text_(r, 0, 1000); break;
    case COSIM_KEY_BODIES_: cosim_read_names_(r, &q->bodies); break;
    case COSIM_KEY_POINTS_: cosim_read_names_(r, &q->points); break;
    case COSIM_KEY_CHANNELS_: cosim_read_names_(r, &q->channels); break;
    case COSIM_KEY_ENVIRONMENT_: cosim_read_environment_(r, q); break;
    case COSIM_KEY_END_: q->end = cosim_read_finite_(r); break;
    case COSIM_KEY_T0_: q->t0 = cosim_read_finite_(r); break;
    case COSIM_KEY_SETTINGS_:
        if (r->at < r->end && (*r->at & 0xf0u) != 0x80 && *r->at != 0xde && *r->at != 0xdf)
            cosim_wrong_(r, "the settings are no map");
        cosim_check_(r, 0);
        q->settings.at = start;
        q->settings.size = (size_t)(r->at - start);
        break;
    default: cosim_wrong_(r, "the header has an unknown key");
    }
}

/* Op, session, seq, t and version of a header that is wrong elsewhere; 0 where they cannot be
   read. */
COSIM_API int cosim_peek_(cosim_frame_ header, cosim_request_ *q)
{
    cosim_reader_ r = {NULL, NULL, NULL};
    unsigned key;
    size_t n, count;
    q->op = COSIM_NO_OP_;
    q->keys = 0;
    q->t = 0.0;
    r.at = (const unsigned char *)header.data;
    r.end = r.at + header.size;
    count = cosim_map_(&r);
    for (n = 0; n < count && !r.wrong; n++) {
        key = cosim_which_key_(cosim_read_text_(&r, 0, SIZE_MAX));
        if (key == COSIM_KEY_OP_ || key == COSIM_KEY_SESSION_ || key == COSIM_KEY_SEQ_ ||
            key == COSIM_KEY_T_ || key == COSIM_KEY_VERSION_)
            cosim_read_key_(&r, q, key);
        else
            cosim_skip_(&r);
        q->keys |= key;
    }
    if (r.at != r.end)
        cosim_wrong_(&r, "bytes follow the header");
    return !r.wrong && q->op != COSIM_NO_OP_ && q->op != COSIM_ABORT_ && q->seq >= 1 &&
           (q->keys & (COSIM_KEY_SESSION_ | COSIM_KEY_SEQ_)) ==
               (COSIM_KEY_SESSION_ | COSIM_KEY_SEQ_);
}

/* Whether a request of that op may have an array of that name. */
COSIM_API int cosim_may_have_(int op, cosim_text_ name)
{
    static const char *const moves[] = {"state", "points", "channels", "x"};
    static const char *const steps[] = {"start",      "end",            "points_start",
                                        "points_end", "channels_start", "channels_end"};
    const char *const *names = op == COSIM_ADVANCE_ ? steps : moves;
    int n, count = op == COSIM_ADVANCE_                            ? 6
                   : op == COSIM_STATIC_                           ? 1
                   : op == COSIM_INITIALIZE_                       ? 3
                   : op == COSIM_UPDATE_ || op == COSIM_ACCEPT_    ? 4
                                                                   : 0;
    if (op == COSIM_RESTORE_)
        return cosim_same_(name, "data");
    for (n = 0; n < count; n++)
        if (cosim_same_(name, names[n]))
            return 1;
    return 0;
}

COSIM_API void cosim_check_frames_(cosim_reader_ *r, cosim_request_ *q, const cosim_frame_ *frames,
                                   size_t count)
{
    size_t n, m;
    double number;
    if (count != q->n_arrays + 1) {
        cosim_wrong_(r, "the number of frames is not that of the arrays in the header");
        return;
    }
    for (n = 0; n < q->n_arrays; n++) {
        cosim_array_ *a = &q->arrays[n];
        if (frames[n + 1].size != a->bytes) {
            cosim_wrong_(r, "the size of a frame is not that of its array");
            return;
        }
        a->data = frames[n + 1].data;
        for (m = 0; !a->is_bytes && m < a->bytes / 8; m++) {
            memcpy(&number, (const unsigned char *)a->data + 8 * m, 8);
            if (!(fabs(number) <= DBL_MAX)) {
                cosim_wrong_(r, "an array has a number that is not finite");
                return;
            }
        }
        if (!cosim_may_have_(q->op, a->name))
            cosim_wrong_(r, "an array is not expected here");
    }
}

/* Read and check a request: NULL if it is one, else what is wrong with it. */
COSIM_API const char *cosim_parse_(const cosim_frame_ *frames, size_t count, cosim_request_ *q)
{
    cosim_reader_ r = {NULL, NULL, NULL};
    unsigned key, expected;
    size_t n, entries;
    memset(q, 0, sizeof *q);
    q->op = COSIM_NO_OP_;
    if (count < 1)
        return "a message has no frames";
    if (frames[0].size > COSIM_HEADER_MOST)
        return "a header has at most 64 KiB";
    r.at = (const unsigned char *)frames[0].data;
    r.end = r.at + frames[0].size;
    entries = cosim_map_(&r);
    for (n = 0; n < entries && !r.wrong; n++) {
        key = cosim_which_key_(cosim_read_text_(&r, 0, SIZE_MAX));
        if (q->keys & key)
            cosim_wrong_(&r, "the header has a key twice");
        q->keys |= key;
        if (!r.wrong)
            cosim_read_key_(&r, q, key);
    }
    if (r.at != r.end)
        cosim_wrong_(&r, "bytes follow the header");
    if (!r.wrong && q->op == COSIM_NO_OP_)
        cosim_wrong_(&r, "the header has no known op");
    expected = q->op == COSIM_HELLO_     ? (unsigned)COSIM_KEYS_HELLO_
               : q->op == COSIM_ADVANCE_ ? (unsigned)COSIM_KEYS_ALL_ | COSIM_KEY_T0_
               : q->op == COSIM_ABORT_   ? (unsigned)COSIM_KEYS_ALL_ | COSIM_KEY_REASON_
                                         : (unsigned)COSIM_KEYS_ALL_;
    if (q->keys != expected)
        cosim_wrong_(&r, "the header has not exactly the keys of its op");
    if (q->seq < 1)
        cosim_wrong_(&r, "seq is at least 1");
    if (!r.wrong)
        cosim_check_frames_(&r, q, frames, count);
    return r.wrong;
}

/* ---- a peer behind the rules of the protocol; no sockets ------------------------------------- */

typedef struct cosim_part_ {
    const char *name;
    size_t rows, columns; /* columns 0: one dimension */
    int is_bytes;
    const void *data;
    size_t bytes;
} cosim_part_;

typedef struct cosim_reply_ {
    size_t size, n_parts;
    cosim_part_ parts[8];
    unsigned char header[COSIM_HEADER_MOST];
} cosim_reply_;

typedef struct cosim_core {
    cosim_peer *peer;
    char heartbeat[256];
    uint64_t pid;
    int open, started, ended;
    uint64_t session, seq;
    char run[256];
    size_t k, p, c, n, o; /* bodies, points, channels, states, outputs */
    double *numbers;      /* all arrays of numbers, one after another */
    size_t n_numbers, n_loads;
    double *state[2], *points[2], *channels[2], *x;
    cosim_loads loads;
    double *first_load; /* where the block of the loads starts */
    unsigned char *data;
    char *text; /* the names */
    const char **names;
    const char *const *bodies, *const *point_names;
    int has_kept, kept_op;
    uint64_t kept_session, kept_seq;
    double kept_t;
    cosim_reply_ kept, once; /* the last reply, and one that is not kept */
} cosim_core;

COSIM_API cosim_core *cosim_core_new(cosim_peer *peer)
{
    cosim_core *core = (cosim_core *)calloc(1, sizeof *core);
    if (core)
        core->peer = peer;
    return core;
}

COSIM_API void cosim_release_(cosim_core *core)
{
    free(core->numbers);
    free(core->data);
    free(core->text);
    free((void *)core->names);
    core->numbers = NULL;
    core->data = NULL;
    core->text = NULL;
    core->names = NULL;
}

COSIM_API void cosim_core_free(cosim_core *core)
{
    if (core)
        cosim_release_(core);
    free(core);
}

COSIM_API void cosim_head_(cosim_writer_ *w, cosim_reply_ *reply, const cosim_request_ *q,
                           const char *error, size_t more)
{
    w->at = reply->header;
    w->end = reply->header + sizeof reply->header;
    w->full = 0;
    reply->n_parts = 0;
    cosim_write_map_(w, 7 + more);
    cosim_write_text_(w, "re");
    cosim_write_text_(w, cosim_op_name_(q->op));
    cosim_write_text_(w, "session");
    cosim_write_natural_(w, q->session);
    cosim_write_text_(w, "seq");
    cosim_write_natural_(w, q->seq);
    cosim_write_text_(w, "t");
    cosim_write_number_(w, q->t);
    cosim_write_text_(w, "ok");
    cosim_write_flag_(w, error == NULL);
    cosim_write_text_(w, "error");
    cosim_write_text_(w, error ? error : "");
}

/* Description of the arrays, the last of the header; 0 if it does not fit. */
COSIM_API int cosim_tail_(cosim_writer_ *w, cosim_reply_ *reply)
{
    size_t n;
    cosim_write_text_(w, "arrays");
    cosim_write_list_(w, reply->n_parts);
    for (n = 0; n < reply->n_parts; n++) {
        cosim_part_ *part = &reply->parts[n];
        cosim_write_list_(w, 3);
        cosim_write_text_(w, part->name);
        cosim_write_text_(w, part->is_bytes ? "|u1" : "<f8");
        cosim_write_list_(w, part->columns ? 2 : 1);
        cosim_write_natural_(w, part->rows);
        if (part->columns)
            cosim_write_natural_(w, part->columns);
    }
    reply->size = (size_t)(w->at - reply->header);
    return !w->full;
}

/* One printable line of UTF-8, whatever the callback wrote. */
COSIM_API void cosim_one_line_(char *text)
{
    unsigned char *at = (unsigned char *)text;
    size_t left = strlen(text), length;
    for (; left > 0; at += length, left -= length) {
        length = cosim_character_(at, left);
        if (!length || *at < 0x20 || *at == 0x7f) {
            *at = length ? ' ' : '?';
            length = 1;
        }
    }
}

COSIM_API cosim_reply_ *cosim_refuse_(cosim_reply_ *reply, const cosim_request_ *q,
                                      const char *error)
{
    char line[COSIM_ERROR_SIZE];
    cosim_writer_ w;
    strncpy(line, error[0] ? error : "the peer gives no reason", sizeof line - 1);
    line[sizeof line - 1] = '\0';
    cosim_one_line_(line);
    cosim_head_(&w, reply, q, line, q->op == COSIM_HELLO_ ? 1 : 0);
    if (q->op == COSIM_HELLO_) {
        cosim_write_text_(&w, "version");
        cosim_write_natural_(&w, COSIM_PROTOCOL_VERSION);
    }
    cosim_tail_(&w, reply);
    return reply;
}

COSIM_API void cosim_add_(cosim_reply_ *reply, const char *name, size_t rows, size_t columns,
                          const double *data)
{
    cosim_part_ *part;
    if (rows == 0 || !data)
        return;
    part = &reply->parts[reply->n_parts++];
    part->name = name;
    part->rows = rows;
    part->columns = columns;
    part->is_bytes = 0;
    part->data = data;
    part->bytes = 8 * rows * (columns ? columns : 1);
}

/* Add the loads to a reply; NULL, or what is wrong with them. */
COSIM_API const char *cosim_add_loads_(cosim_core *core, cosim_reply_ *reply, int op)
{
    cosim_loads *loads = &core->loads;
    size_t n;
    for (n = 0; n < core->n_loads; n++)
        if (!(fabs(core->first_load[n]) <= DBL_MAX))
            return "the peer gave a number that is not finite";
    cosim_add_(reply, "load", core->k, 6, loads->load);
    cosim_add_(reply, "point_load", core->p, 6, loads->point_load);
    if (op == COSIM_STATIC_)
        return NULL;
    cosim_add_(reply, "mass", 6 * core->k, 6 * core->k, loads->mass);
    cosim_add_(reply, "x_dot", core->n, 0, loads->x_dot);
    cosim_add_(reply, "event", 1, 0, loads->event);
    cosim_add_(reply, "outputs", core->o, 0, loads->outputs);
    return NULL;
}

COSIM_API cosim_instant cosim_at_(cosim_core *core, double t, int which)
{
    cosim_instant at;
    at.t = t;
    at.n_bodies = (int)core->k;
    at.n_points = (int)core->p;
    at.n_channels = (int)core->c;
    at.n_states = (int)core->n;
    at.state = core->state[which];
    at.points = core->points[which];
    at.channels = core->channels[which];
    at.x = core->x;
    return at;
}

/* Copy the array of that name and shape; one of no elements is not sent, and stays zero. */
COSIM_API int cosim_copy_(const cosim_request_ *q, const char *name, size_t rows, size_t columns,
                          double *to, size_t *found)
{
    size_t n;
    if (rows == 0)
        return 1;
    for (n = 0; n < q->n_arrays; n++) {
        const cosim_array_ *a = &q->arrays[n];
        if (!cosim_same_(a->name, name))
            continue;
        if (a->dimensions != (columns ? 2 : 1) || a->shape[0] != rows ||
            (columns && a->shape[1] != columns))
            return 0;
        memcpy(to, a->data, (size_t)a->bytes);
        ++*found;
        return 1;
    }
    return 0;
}

/* Take the arrays of a request; all that are expected and no others. */
COSIM_API int cosim_take_arrays_(cosim_core *core, const cosim_request_ *q)
{
    size_t found = 0;
    int good;
    if (q->op == COSIM_ADVANCE_) {
        good = cosim_copy_(q, "start", core->k, 18, core->state[0], &found) &&
               cosim_copy_(q, "end", core->k, 18, core->state[1], &found) &&
               cosim_copy_(q, "points_start", core->p, 6, core->points[0], &found) &&
               cosim_copy_(q, "points_end", core->p, 6, core->points[1], &found) &&
               cosim_copy_(q, "channels_start", core->c, 0, core->channels[0], &found) &&
               cosim_copy_(q, "channels_end", core->c, 0, core->channels[1], &found);
        return good && found == q->n_arrays;
    }
    memset(core->points[0], 0, 8 * (6 * core->p));
    memset(core->channels[0], 0, 8 * core->c);
    memset(core->x, 0, 8 * core->n);
    good = cosim_copy_(q, "state", core->k, 18, core->state[0], &found);
    if (q->op != COSIM_STATIC_)
        good = good && cosim_copy_(q, "points", core->p, 6, core->points[0], &found) &&
               cosim_copy_(q, "channels", core->c, 0, core->channels[0], &found);
    if (q->op == COSIM_UPDATE_ || q->op == COSIM_ACCEPT_)
        good = good && cosim_copy_(q, "x", core->n, 0, core->x, &found);
    return good && found == q->n_arrays;
}

/* ---- hello ---- */

COSIM_API const char *cosim_next_name_(cosim_reader_ *r, char **text)
{
    cosim_text_ name = cosim_read_text_(r, 1, 200);
    char *copy = *text;
    memcpy(copy, name.at, name.size);
    copy[name.size] = '\0';
    *text += name.size + 1;
    return copy;
}

/* The names in a list of the request, in the order of the peer if it has one. */
COSIM_API int cosim_match_(const cosim_names_ *given, int count, const char *const *wanted,
                           const char **names, char **text)
{
    cosim_reader_ r = {NULL, NULL, NULL};
    size_t n, m;
    r.at = given->at;
    r.end = given->at + COSIM_HEADER_MOST; /* checked before */
    for (n = 0; n < given->count; n++)
        names[n] = cosim_next_name_(&r, text);
    if (count == 0)
        return 1;
    if ((size_t)count != given->count)
        return 0;
    for (n = 0; n < (size_t)count; n++) {
        for (m = n; m < (size_t)count && strcmp(names[m], wanted[n]) != 0; m++)
            ;
        if (m == (size_t)count)
            return 0;
        {
            const char *found = names[m];
            names[m] = names[n];
            names[n] = found;
        }
    }
    return 1;
}

/* Make room for the session: one block for all numbers. */
COSIM_API int cosim_make_room_(cosim_core *core)
{
    cosim_peer *peer = core->peer;
    size_t k = core->k, p = core->p, c = core->c, n = core->n, o = core->o;
    size_t side = peer->added_mass ? 6 * k : 0, events = peer->event ? 1 : 0;
    size_t in = 2 * (18 * k + 6 * p + c) + n;
    double *at;
    if (6 * k * 6 * k * 8 > COSIM_MESSAGE_MOST || n > 100000 || c > 100000 || o > 100000)
        return 0;
    core->n_loads = 6 * k + 6 * p + side * side + n + events + o + 2 * n;
    core->n_numbers = in + core->n_loads;
    core->numbers = (double *)calloc(core->n_numbers + 1, 8);
    core->data = (unsigned char *)malloc(peer->state_bytes + 1);
    if (!core->numbers || !core->data)
        return 0;
    at = core->numbers;
    core->state[0] = at, at += 18 * k;
    core->state[1] = at, at += 18 * k;
    core->points[0] = at, at += 6 * p;
    core->points[1] = at, at += 6 * p;
    core->channels[0] = at, at += c;
    core->channels[1] = at, at += c;
    core->x = at, at += n;
    core->first_load = at;
    core->loads.load = k ? at : NULL, at += 6 * k;
    core->loads.point_load = p ? at : NULL, at += 6 * p;
    core->loads.mass = side ? at : NULL, at += side * side;
    core->loads.x_dot = n ? at : NULL, at += n;
    core->loads.event = events ? at : NULL, at += events;
    core->loads.outputs = o ? at : NULL, at += o;
    core->loads.x0 = n ? at : NULL, at += n;
    core->loads.x_scale = n ? at : NULL;
    return 1;
}

COSIM_API int cosim_all_named_(int count, const cosim_signal *signals)
{
    int n;
    for (n = 0; n < count; n++)
        if (!signals[n].name || !signals[n].name[0])
            return 0;
    return 1;
}

/* What is wrong with a peer that says this of itself; NULL if nothing is. */
COSIM_API const char *cosim_contradiction_(const cosim_peer *peer)
{
    int advances = peer->mode == COSIM_ADVANCE;
    if (!peer->name || !peer->name[0] || peer->n_states < 0 || peer->n_channels < 0 ||
        peer->n_outputs < 0 || peer->n_about < 0 || peer->n_bodies < 0 || peer->n_points < 0)
        return "the peer has no name, or a negative number of something";
    if (!advances && peer->mode != COSIM_EVALUATE)
        return "the mode of the peer must be COSIM_EVALUATE or COSIM_ADVANCE";
    if ((peer->n_bodies && !peer->bodies) || (peer->n_points && !peer->points) ||
        (peer->n_channels && !peer->channels) || (peer->n_outputs && !peer->outputs) ||
        (peer->n_about && !peer->about))
        return "a list is missing that the peer counts";
    if (!cosim_all_named_(peer->n_channels, peer->channels) ||
        !cosim_all_named_(peer->n_outputs, peer->outputs))
        return "a channel or an output has no name";
    if (advances && (peer->n_states || peer->history || peer->event))
        return "a peer that advances can have no n_states, history or event";
    if (peer->history && !peer->restorable)
        return "a peer with history must be restorable";
    if (advances ? !peer->advance : !peer->update)
        return "the peer has no callback 'advance' (or 'update') for its mode";
    if ((peer->statics && !peer->static_loads) || (peer->history && !peer->accept) ||
        (peer->restorable && (!peer->save_state || !peer->restore_state)) ||
        ((peer->n_states || advances) && !peer->initialize))
        return "a callback is missing that the peer announces";
    if (!(peer->max_step >= 0.0) || !(peer->inner_step >= 0.0) || !(peer->inner_step <= DBL_MAX))
        return "max_step or inner_step of the peer is out of range";
    return NULL;
}

COSIM_API void cosim_write_signals_(cosim_writer_ *w, const char *key, int count,
                                    const cosim_signal *signals)
{
    int n;
    cosim_write_text_(w, key);
    cosim_write_list_(w, (size_t)count);
    for (n = 0; n < count; n++) {
        cosim_write_map_(w, 5);
        cosim_write_text_(w, "name");
        cosim_write_text_(w, signals[n].name);
        cosim_write_text_(w, "units");
        cosim_write_text_(w, signals[n].units);
        cosim_write_text_(w, "frame");
        cosim_write_text_(w, signals[n].frame);
        cosim_write_text_(w, "point");
        cosim_write_text_(w, signals[n].point);
        cosim_write_text_(w, "long_name");
        cosim_write_text_(w, signals[n].long_name);
    }
}

COSIM_API void cosim_write_flag_of_(cosim_writer_ *w, const char *key, int value)
{
    cosim_write_text_(w, key);
    cosim_write_flag_(w, value);
}

COSIM_API void cosim_write_number_of_(cosim_writer_ *w, const char *key, double value)
{
    cosim_write_text_(w, key);
    cosim_write_number_(w, value);
}

COSIM_API int cosim_introduce_(cosim_core *core, const cosim_request_ *q)
{
    cosim_peer *peer = core->peer;
    cosim_reply_ *reply = &core->kept;
    cosim_writer_ w;
    size_t n;
    cosim_head_(&w, reply, q, NULL, 18);
    cosim_write_text_(&w, "version");
    cosim_write_natural_(&w, COSIM_PROTOCOL_VERSION);
    cosim_write_text_(&w, "name");
    cosim_write_text_(&w, peer->name);
    cosim_write_text_(&w, "mode");
    cosim_write_text_(&w, peer->mode == COSIM_ADVANCE ? "advance" : "evaluate");
    cosim_write_text_(&w, "n_states");
    cosim_write_natural_(&w, core->n);
    cosim_write_flag_of_(&w, "history", peer->history);
    cosim_write_flag_of_(&w, "restorable", peer->restorable);
    cosim_write_flag_of_(&w, "static", peer->statics);
    cosim_write_flag_of_(&w, "event", peer->event);
    cosim_write_flag_of_(&w, "added_mass", peer->added_mass);
    cosim_write_number_of_(&w, "max_step", peer->max_step > 0.0 ? peer->max_step : INFINITY);
    cosim_write_number_of_(&w, "inner_step", peer->inner_step);
    cosim_write_text_(&w, "bodies");
    cosim_write_list_(&w, core->k);
    for (n = 0; n < core->k; n++)
        cosim_write_text_(&w, core->bodies[n]);
    cosim_write_text_(&w, "points");
    cosim_write_list_(&w, core->p);
    for (n = 0; n < core->p; n++) {
        cosim_write_map_(&w, 1);
        cosim_write_text_(&w, "name");
        cosim_write_text_(&w, core->point_names[n]);
    }
    cosim_write_signals_(&w, "channels", peer->n_channels, peer->channels);
    cosim_write_signals_(&w, "outputs", peer->n_outputs, peer->outputs);
    cosim_write_text_(&w, "heartbeat");
    cosim_write_text_(&w, core->heartbeat);
    cosim_write_text_(&w, "pid");
    cosim_write_natural_(&w, core->pid);
    cosim_write_text_(&w, "about");
    cosim_write_map_(&w, (size_t)peer->n_about);
    for (n = 0; n < 2 * (size_t)peer->n_about; n++)
        cosim_write_text_(&w, peer->about[n]);
    cosim_add_(reply, "apparent_mass", 6 * core->k, 6 * core->k, peer->apparent_mass);
    return cosim_tail_(&w, reply);
}

/* Configure the peer and say what it is; NULL, or why not. */
COSIM_API const char *cosim_hello_(cosim_core *core, const cosim_request_ *q)
{
    cosim_peer *peer = core->peer;
    cosim_setup setup;
    char *text;
    size_t n, run = q->run.size < sizeof core->run ? q->run.size : sizeof core->run - 1;
    const char *wrong = cosim_contradiction_(peer);
    if (wrong)
        return wrong;
    cosim_release_(core);
    core->text = (char *)malloc(q->bodies.size + q->points.size + 1);
    core->names = (const char **)malloc((q->bodies.count + q->points.count + 1) * sizeof(char *));
    if (!core->text || !core->names)
        return "the peer has not enough memory";
    text = core->text;
    core->bodies = core->names;
    core->point_names = core->names + q->bodies.count;
    if (!cosim_match_(&q->bodies, peer->n_bodies, peer->bodies, core->names, &text))
        return "the bodies that the case gives are not those of the peer; name them alike";
    if (!cosim_match_(&q->points, peer->n_points, peer->points, core->names + q->bodies.count,
                      &text))
        return "the points that the case gives are not those of the peer; name them alike";
    memcpy(core->run, q->run.at, run);
    core->run[run] = '\0';
    setup.run = core->run;
    setup.n_bodies = (int)q->bodies.count;
    setup.bodies = core->bodies;
    setup.n_points = (int)q->points.count;
    setup.points = core->point_names;
    setup.gravity = q->gravity;
    setup.water_density = q->water_density;
    setup.water_depth = q->water_depth;
    setup.start = q->t;
    setup.end = q->end;
    setup.settings = q->settings.at;
    setup.settings_bytes = q->settings.size;
    peer->error[0] = '\0';
    if (peer->configure && peer->configure(peer, &setup))
        return peer->error;
    wrong = cosim_contradiction_(peer); /* configure may have changed what it is */
    if (wrong)
        return wrong;
    core->k = q->bodies.count;
    core->p = q->points.count;
    core->c = (size_t)peer->n_channels;
    core->n = (size_t)peer->n_states;
    core->o = (size_t)peer->n_outputs;
    if (!cosim_make_room_(core))
        return "the case is too large for this peer";
    for (n = 0; peer->apparent_mass && n < 36 * core->k * core->k; n++)
        if (!(fabs(peer->apparent_mass[n]) <= DBL_MAX))
            return "apparent_mass of the peer is not finite";
    if (!cosim_introduce_(core, q))
        return "what the peer says of itself is longer than 64 KiB";
    core->open = 1;
    core->started = core->ended = 0;
    core->session = q->session;
    core->seq = 1;
    return NULL;
}

/* ---- the other requests ---- */

COSIM_API const char *cosim_not_now_(const cosim_core *core, int op)
{
    const cosim_peer *peer = core->peer;
    int advances = peer->mode == COSIM_ADVANCE, has = 1;
    if (op == COSIM_END_)
        return NULL;
    if (op == COSIM_HELLO_)
        return "hello comes once in a session";
    if ((op == COSIM_STATIC_ || op == COSIM_INITIALIZE_) && core->started)
        return "static and initialize cannot come after initialize";
    if (op == COSIM_STATIC_)
        has = peer->statics;
    else if (op == COSIM_UPDATE_)
        has = !advances;
    else if (op == COSIM_ADVANCE_)
        has = advances;
    else if (op == COSIM_ACCEPT_)
        has = peer->history;
    else if (op == COSIM_SAVE_ || op == COSIM_RESTORE_)
        has = peer->restorable;
    if (!has)
        return "the peer does not have this op";
    if (op != COSIM_STATIC_ && op != COSIM_INITIALIZE_ && !core->started)
        return "this op cannot come before initialize";
    return NULL;
}

COSIM_API void cosim_close_(cosim_core *core)
{
    if (!core->open)
        return;
    core->open = 0;
    core->ended = 1;
    if (core->peer->end)
        core->peer->end(core->peer);
}

COSIM_API const char *cosim_start_(cosim_core *core, const cosim_instant *at, cosim_reply_ *reply)
{
    cosim_peer *peer = core->peer;
    size_t n;
    if (peer->initialize && peer->initialize(peer, at, &core->loads))
        return peer->error;
    for (n = 0; n < core->n; n++)
        if (!(core->loads.x_scale[n] > 0.0 && core->loads.x_scale[n] <= DBL_MAX) ||
            !(fabs(core->loads.x0[n]) <= DBL_MAX))
            return "x_scale must be positive, and x0 finite";
    if (peer->mode == COSIM_EVALUATE) {
        if (core->n)
            memcpy(core->x, core->loads.x0, 8 * core->n);
        cosim_add_(reply, "x", core->n, 0, core->x);
        cosim_add_(reply, "x_scale", core->n, 0, core->loads.x_scale);
        memset(core->first_load, 0, 8 * (core->n_loads - 2 * core->n));
        if (peer->update(peer, at, &core->loads))
            return peer->error;
    }
    core->started = 1;
    return NULL;
}

COSIM_API const char *cosim_load_state_(cosim_core *core, const cosim_request_ *q)
{
    const void *data = q->n_arrays ? q->arrays[0].data : (const void *)"";
    size_t bytes = q->n_arrays ? (size_t)q->arrays[0].bytes : 0;
    return core->peer->restore_state(core->peer, data, bytes) ? core->peer->error : NULL;
}

COSIM_API const char *cosim_keep_state_(cosim_core *core, cosim_reply_ *reply)
{
    size_t bytes = core->peer->state_bytes;
    cosim_part_ *part = &reply->parts[0];
    if (core->peer->save_state(core->peer, core->data, &bytes))
        return core->peer->error;
    if (bytes > core->peer->state_bytes)
        return "save_state wrote more than state_bytes";
    if (bytes == 0)
        return NULL;
    part->name = "data";
    part->rows = part->bytes = bytes;
    part->columns = 0;
    part->is_bytes = 1;
    part->data = core->data;
    reply->n_parts = 1;
    return NULL;
}

/* Do what an allowed request asks; NULL, or why it failed. */
COSIM_API const char *cosim_do_(cosim_core *core, const cosim_request_ *q, cosim_reply_ *reply)
{
    cosim_peer *peer = core->peer;
    cosim_instant at, end;
    int failed = 0;
    const char *wrong = NULL;
    peer->error[0] = '\0';
    if (q->op == COSIM_END_) {
        cosim_close_(core);
        return peer->error[0] ? peer->error : NULL;
    }
    if (q->op == COSIM_SAVE_)
        return cosim_keep_state_(core, reply);
    if (q->op == COSIM_RESTORE_)
        return cosim_load_state_(core, q);
    if (q->op == COSIM_ADVANCE_ && !(q->t0 < q->t))
        return "a step goes forward: t0 must be less than t";
    if (!cosim_take_arrays_(core, q))
        return "the arrays of the request, or their shapes, are not those agreed on";
    memset(core->first_load, 0, 8 * core->n_loads);
    at = cosim_at_(core, q->op == COSIM_ADVANCE_ ? q->t0 : q->t, 0);
    switch (q->op) {
    case COSIM_STATIC_: failed = peer->static_loads(peer, &at, &core->loads); break;
    case COSIM_INITIALIZE_: wrong = cosim_start_(core, &at, reply); break;
    case COSIM_ACCEPT_:
        failed = peer->accept(peer, &at) || peer->update(peer, &at, &core->loads);
        break;
    case COSIM_UPDATE_: failed = peer->update(peer, &at, &core->loads); break;
    default:
        end = cosim_at_(core, q->t, 1);
        failed = peer->advance(peer, &at, &end, &core->loads);
    }
    if (failed)
        return peer->error;
    return wrong ? wrong : cosim_add_loads_(core, reply, q->op);
}

COSIM_API cosim_reply_ *cosim_answer_(cosim_core *core, const cosim_request_ *q)
{
    cosim_reply_ *reply = &core->kept;
    cosim_writer_ w;
    const char *wrong;
    core->has_kept = 1;
    core->kept_op = q->op;
    core->kept_session = q->session;
    core->kept_seq = q->seq;
    core->kept_t = q->t;
    reply->n_parts = 0;
    if (q->op == COSIM_HELLO_ && !core->open) {
        wrong = cosim_hello_(core, q);
        return wrong ? cosim_refuse_(reply, q, wrong) : reply;
    }
    core->seq = q->seq;
    wrong = cosim_not_now_(core, q->op);
    if (!wrong)
        wrong = cosim_do_(core, q, reply);
    if (wrong)
        return cosim_refuse_(reply, q, wrong);
    {
        size_t parts = reply->n_parts;
        cosim_head_(&w, reply, q, NULL, 0);
        reply->n_parts = parts;
        cosim_tail_(&w, reply);
    }
    return reply;
}

/* A request out of the usual order. */
COSIM_API cosim_reply_ *cosim_unusual_(cosim_core *core, const cosim_request_ *q)
{
    char busy[320];
    int ours = core->open && q->session == core->session;
    if (q->op == COSIM_ABORT_) {
        if (ours)
            cosim_close_(core);
        else if (!core->open && core->has_kept && core->kept_session == q->session)
            core->ended = 1;
        return NULL;
    }
    if (core->has_kept && core->kept_session == q->session) {
        if (q->seq == core->kept_seq)
            return q->op == core->kept_op && q->t == core->kept_t
                       ? &core->kept
                       : cosim_refuse_(&core->once, q,
                                       "the request was repeated with another op or time");
        if (q->seq < core->kept_seq)
            return NULL;
    }
    if (ours)
        return cosim_refuse_(&core->once, q, "requests between this one and the last are missing");
    if (q->op != COSIM_HELLO_)
        return cosim_refuse_(&core->once, q,
                             "this session is not open: the first request is hello");
    if (core->open) {
        sprintf(busy, "busy with run '%.255s'", core->run);
        return cosim_refuse_(&core->once, q, busy);
    }
    if (q->seq != 1)
        return cosim_refuse_(&core->once, q, "hello has the number 1");
    return cosim_answer_(core, q);
}

/* Answer one message, without the identity; NULL where nothing is to be said. */
COSIM_API const cosim_reply_ *cosim_handle(cosim_core *core, const cosim_frame_ *frames,
                                           size_t count, uint64_t *session)
{
    cosim_request_ q;
    char other[128];
    const char *wrong = cosim_parse_(frames, count, &q);
    *session = UINT64_MAX;
    if (wrong || (q.op == COSIM_HELLO_ && q.version != COSIM_PROTOCOL_VERSION)) {
        if (count < 1 || frames[0].size > COSIM_HEADER_MOST || !cosim_peek_(frames[0], &q))
            return NULL;
        if (q.op == COSIM_HELLO_ && q.keys & COSIM_KEY_VERSION_ &&
            q.version != COSIM_PROTOCOL_VERSION) {
            sprintf(other, "the peer speaks version %d of the protocol, and the host version %.0f",
                    COSIM_PROTOCOL_VERSION, q.version);
            wrong = other;
        }
        return cosim_refuse_(&core->once, &q, wrong ? wrong : "the header makes no sense");
    }
    *session = q.session;
    if (!core->open || q.session != core->session || q.seq != core->seq + 1 ||
        q.op == COSIM_ABORT_)
        return cosim_unusual_(core, &q);
    return cosim_answer_(core, &q);
}

/* ---- sockets --------------------------------------------------------------------------------- */

#define COSIM_KEYS_ALLOWED 16

typedef struct cosim_server_ {
    cosim_core *core;
    void *context, *router, *echo, *monitor, *zap;
    void *echo_thread, *zap_thread;
    char endpoint[256], beat[256];
    int launched, insecure, encrypted;
    char public_key[41], secret_key[41];
    char allowed[COSIM_KEYS_ALLOWED][41];
    int n_allowed;
    int held, lost, n_connections; /* connection of the session; -1 unknown */
    double lost_since;
    char lock[264];
    int lock_file; /* -1 for none */
    char wrong[COSIM_ERROR_SIZE];
} cosim_server_;

COSIM_API volatile sig_atomic_t *cosim_flags_(void)
{
    static volatile sig_atomic_t flags[2]; /* signal that came; whether a callback runs */
    return flags;
}

COSIM_API void cosim_on_signal_(int number)
{
    if (cosim_flags_()[1])
        _exit(128 + number);
    cosim_flags_()[0] = number;
}

COSIM_API double cosim_clock_(void)
{
#ifdef _WIN32
    return (double)clock() / CLOCKS_PER_SEC;
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#endif
}

COSIM_API int cosim_refused_(cosim_server_ *s, const char *what, const char *which)
{
    sprintf(s->wrong, "%.200s '%.200s'", what, which);
    return 0;
}

/* Whether only this machine reaches an endpoint; -1 if it is none. */
COSIM_API int cosim_is_local_(const char *endpoint)
{
    const char *host;
    int digits = 0, dots = 0;
    if (strncmp(endpoint, "ipc://", 6) == 0)
        return endpoint[6] && endpoint[6] != '@' && endpoint[6] != '*' ? 1 : -1;
    if (strncmp(endpoint, "tcp://", 6) != 0 || !strchr(endpoint + 6, ':') || strlen(endpoint) > 240)
        return -1;
    host = endpoint + 6;
    if (strncmp(host, "localhost:", 10) == 0 || strncmp(host, "[::1]:", 6) == 0)
        return 1;
    if (strncmp(host, "127.", 4) != 0)
        return 0;
    for (; *host && *host != ':'; host++) {
        digits += *host >= '0' && *host <= '9';
        dots += *host == '.';
        if ((*host < '0' || *host > '9') && *host != '.')
            return 0;
    }
    return dots == 3 && digits >= 4;
}

/* The heartbeat socket: sends everything back, even while a callback computes. */
COSIM_API void cosim_echo_(void *argument)
{
    zmq_proxy(argument, argument, NULL); /* returns when the context ends */
    zmq_close(argument);
}

/* Lets only known public keys connect (ZAP, RFC 27). */
COSIM_API void cosim_zap_(void *argument)
{
    cosim_server_ *s = (cosim_server_ *)argument;
    unsigned char frames[7][256];
    int sizes[7], count, more, n, good;
    size_t more_size = sizeof more;
    char key[41];
    for (;;) {
        for (count = 0, more = 1; more; count++) {
            n = zmq_recv(s->zap, frames[count < 7 ? count : 6], 255, 0);
            if (n < 0 && errno == EINTR) {
                count--;
                continue;
            }
            if (n < 0)
                break;
            sizes[count < 7 ? count : 6] = n < 255 ? n : 255;
            zmq_getsockopt(s->zap, ZMQ_RCVMORE, &more, &more_size);
        }
        if (more)
            break; /* the context ends */
        good = 0;
        if (count == 7 && sizes[5] == 5 && !memcmp(frames[5], "CURVE", 5) && sizes[6] == 32 &&
            zmq_z85_encode(key, frames[6], 32))
            for (n = 0; n < s->n_allowed; n++)
                good = good || strcmp(key, s->allowed[n]) == 0;
        if (count < 2)
            sizes[1] = 0;
        zmq_send(s->zap, "1.0", 3, ZMQ_SNDMORE);
        zmq_send(s->zap, frames[1], (size_t)sizes[1], ZMQ_SNDMORE);
        zmq_send(s->zap, good ? "200" : "400", 3, ZMQ_SNDMORE);
        zmq_send(s->zap, good ? "" : "unknown key", good ? 0 : 11, ZMQ_SNDMORE);
        zmq_send(s->zap, "", 0, ZMQ_SNDMORE);
        zmq_send(s->zap, "", 0, 0);
    }
    zmq_close(s->zap);
}

/* `public-key = "..."` or `secret-key = "..."` of a key file. */
COSIM_API int cosim_find_key_(const char *text, const char *kind, char *key)
{
    const char *at = strstr(text, kind);
    size_t size;
    at = at ? strchr(at, '"') : NULL;
    size = at ? strcspn(at + 1, "\"\n") : 0;
    if (size != 40 || at[41] != '"')
        return 0;
    memcpy(key, at + 1, 40);
    key[40] = '\0';
    return 1;
}

COSIM_API int cosim_read_keys_(cosim_server_ *s, const char *path, int own)
{
    char text[4096], expected[41];
    size_t size;
    FILE *file = fopen(path, "rb");
    if (!file)
        return cosim_refused_(s, "cannot read the key", path);
    size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
#ifndef _WIN32
    {
        struct stat about;
        if (own && (fstat(fileno(file), &about) != 0 || about.st_mode & 077)) {
            fclose(file);
            return cosim_refused_(s, "others can read the secret key (chmod 600)", path);
        }
    }
#endif
    fclose(file);
    if (!own)
        return cosim_find_key_(text, "public-key", s->allowed[s->n_allowed++]) ||
               cosim_refused_(s, "no public key in", path);
    if (!cosim_find_key_(text, "public-key", s->public_key) ||
        !cosim_find_key_(text, "secret-key", s->secret_key) ||
        zmq_curve_public(expected, s->secret_key) != 0 || strcmp(expected, s->public_key) != 0)
        return cosim_refused_(s, "no pair of keys in", path);
    s->encrypted = 1;
    return 1;
}

COSIM_API void cosim_set_(void *socket, int option, int value)
{
    zmq_setsockopt(socket, option, &value, sizeof value);
}

/* A ROUTER that listens; `endpoint` gets the port that was taken. */
COSIM_API void *cosim_bind_(cosim_server_ *s, char *endpoint, size_t room, int64_t most)
{
    void *socket = zmq_socket(s->context, ZMQ_ROUTER);
    size_t size = room;
    if (!socket)
        return NULL;
    cosim_set_(socket, ZMQ_LINGER, 0);
    cosim_set_(socket, ZMQ_HANDSHAKE_IVL, 5000);
    cosim_set_(socket, ZMQ_IPV6, strchr(endpoint, '[') != NULL);
    zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &most, sizeof most);
    if (cosim_is_local_(endpoint) != 1) {
        cosim_set_(socket, ZMQ_HEARTBEAT_IVL, 5000);
        cosim_set_(socket, ZMQ_HEARTBEAT_TIMEOUT, 30000);
    }
    if (s->encrypted) {
        cosim_set_(socket, ZMQ_CURVE_SERVER, 1);
        zmq_setsockopt(socket, ZMQ_ZAP_DOMAIN, "cosim", 5);
        zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, s->secret_key, 41);
        zmq_setsockopt(socket, ZMQ_CURVE_PUBLICKEY, s->public_key, 41);
#ifdef ZMQ_ZAP_ENFORCE_DOMAIN
        cosim_set_(socket, ZMQ_ZAP_ENFORCE_DOMAIN, 1);
#endif
    }
    if (zmq_bind(socket, endpoint) != 0) {
        sprintf(s->wrong, "cannot listen at '%.240s': %.200s", endpoint, zmq_strerror(errno));
        zmq_close(socket);
        return NULL;
    }
    zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, endpoint, &size);
    return socket;
}

/* Hold the path of an ipc endpoint: binding would take it from a living server. The lock is on a
   file beside it, the same that peers in Python use. */
COSIM_API int cosim_hold_path_(cosim_server_ *s)
{
#ifndef _WIN32
    struct stat there, held;
    if (strncmp(s->endpoint, "ipc://", 6) != 0)
        return 1;
    sprintf(s->lock, "%.250s.lock", s->endpoint + 6);
    for (;;) {
        s->lock_file = open(s->lock, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
        if (s->lock_file < 0)
            return cosim_refused_(s, "cannot write the file", s->lock);
        if (flock(s->lock_file, LOCK_EX | LOCK_NB) != 0) {
            close(s->lock_file);
            s->lock_file = -1;
            return cosim_refused_(s, "another program listens at", s->endpoint);
        }
        if (stat(s->lock, &there) == 0 && fstat(s->lock_file, &held) == 0 &&
            there.st_ino == held.st_ino)
            return 1;
        close(s->lock_file); /* its owner has just removed it */
    }
#else
    (void)s;
    return 1;
#endif
}

COSIM_API int cosim_listen_(cosim_server_ *s)
{
    char *colon;
    if (cosim_is_local_(s->endpoint) < 0)
        return cosim_refused_(s, "write tcp://HOST:PORT or ipc://PATH, not", s->endpoint);
    if (!s->beat[0]) {
        strcpy(s->beat, s->endpoint);
        colon = strrchr(s->beat, ':');
        if (strncmp(s->beat, "ipc://", 6) == 0)
            strcat(s->beat, ".hb");
        else
            strcpy(colon + 1, "*");
    }
    if (cosim_is_local_(s->beat) < 0)
        return cosim_refused_(s, "write tcp://HOST:PORT or ipc://PATH, not", s->beat);
    if (!s->encrypted && !s->insecure &&
        (cosim_is_local_(s->endpoint) != 1 || cosim_is_local_(s->beat) != 1))
        return cosim_refused_(
            s, "give --key and --allow (or --insecure): other machines reach", s->endpoint);
    if (s->encrypted && s->n_allowed == 0)
        return cosim_refused_(s, "nobody may call: give --allow with --key at", s->endpoint);
    if (s->encrypted && !zmq_has("curve"))
        return cosim_refused_(s, "this libzmq cannot encrypt", s->endpoint);
    if (!cosim_hold_path_(s))
        return 0;
    s->context = zmq_ctx_new();
    if (s->encrypted) {
        s->zap = zmq_socket(s->context, ZMQ_REP);
        cosim_set_(s->zap, ZMQ_LINGER, 0);
        zmq_bind(s->zap, "inproc://zeromq.zap.01");
        s->zap_thread = zmq_threadstart(cosim_zap_, s);
    }
    s->echo = cosim_bind_(s, s->beat, sizeof s->beat, 4096);
    if (!s->echo)
        return 0;
    s->echo_thread = zmq_threadstart(cosim_echo_, s->echo);
    s->router = cosim_bind_(s, s->endpoint, sizeof s->endpoint, COSIM_MESSAGE_MOST);
    if (!s->router)
        return 0;
    zmq_socket_monitor(s->router, "inproc://cosim-monitor", ZMQ_EVENT_ACCEPTED |
                                                                ZMQ_EVENT_DISCONNECTED);
    s->monitor = zmq_socket(s->context, ZMQ_PAIR);
    cosim_set_(s->monitor, ZMQ_LINGER, 0);
    zmq_connect(s->monitor, "inproc://cosim-monitor");
    cosim_set_(s->router, ZMQ_RCVTIMEO, 100);
    strcpy(s->core->heartbeat, s->beat);
#ifdef _WIN32
    s->core->pid = (uint64_t)_getpid();
#else
    s->core->pid = (uint64_t)getpid();
#endif
    return 1;
}

/* Follow the connections; a session ends when that of its host has been gone for 2 s. */
COSIM_API void cosim_look_around_(cosim_server_ *s)
{
    unsigned char event[6], address[256];
    uint16_t kind;
    uint32_t number;
    while (zmq_recv(s->monitor, event, sizeof event, ZMQ_DONTWAIT) == 6) {
        zmq_recv(s->monitor, address, sizeof address, ZMQ_DONTWAIT);
        memcpy(&kind, event, 2);
        memcpy(&number, event + 2, 4);
        if (kind == ZMQ_EVENT_ACCEPTED) {
            s->n_connections++;
            continue;
        }
        s->n_connections--;
        if ((int)number == s->held) {
            s->held = -1;
            s->lost = 1;
            s->lost_since = cosim_clock_();
        }
    }
    if (!s->core->open) {
        s->held = -1;
        s->lost = 0;
        return;
    }
    if (!s->lost) {
        if (s->held >= 0 || s->n_connections > 0)
            return;
        s->lost = 1;
        s->lost_since = cosim_clock_();
    }
    if (cosim_clock_() - s->lost_since > 2.0) {
        s->lost = 0;
        cosim_close_(s->core);
    }
}

COSIM_API void cosim_send_(cosim_server_ *s, zmq_msg_t *identity, const cosim_reply_ *reply)
{
    size_t n;
    zmq_send(s->router, zmq_msg_data(identity), zmq_msg_size(identity), ZMQ_SNDMORE);
    zmq_send(s->router, reply->header, reply->size, reply->n_parts ? ZMQ_SNDMORE : 0);
    for (n = 0; n < reply->n_parts; n++)
        zmq_send(s->router, reply->parts[n].data, reply->parts[n].bytes,
                 n + 1 < reply->n_parts ? ZMQ_SNDMORE : 0);
}

/* Receive one message into `parts`, the identity first; its number of frames, 0 for none. */
COSIM_API int cosim_receive_(cosim_server_ *s, zmq_msg_t *parts, int most)
{
    int count = 0, more = 1;
    zmq_msg_t *part;
    while (more) {
        part = &parts[count < most ? count : most - 1];
        if (count >= most)
            zmq_msg_close(part);
        zmq_msg_init(part);
        if (zmq_msg_recv(part, s->router, 0) < 0) {
            zmq_msg_close(part);
            for (more = 0; more < count && more < most - 1; more++)
                zmq_msg_close(&parts[more]);
            return 0;
        }
        count++;
        more = zmq_msg_more(part);
    }
    return count;
}

/* Answer the next message; 0 if none came for a while. */
COSIM_API int cosim_serve_next_(cosim_server_ *s)
{
    enum { MOST = COSIM_ARRAYS_MOST + 3 };
    zmq_msg_t parts[MOST];
    cosim_frame_ frames[MOST];
    const cosim_reply_ *reply;
    uint64_t session;
    int n, kept, count = cosim_receive_(s, parts, MOST);
    if (!count)
        return 0;
    kept = count < MOST ? count : MOST;
    for (n = 1; n < kept; n++) {
        frames[n - 1].data = zmq_msg_data(&parts[n]);
        frames[n - 1].size = zmq_msg_size(&parts[n]);
    }
    if (!s->core->open || s->held < 0)
        cosim_look_around_(s); /* a host that is gone does not keep others out */
    cosim_flags_()[1] = 1;
    reply = cosim_handle(s->core, frames, (size_t)count - 1, &session);
    cosim_flags_()[1] = 0;
    if (reply)
        cosim_send_(s, &parts[0], reply);
    if (!s->core->open) {
        s->held = -1;
        s->lost = 0;
    } else if (session == s->core->session) {
        if (s->held < 0)
            s->held = zmq_msg_get(&parts[0], ZMQ_SRCFD);
        s->lost = 0;
    }
    for (n = 0; n < kept; n++)
        zmq_msg_close(&parts[n]);
    return 1;
}

COSIM_API void cosim_serve_(cosim_server_ *s)
{
#ifndef _WIN32
    pid_t parent = getppid();
#endif
    for (;;) {
        if (cosim_flags_()[0])
            break;
        if (!cosim_serve_next_(s)) {
            if (errno == ETERM)
                break;
            cosim_look_around_(s);
#ifndef _WIN32
            if (s->launched && getppid() != parent)
                break;
#endif
        }
        if (s->launched && s->core->ended)
            break;
    }
    cosim_close_(s->core);
}

COSIM_API void cosim_shut_(cosim_server_ *s)
{
    if (s->monitor)
        zmq_close(s->monitor);
    if (s->router) {
        cosim_set_(s->router, ZMQ_LINGER, 500); /* the reply to `end` may leave */
        zmq_close(s->router);
    }
    if (s->context) {
        zmq_ctx_shutdown(s->context);
        if (s->echo_thread)
            zmq_threadclose(s->echo_thread);
        if (s->zap_thread)
            zmq_threadclose(s->zap_thread);
        while (zmq_ctx_term(s->context) != 0 && errno == EINTR)
            ;
    }
#ifndef _WIN32
    if (s->lock_file >= 0) {
        unlink(s->lock);
        close(s->lock_file);
    }
#endif
    cosim_core_free(s->core);
}

COSIM_API int cosim_arguments_(cosim_server_ *s, int argc, char **argv)
{
    const char *given = getenv("COSIM_ENDPOINT"), *version = getenv("COSIM_PROTOCOL");
    int n;
    s->launched = given && given[0];
    if (s->launched && version && strcmp(version, "1") != 0)
        return cosim_refused_(s, "this peer speaks version 1 of the protocol, not", version);
    for (n = 1; n < argc; n++) {
        const char *value = n + 1 < argc ? argv[n + 1] : "";
        if (strcmp(argv[n], "--insecure") == 0) {
            s->insecure = 1;
            continue;
        }
        if (strcmp(argv[n], "--endpoint") != 0 && strcmp(argv[n], "--heartbeat") != 0 &&
            strcmp(argv[n], "--key") != 0 && strcmp(argv[n], "--allow") != 0)
            continue; /* one of the peer's own */
        if (!value[0] || strlen(value) > 240)
            return cosim_refused_(s, "a value is missing after, or too long for", argv[n]);
        n++;
        if (strcmp(argv[n - 1], "--endpoint") == 0) {
            strcpy(s->endpoint, value);
        } else if (strcmp(argv[n - 1], "--heartbeat") == 0) {
            strcpy(s->beat, value);
        } else if (strcmp(argv[n - 1], "--key") == 0) {
            if (!cosim_read_keys_(s, value, 1))
                return 0;
        } else {
            if (s->n_allowed == COSIM_KEYS_ALLOWED)
                return cosim_refused_(s, "at most 16 keys may be given with", "--allow");
            if (!cosim_read_keys_(s, value, 0))
                return 0;
        }
    }
    if (s->launched) {
        s->beat[0] = '\0';
        if (strlen(given) > 240)
            return cosim_refused_(s, "COSIM_ENDPOINT is too long:", given);
        strcpy(s->endpoint, given);
    }
    if (!s->endpoint[0])
        return cosim_refused_(s, "no endpoint; start it with", "--endpoint tcp://127.0.0.1:PORT");
    return 1;
}

/* Serve a peer until its session ends, if a run launched it, or until it is told to end.

   Arguments of the command line: --endpoint E, --heartbeat E, --key FILE (own pair of keys),
   --allow FILE (public key of a host, repeatable), --insecure; others are left to the peer.
   Returns the exit code: 0, 5 where it cannot serve, 128 + n after signal n. */
COSIM_API int cosim_run(cosim_peer *peer, int argc, char **argv)
{
    cosim_server_ s;
    int signal_number;
    memset(&s, 0, sizeof s);
    s.held = s.lock_file = -1;
    s.core = cosim_core_new(peer);
    if (!s.core || !cosim_arguments_(&s, argc, argv) || !cosim_listen_(&s)) {
        fprintf(stderr, "peer '%s': %s\n", peer->name ? peer->name : "", s.wrong);
        cosim_shut_(&s);
        return 5;
    }
    signal(SIGTERM, cosim_on_signal_);
    signal(SIGINT, s.launched ? SIG_IGN : cosim_on_signal_);
    if (!s.launched)
        fprintf(stderr, "peer '%s' listens at %s\n", peer->name, s.endpoint);
    cosim_serve_(&s);
    cosim_shut_(&s);
    signal_number = cosim_flags_()[0];
    return signal_number ? 128 + signal_number : 0;
}

/* Size of cosim_peer, for other languages to compare with theirs. */
COSIM_API size_t cosim_peer_size(void)
{
    return sizeof(cosim_peer);
}

#ifdef __cplusplus
}
#endif

#endif
