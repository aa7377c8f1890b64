/* A ring of bytes with one reader and one writer. */
#ifndef RING_H
#define RING_H

#include <stddef.h>
#include "atomics.h"

/* The most bytes a ring may hold. */
#define RING_LIMIT (1u << 20)

#define RING_EMPTY 0
#define RING_FULL 1
#define RING_CLOSED 2
#define RING_BROKEN 3

/* How many bytes can be read. */
#define ring_used(ring) \
    ((ring)->head - (ring)->tail)

struct ring {
    size_t head;
    size_t tail;
#define RING_OWNED 1
    unsigned flags;
    union {
        char *bytes;
        void *memory;
    } store;
};

/* What a reader is told. */
typedef struct ring_event {
    int kind;
    struct ring *ring;
} ring_event_t, *ring_event_ref;

typedef union {
    unsigned short wide;
    unsigned char narrow[2];
} ring_length;

enum ring_state { RING_OPEN, RING_DRAINING };

typedef enum {
    RING_NO_WAIT,
    RING_WAIT
} ring_mode;

enum {
    RING_FLAG_A = 1,
    RING_FLAG_B = 2
};

/* Called for each event. */
typedef void (*ring_callback)(ring_event_t *event, void *data);
typedef struct pool pool_t;

extern int ring_debug;

size_t ring_read(struct ring *ring, char *into, size_t most);

static inline int ring_is_empty(const struct ring *ring)
{
    return ring_used(ring) == 0;
}

#endif /* RING_H */
