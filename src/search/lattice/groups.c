#include "search/lattice/groups.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"

enum { SNAPSHOTS = 512 };

/* One allocation, `block`, holds all arrays of a snapshot. */
typedef struct snapshot {
    groups groups;
    uint32_t of; /* tuples */
    size_t bytes;
    uint64_t used; /* clock of its last use */
    uint8_t *levels;
    void *block;
} snapshot;

/* Invariant while `lock` is held: the first `count` entries are complete, and `bytes` is the sum of
 * their sizes. */
struct groups_snapshots {
    pthread_mutex_t lock;
    uint32_t n_attributes, n_sensitive;
    bool wipes;
    uint32_t count;
    size_t bytes, budget;
    uint64_t clock;
    snapshot entries[SNAPSHOTS];
};

#if KITH_DEBUG
static void check_snapshots(const groups_snapshots *s)
{
    size_t bytes = 0;
    ASSERT(s->count <= SNAPSHOTS);
    for (uint32_t i = 0; i < s->count; i++) {
        ASSERT(s->entries[i].block != NULL && s->entries[i].used <= s->clock);
        bytes += s->entries[i].bytes;
    }
    ASSERT(s->bytes == bytes && bytes <= s->budget);
}
#endif

groups_snapshots *groups_snapshots_new(uint32_t n_attributes, uint32_t n_sensitive, bool wipes,
                                       size_t budget)
{
    groups_snapshots *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->n_attributes = n_attributes;
    s->n_sensitive = n_sensitive;
    s->wipes = wipes;
    s->budget = budget;
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

static void free_block(const groups_snapshots *s, snapshot *e)
{
    if (s->wipes)
        explicit_bzero(e->block, e->bytes);
    free(e->block);
}

void groups_snapshots_free(groups_snapshots *s)
{
    if (s == NULL)
        return;
    for (uint32_t i = 0; i < s->count; i++)
        free_block(s, &s->entries[i]);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static bool below(const uint8_t *a, const uint8_t *b, uint32_t n_attributes)
{
    for (uint32_t j = 0; j < n_attributes; j++)
        if (a[j] > b[j])
            return false;
    return true;
}

bool groups_snapshots_find(groups_snapshots *s, uint32_t of, const uint8_t *levels, groups *from)
{
    pthread_mutex_lock(&s->lock);
    snapshot *best = NULL;
    uint32_t min_groups = from->count;
    for (uint32_t i = 0; i < s->count; i++) {
        snapshot *e = &s->entries[i];
        if (e->of == of && e->groups.count < min_groups &&
            below(e->levels, levels, s->n_attributes)) {
            best = e;
            min_groups = e->groups.count;
        }
    }
    if (best != NULL) {
        best->used = ++s->clock;
        *from = best->groups;
    }
    pthread_mutex_unlock(&s->lock);
    return best != NULL;
}

/* Takes `bytes` from the block at *next, and leaves *next aligned for pointers. */
static void *carve(char **next, size_t bytes)
{
    void *piece = *next;
    *next += (bytes + 7) & ~(size_t)7;
    return piece;
}

/* Size of the block for a copy; every array may need 8 bytes more for alignment. */
static size_t copy_bytes(const groups_snapshots *s, const groups *g)
{
    size_t bytes = s->n_attributes + 8 + 2 * (4 * (size_t)g->count + 8);
    if (g->offset != NULL)
        bytes += 4 * ((size_t)g->count + 1) + 8 + 4 * (size_t)g->offset[g->count] + 8;
    for (uint32_t q = 0; q < s->n_sensitive; q++)
        bytes += 4 * ((size_t)g->count + 1) + 8 + 2 * (4 * (size_t)g->first[q][g->count] + 8);
    return bytes + 3 * s->n_sensitive * sizeof(uint32_t *);
}

static void *copy_words(char **next, const uint32_t *words, size_t count)
{
    void *copy = carve(next, 4 * count);
    memcpy(copy, words, 4 * count);
    return copy;
}

static void copy_groups(const groups_snapshots *s, snapshot *e, const uint8_t *levels,
                        const groups *g)
{
    char *next = e->block;
    uint32_t **list = carve(&next, 3 * s->n_sensitive * sizeof *list);
    e->groups = (groups){.count = g->count,
                         .first = list,
                         .value = list + s->n_sensitive,
                         .times = list + 2 * (size_t)s->n_sensitive};
    e->groups.representative = copy_words(&next, g->representative, g->count);
    e->groups.size = copy_words(&next, g->size, g->count);
    if (g->offset != NULL) {
        e->groups.offset = copy_words(&next, g->offset, (size_t)g->count + 1);
        e->groups.tuple = copy_words(&next, g->tuple, g->offset[g->count]);
    }
    for (uint32_t q = 0; q < s->n_sensitive; q++) {
        size_t n_entries = g->first[q][g->count];
        list[q] = copy_words(&next, g->first[q], (size_t)g->count + 1);
        list[s->n_sensitive + q] = copy_words(&next, g->value[q], n_entries);
        list[2 * (size_t)s->n_sensitive + q] = copy_words(&next, g->times[q], n_entries);
    }
    e->levels = carve(&next, s->n_attributes);
    memcpy(e->levels, levels, s->n_attributes);
    ASSERT(next <= (char *)e->block + e->bytes);
}

void groups_snapshots_keep(groups_snapshots *s, uint32_t of, const uint8_t *levels, const groups *g)
{
    snapshot fresh = {.of = of, .bytes = copy_bytes(s, g)};
    fresh.block = malloc(fresh.bytes);
    if (fresh.block == NULL)
        return;
    copy_groups(s, &fresh, levels, g);
    pthread_mutex_lock(&s->lock);
    bool room = s->count < SNAPSHOTS && s->bytes + fresh.bytes <= s->budget;
    if (room) {
        fresh.used = ++s->clock;
        s->entries[s->count++] = fresh;
        s->bytes += fresh.bytes;
    }
    CHECK(check_snapshots(s));
    pthread_mutex_unlock(&s->lock);
    if (!room)
        free_block(s, &fresh);
}

static int by_use(const void *a, const void *b)
{
    const snapshot *x = a, *y = b;
    return (x->used < y->used) - (x->used > y->used);
}

void groups_snapshots_trim(groups_snapshots *s)
{
    if (s->count < SNAPSHOTS * 3 / 4 && s->bytes < s->budget / 4 * 3)
        return;
    qsort(s->entries, s->count, sizeof *s->entries, by_use);
    uint32_t keep = s->count / 2;
    for (uint32_t i = keep; i < s->count; i++) {
        s->bytes -= s->entries[i].bytes;
        free_block(s, &s->entries[i]);
    }
    s->count = keep;
    CHECK(check_snapshots(s));
}
