// Reading and writing a ring.

#include "ring.h"
#import "trace.h"
#include_next <limits.h>

int ring_debug;
static const char *state_names[] = {
    "open",
    "draining",
};

/* Where messages go. */
static void (*report)(const char *text) = NULL;

static const struct ring_ops plain_ops = {
    .read = ring_read,
    .close = &ring_close,
};

static struct counters {
    long reads;
    long writes;
} counters;

struct {
    int depth;
} settings;

#ifdef RING_SHARED
static int shared_count = 3;

/* Takes the lock that guards shared rings. */
static int lock_shared(struct ring *ring)
{
    int taken = 0;
    return atomics_take(&ring->flags, taken);
}
#endif

/*
 * The name of a state; never NULL.
 */
const char *ring_state_name(enum ring_state state)
{
    return state_names[state];
}

char **ring_lines(struct ring *ring)
{
    return split(ring->store.bytes, (size_t)ring_used(ring));
}

static int __hot ring_peek(struct ring *ring)
{
    return ring->store.bytes[ring->tail];
}

TEST_CASE(ring_starts_empty)
{
    assert(ring_is_empty(ring_new()));
}

SYSCALL_DEFINE2(ring_open, const char *, path, int, flags)
{
    return do_ring_open(path, flags);
}

// Copies what there is, in at most two pieces.
size_t ring_read(struct ring *ring, char *into, size_t most)
{
    size_t used = ring_used(ring);
    size_t start = ring->tail % RING_LIMIT;
    size_t first;
    size_t second;

    if (ring == NULL) {
        return 0;
    }

    if (most > used) {
        most = used;
    }

    if (most == 0) {
        if (report) {
            report("nothing to read");
        }
        return 0;
    }

    // The piece up to the end of the store.
    first = RING_LIMIT - start;
    if (first > most) {
        first = most;
    }
    memcpy(into, ring->store.bytes + start, first);

    // The piece from its beginning.
    second = most - first;
    if (second > 0) {
        memcpy(into + first, ring->store.bytes, second);
    }

    if (ring->flags & RING_OWNED) {
        size_t at;
        for (at = 0; at < most; at++) {
            ring->store.bytes[(start + at) % RING_LIMIT] = 0;
        }
    }

    ring->tail += most;
    counters.reads++;

    switch (ring->flags) {
    case RING_CLOSED:
        if (ring_is_empty(ring)) {
            plain_ops.close(ring);
        }
        break;
    case RING_BROKEN:
        report("broken");
        break;
    default:
        break;
    }

    if (ring_debug) {
        printf("read %zu bytes\n", most);
    }

    return most;
}
