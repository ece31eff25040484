/* Hands spoiled messages to the parser and the rules of cosim_peer.h, without sockets.

   fuzz FILE COUNT SEED: FILE holds messages, each [number of frames, (size, bytes) of each frame],
   numbers as 32-bit little-endian. Every frame is spoiled in memory of exactly its size, so that
   the address sanitizer sees each byte read beyond it. Prints how many were answered. */
#include "cosim_peer.h"

#define MOST 64

struct message {
    unsigned n;
    unsigned size[8];
    unsigned char *bytes[8];
};

static struct message messages[MOST];
static unsigned n_messages;
static uint64_t state;

static unsigned random_below(unsigned most)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)((state >> 11) % most);
}

static unsigned read_number(FILE *file)
{
    unsigned char bytes[4];
    if (fread(bytes, 1, 4, file) != 4)
        return 0;
    return bytes[0] | (unsigned)bytes[1] << 8 | (unsigned)bytes[2] << 16 | (unsigned)bytes[3] << 24;
}

static void read_messages(const char *path)
{
    FILE *file = fopen(path, "rb");
    unsigned n, frames;
    while (file && n_messages < MOST && (frames = read_number(file)) > 0 && frames <= 8) {
        struct message *m = &messages[n_messages++];
        m->n = frames;
        for (n = 0; n < frames; n++) {
            m->size[n] = read_number(file);
            m->bytes[n] = (unsigned char *)malloc(m->size[n] + 1);
            if (fread(m->bytes[n], 1, m->size[n], file) != m->size[n])
                exit(2);
        }
    }
    if (file)
        fclose(file);
}

static unsigned char *spoil(const unsigned char *from, unsigned size, unsigned *new_size)
{
    static const unsigned char odd[] = {0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1,
                                        0xc3, 0xc4, 0xca, 0xcb, 0xcf, 0xd3, 0xd9, 0xda, 0xdb, 0xdc,
                                        0xdd, 0xde, 0xdf, 0xff};
    unsigned room = size + 16, n, at, way = random_below(6), length;
    unsigned char *work = (unsigned char *)malloc(room), *exact;
    memcpy(work, from, size);
    at = size ? random_below(size) : 0;
    if (way == 0 && size) {
        work[at] ^= (unsigned char)(1u << random_below(8));
    } else if (way == 1 && size) {
        work[at] = odd[random_below(sizeof odd)];
    } else if (way == 2) {
        size = at;
    } else if (way == 3 && size) {
        length = random_below(16);
        memmove(work + at + length, work + at, size - at);
        for (n = 0; n < length; n++)
            work[at + n] = odd[random_below(sizeof odd)];
        size += length;
    } else if (way == 4 && size) {
        length = random_below(size - at) + 1;
        memmove(work + at, work + at + length, size - at - length);
        size -= length;
    }
    exact = (unsigned char *)malloc(size ? size : 1);
    memcpy(exact, work, size);
    free(work);
    *new_size = size;
    return exact;
}

static int configure(cosim_peer *peer, const cosim_setup *setup)
{
    double value = 0.0, values[3];
    char words[8];
    int flag;
    (void)peer;
    cosim_number(setup, "c", &value);
    cosim_numbers(setup, "list", values, 3);
    cosim_words(setup, "word", words, sizeof words);
    cosim_flag(setup, "flag", &flag);
    return 0;
}

static int initialize(cosim_peer *peer, const cosim_instant *at, cosim_loads *loads)
{
    (void)peer;
    (void)at;
    loads->x0[0] = 1.0;
    loads->x_scale[0] = 1.0;
    return 0;
}

static int update(cosim_peer *peer, const cosim_instant *at, cosim_loads *loads)
{
    int n;
    (void)peer;
    for (n = 0; n < 6 * at->n_bodies; n++)
        loads->load[n] = at->state[18 * (n / 6) + 12 + n % 6] + at->x[0];
    loads->x_dot[0] = at->n_points ? at->points[6 * at->n_points - 1] : 0.0;
    loads->event[0] = at->channels[0];
    return 0;
}

static int accept(cosim_peer *peer, const cosim_instant *at)
{
    (void)peer;
    (void)at;
    return 0;
}

static int save_state(cosim_peer *peer, void *data, size_t *bytes)
{
    (void)peer;
    memset(data, 5, *bytes);
    return 0;
}

static int restore_state(cosim_peer *peer, const void *data, size_t bytes)
{
    size_t n, sum = 0;
    for (n = 0; n < bytes; n++)
        sum += ((const unsigned char *)data)[n];
    return bytes == 4 && sum < 2000 ? 0 : cosim_fail(peer, "state\tof \xff another peer");
}

int main(int argc, char **argv)
{
    static const cosim_signal input = {"wind", "m/s", NULL, NULL, NULL};
    cosim_peer peer;
    cosim_core *core;
    const cosim_reply_ *reply;
    cosim_frame_ frames[8];
    uint64_t session;
    unsigned long count, n, answered = 0, done = 0;
    unsigned f, size;
    if (argc != 4)
        return 2;
    read_messages(argv[1]);
    count = strtoul(argv[2], NULL, 10);
    state = strtoul(argv[3], NULL, 10) * 2654435761u + 1;
    memset(&peer, 0, sizeof peer);
    peer.name = "fuzzed";
    peer.n_states = peer.history = peer.restorable = peer.event = peer.added_mass = 1;
    peer.n_channels = 1;
    peer.channels = &input;
    peer.state_bytes = 4;
    peer.configure = configure;
    peer.initialize = initialize;
    peer.update = update;
    peer.accept = accept;
    peer.save_state = save_state;
    peer.restore_state = restore_state;
    core = cosim_core_new(&peer);
    for (n = 0; n < count; n++) {
        const struct message *m = &messages[n % n_messages];
        unsigned only = random_below(2) ? m->n : random_below(m->n); /* often none is spoiled */
        for (f = 0; f < m->n; f++) {
            size = m->size[f];
            if (f == only) {
                frames[f].data = spoil(m->bytes[f], size, &size);
            } else {
                frames[f].data = memcpy(malloc(size + 1), m->bytes[f], size);
            }
            frames[f].size = size;
        }
        reply = cosim_handle(core, frames, m->n, &session);
        if (reply) { /* and every answer is a header that can be read */
            cosim_reader_ r = {NULL, NULL, NULL};
            r.at = reply->header;
            r.end = reply->header + reply->size;
            cosim_skip_(&r);
            if (r.wrong || r.at != r.end)
                return 3;
            answered++;
            done += reply == &core->kept;
        }
        for (f = 0; f < m->n; f++)
            free((void *)frames[f].data);
    }
    printf("%lu %lu\n", answered, done);
    cosim_core_free(core);
    for (n = 0; n < n_messages; n++)
        for (f = 0; f < messages[n].n; f++)
            free(messages[n].bytes[f]);
    return 0;
}
