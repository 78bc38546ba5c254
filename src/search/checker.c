#include "search/checker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "search/groups.h"
#include "search/lattice.h"
#include "search/pricing.h"

/* Scratch of one worker, large enough for every node. Invariant between checks: `count` of every
 * secret is all zero. */
typedef struct scratch {
    uint64_t *key;                      /* [tuples * words] keys of the groups being read */
    uint64_t *own;                      /* [tuples * words] keys of the groups being made */
    uint32_t *table;                    /* [room] hash table of group numbers */
    uint32_t *target;                   /* [tuples] group made of each group read */
    uint32_t *representative, *size;    /* [tuples] of the groups being made */
    uint8_t *violates;                  /* [tuples] */
    uint32_t *start, *member;           /* [tuples + 2], [tuples] groups read, sorted by target */
    uint32_t **count;                   /* [secrets][values] */
    uint32_t **first, **value, **times; /* [secrets] lists of the groups being made */
    histogram *histogram;               /* [secrets] */
    uint32_t *gone;                     /* [pricing_counts] */
    uint32_t *offset, *tuple; /* [tuples + 1], [tuples] lists of tuples of the groups being made */
} scratch;

struct checker {
    const problem *problem;
    tuples tuples;
    groups base; /* every tuple a group */
    pricing pricing;
    snapshots *snapshots;
    uint32_t words; /* of a key, for the node with the longest one */
    uint32_t hash_bits;
    bool lists; /* some model looks at sensitive values */
    bool monotone;
    scratch *scratch;
};

static void free_snapshots(void *object)
{
    snapshots_free(object);
}

static kith_status scratch_lists(scratch *s, const checker *c, arena *memory, kith_error *error)
{
    const problem *p = c->problem;
    uint32_t n = c->tuples.count;
    s->count = arena_array(memory, p->secrets, sizeof *s->count);
    s->first = arena_array(memory, p->secrets, sizeof *s->first);
    s->value = arena_array(memory, p->secrets, sizeof *s->value);
    s->times = arena_array(memory, p->secrets, sizeof *s->times);
    s->histogram = arena_array(memory, p->secrets, sizeof *s->histogram);
    TRY_ALLOC(s->count, error);
    TRY_ALLOC(s->first, error);
    TRY_ALLOC(s->value, error);
    TRY_ALLOC(s->times, error);
    TRY_ALLOC(s->histogram, error);
    for (uint32_t q = 0; q < p->secrets; q++) {
        uint32_t entries = c->tuples.first[q][n];
        s->count[q] = arena_zalloc(memory, p->secret[q].count, sizeof **s->count);
        s->first[q] = arena_array(memory, (size_t)n + 1, sizeof **s->first);
        s->value[q] = arena_array(memory, entries, sizeof **s->value);
        s->times[q] = arena_array(memory, entries, sizeof **s->times);
        TRY_ALLOC(s->count[q], error);
        TRY_ALLOC(s->first[q], error);
        TRY_ALLOC(s->value[q], error);
        TRY_ALLOC(s->times[q], error);
        s->histogram[q] = (histogram){.counts = s->count[q], .values = p->secret[q].count};
    }
    return KITH_OK;
}

static kith_status scratch_init(scratch *s, const checker *c, arena *memory, kith_error *error)
{
    uint32_t n = c->tuples.count;
    s->key = arena_array(memory, (size_t)n * c->words, sizeof *s->key);
    s->own = arena_array(memory, (size_t)n * c->words, sizeof *s->own);
    s->table = arena_array(memory, (size_t)1 << c->hash_bits, sizeof *s->table);
    s->target = arena_array(memory, n, sizeof *s->target);
    s->representative = arena_array(memory, n, sizeof *s->representative);
    s->size = arena_array(memory, n, sizeof *s->size);
    s->violates = arena_array(memory, n, sizeof *s->violates);
    s->start = arena_array(memory, (size_t)n + 2, sizeof *s->start);
    s->member = arena_array(memory, n, sizeof *s->member);
    s->offset = arena_array(memory, (size_t)n + 1, sizeof *s->offset);
    s->tuple = arena_array(memory, n, sizeof *s->tuple);
    s->gone = arena_array(memory, pricing_counts(&c->pricing), sizeof *s->gone);
    TRY_ALLOC(s->key, error);
    TRY_ALLOC(s->own, error);
    TRY_ALLOC(s->table, error);
    TRY_ALLOC(s->target, error);
    TRY_ALLOC(s->representative, error);
    TRY_ALLOC(s->size, error);
    TRY_ALLOC(s->violates, error);
    TRY_ALLOC(s->start, error);
    TRY_ALLOC(s->member, error);
    TRY_ALLOC(s->offset, error);
    TRY_ALLOC(s->tuple, error);
    TRY_ALLOC(s->gone, error);
    return c->problem->secrets == 0 ? KITH_OK : scratch_lists(s, c, memory, error);
}

/* Words of the longest key: that of the bottom node. A code never crosses a word. */
static uint32_t count_words(const tuples *t)
{
    uint32_t words = 1, used = 0;
    for (uint32_t j = 0; j < t->attributes; j++) {
        uint32_t bits = t->attribute[j].bits[0];
        if (used + bits > 64) {
            words++;
            used = 0;
        }
        used += bits;
    }
    return words;
}

/* With suppression, merging a violating class into a good one may spoil it: only conditions on the
 * size alone then stay monotone. */
static bool models_monotone(const problem *p)
{
    if (p->may_suppress == 0)
        return true;
    for (uint32_t m = 0; m < p->models; m++)
        if (p->model[m].id != MODEL_K_ANONYMITY)
            return false;
    return true;
}

kith_status checker_new(checker **result, const problem *p, unsigned workers, arena *memory,
                        kith_error *error)
{
    checker *c = arena_zalloc(memory, 1, sizeof *c);
    TRY_ALLOC(c, error);
    c->problem = p;
    TRY(tuples_build(&c->tuples, p, memory, error));
    TRY(pricing_init(&c->pricing, p, &c->tuples, memory, error));
    c->base = (groups){.count = c->tuples.count,
                       .size = c->tuples.weight,
                       .first = c->tuples.first,
                       .value = c->tuples.value,
                       .times = c->tuples.times};
    c->words = count_words(&c->tuples);
    c->hash_bits = 4;
    while (c->hash_bits < 32 && (uint64_t)1 << c->hash_bits < 2 * (uint64_t)c->tuples.count)
        c->hash_bits++;
    for (uint32_t m = 0; m < p->models; m++)
        c->lists = c->lists || p->model[m].id != MODEL_K_ANONYMITY;
    c->monotone = models_monotone(p);
    c->snapshots = snapshots_new(p->attributes, c->lists ? p->secrets : 0);
    TRY_ALLOC(c->snapshots, error);
    if (!arena_defer(memory, free_snapshots, c->snapshots))
        return error_nomem(error);
    c->scratch = arena_zalloc(memory, workers, sizeof *c->scratch);
    TRY_ALLOC(c->scratch, error);
    for (unsigned w = 0; w < workers; w++)
        TRY(scratch_init(&c->scratch[w], c, memory, error));
    *result = c;
    return KITH_OK;
}

/* One attribute's part of a key: its code, `shift` bits up in word `word`. */
typedef struct key_part {
    const uint32_t *code;
    uint32_t axis;
    uint32_t word;
    uint32_t shift;
} key_part;

/* The parts of keys at `levels`; attributes at the root have none. */
static uint32_t key_parts(const tuples *t, const uint8_t *levels, key_part *part)
{
    uint32_t parts = 0, word = 0, shift = 0;
    for (uint32_t j = 0; j < t->attributes; j++) {
        uint32_t bits = t->attribute[j].bits[levels[j]];
        if (bits == 0)
            continue;
        if (shift + bits > 64) {
            word++;
            shift = 0;
        }
        part[parts++] = (key_part){t->attribute[j].code[levels[j]], j, word, shift};
        shift += bits;
    }
    return parts;
}

static void make_keys(const checker *c, uint64_t *key, const groups *from, const uint8_t *levels)
{
    key_part part[LATTICE_MAX_ATTRIBUTES];
    uint32_t parts = key_parts(&c->tuples, levels, part);
    memset(key, 0, (size_t)from->count * c->words * sizeof *key);
    for (uint32_t g = 0; g < from->count; g++, key += c->words) {
        uint32_t tuple = from->representative == NULL ? g : from->representative[g];
        const uint32_t *leaf = c->tuples.leaf + (size_t)tuple * c->tuples.attributes;
        for (uint32_t i = 0; i < parts; i++)
            key[part[i].word] |= (uint64_t)part[i].code[leaf[part[i].axis]] << part[i].shift;
    }
}

static uint32_t hash_key(const uint64_t *key, uint32_t words)
{
    uint64_t hash = key[0] * 0x9e3779b97f4a7c15U;
    for (uint32_t w = 1; w < words; w++)
        hash = (hash ^ (hash >> 29) ^ key[w]) * 0x9e3779b97f4a7c15U;
    return (uint32_t)(hash >> 32);
}

static bool equal_keys(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        if (a[w] != b[w])
            return false;
    return true;
}

/* Place in the table of the group with this key, or where it would be. */
static uint32_t find_place(const scratch *s, const uint64_t *key, uint32_t words, uint32_t shift)
{
    uint32_t mask = (uint32_t)((1ULL << (32 - shift)) - 1);
    uint32_t place = hash_key(key, words) >> shift;
    while (s->table[place] != UINT32_MAX &&
           !equal_keys(s->own + (size_t)s->table[place] * words, key, words))
        place = (place + 1) & mask;
    return place;
}

/* Groups the groups of `from` by key; returns the number of groups made. Inlined for keys of one
 * word, the usual case. */
static inline uint32_t regroup_words(scratch *s, const groups *from, uint32_t words)
{
    uint32_t shift = 28, made = 0; /* a table of 2^(32 - shift) places */
    while (shift > 0 && (uint64_t)1 << (32 - shift) < 2 * (uint64_t)from->count)
        shift--;
    memset(s->table, 0xff, ((size_t)1 << (32 - shift)) * sizeof *s->table);
    for (uint32_t g = 0; g < from->count; g++) {
        const uint64_t *key = s->key + (size_t)g * words;
        uint32_t place = find_place(s, key, words, shift);
        if (s->table[place] == UINT32_MAX) {
            memcpy(s->own + (size_t)made * words, key, words * sizeof *key);
            s->representative[made] = from->representative == NULL ? g : from->representative[g];
            s->size[made] = 0;
            s->table[place] = made++;
        }
        uint32_t target = s->table[place];
        s->target[g] = target;
        s->size[target] += from->size[g];
    }
    return made;
}

static uint32_t regroup(const checker *c, scratch *s, const groups *from)
{
    return c->words == 1 ? regroup_words(s, from, 1) : regroup_words(s, from, c->words);
}

/* member[start[t]] … member[start[t + 1] - 1] become the groups read that went into t. */
static void sort_by_target(scratch *s, uint32_t read, uint32_t made)
{
    memset(s->start, 0, ((size_t)made + 2) * sizeof *s->start);
    for (uint32_t g = 0; g < read; g++)
        s->start[s->target[g] + 2]++;
    for (uint32_t t = 0; t < made; t++)
        s->start[t + 2] += s->start[t + 1];
    for (uint32_t g = 0; g < read; g++)
        s->member[s->start[s->target[g] + 1]++] = g;
}

/* Adds up the sensitive values of one group made, from the lists of the groups it is made of, and
 * writes its own list; counts stay in s->count for the models. */
static void merge_lists(const checker *c, scratch *s, const groups *from, uint32_t target)
{
    for (uint32_t q = 0; q < c->problem->secrets; q++) {
        uint32_t begin = s->first[q][target], used = begin;
        uint32_t *count = s->count[q];
        for (uint32_t i = s->start[target]; i < s->start[target + 1]; i++) {
            uint32_t g = s->member[i];
            for (uint32_t e = from->first[q][g]; e < from->first[q][g + 1]; e++) {
                uint32_t value = from->value[q][e];
                if (count[value] == 0)
                    s->value[q][used++] = value;
                count[value] += from->times[q][e];
            }
        }
        for (uint32_t e = begin; e < used; e++)
            s->times[q][e] = count[s->value[q][e]];
        s->first[q][target + 1] = used;
    }
}

static void clear_counts(const checker *c, scratch *s, uint32_t target)
{
    for (uint32_t q = 0; q < c->problem->secrets; q++)
        for (uint32_t e = s->first[q][target]; e < s->first[q][target + 1]; e++)
            s->count[q][s->value[q][e]] = 0;
}

static bool class_holds(const problem *p, const class_view *view)
{
    for (uint32_t m = 0; m < p->models; m++)
        if (!model_holds(&p->model[m], view))
            return false;
    return true;
}

/* Marks the groups that violate a model; returns how many records they have. */
static uint32_t mark_violating(const checker *c, scratch *s, const groups *from, uint32_t made)
{
    uint32_t suppressed = 0;
    if (c->lists) {
        for (uint32_t q = 0; q < c->problem->secrets; q++)
            s->first[q][0] = 0;
    }
    for (uint32_t t = 0; t < made; t++) {
        class_view view = {.size = s->size[t], .sensitive = s->histogram};
        if (c->lists)
            merge_lists(c, s, from, t);
        s->violates[t] = !class_holds(c->problem, &view);
        if (c->lists)
            clear_counts(c, s, t);
        if (s->violates[t])
            suppressed += s->size[t];
    }
    return suppressed;
}

/* Counts the suppressed cells by code, from the groups themselves. */
static void count_gone_by_node(const checker *c, scratch *s, uint32_t made, const uint8_t *levels)
{
    for (uint32_t j = 0; j < c->tuples.attributes; j++) {
        const tuple_attribute *a = &c->tuples.attribute[j];
        const uint32_t *code = a->code[levels[j]];
        uint32_t *gone = s->gone + c->pricing.offset[j];
        for (uint32_t t = 0; t < made; t++)
            if (s->violates[t])
                gone[code[tuples_leaf(&c->tuples, s->representative[t], j)]] += s->size[t];
    }
}

/* Calls for every tuple of a group read. */
#define FOR_TUPLES(u, from, g)                                                          \
    for (uint32_t i_ = (from)->offset == NULL ? (g) : (from)->offset[g],                \
                  end_ = (from)->offset == NULL ? (g) + 1 : (from)->offset[(g) + 1], u; \
         i_ < end_ && (u = (from)->offset == NULL ? i_ : (from)->tuple[i_], true); i_++)

/* Counts the suppressed cells by leaf, tuple by tuple. */
static void count_gone_by_leaf(const checker *c, scratch *s, const groups *from, uint32_t made)
{
    for (uint32_t t = 0; t < made; t++) {
        if (!s->violates[t])
            continue;
        for (uint32_t m = s->start[t]; m < s->start[t + 1]; m++)
            FOR_TUPLES(u, from, s->member[m])
        for (uint32_t j = 0; j < c->tuples.attributes; j++)
            s->gone[c->pricing.offset[j] + tuples_leaf(&c->tuples, u, j)] += c->tuples.weight[u];
    }
}

/* Lists the tuples of the groups made. */
static void list_tuples(scratch *s, const groups *from, uint32_t made)
{
    uint32_t used = 0;
    for (uint32_t t = 0; t < made; t++) {
        s->offset[t] = used;
        for (uint32_t m = s->start[t]; m < s->start[t + 1]; m++)
            FOR_TUPLES(u, from, s->member[m])
        s->tuple[used++] = u;
    }
    s->offset[made] = used;
}

static void price(const checker *c, scratch *s, node_value *value, const groups *from,
                  uint32_t made, const uint8_t *levels)
{
    double squares = 0;
    value->classes = 0;
    for (uint32_t t = 0; t < made; t++)
        if (!s->violates[t]) {
            squares += (double)s->size[t] * s->size[t];
            value->classes++;
        }
    if (value->suppressed > 0) {
        memset(s->gone, 0, pricing_counts(&c->pricing) * sizeof *s->gone);
        if (c->pricing.by_leaf)
            count_gone_by_leaf(c, s, from, made);
        else
            count_gone_by_node(c, s, made, levels);
    }
    value->loss =
        pricing_loss(&c->pricing, levels, value->suppressed, s->gone, squares, &value->kept);
}

/* Groups the tuples at `levels`, from `from`, and marks what violates; returns the groups made. */
static uint32_t check(const checker *c, scratch *s, const groups *from, const uint8_t *levels,
                      uint32_t *suppressed)
{
    make_keys(c, s->key, from, levels);
    uint32_t made = regroup(c, s, from);
    if (c->lists || c->pricing.by_leaf)
        sort_by_target(s, from->count, made);
    *suppressed = mark_violating(c, s, from, made);
    return made;
}

void checker_node(checker *c, unsigned worker, const uint8_t *levels, node_value *value)
{
    scratch *s = &c->scratch[worker];
    groups from = c->base;
    snapshots_find(c->snapshots, levels, &from);
    *value = (node_value){.loss = INFINITY};
    uint32_t made = check(c, s, &from, levels, &value->suppressed);
    value->satisfied = value->suppressed <= c->problem->may_suppress;
    if (value->satisfied)
        price(c, s, value, &from, made, levels);
    /* Each kept one has at most half of the groups it came from: a few generations serve all. */
    if (2 * (uint64_t)made <= from.count && from.count > 1024) {
        groups own = {.count = made,
                      .representative = s->representative,
                      .size = s->size,
                      .first = s->first,
                      .value = s->value,
                      .times = s->times};
        if (c->pricing.by_leaf) {
            list_tuples(s, &from, made);
            own.offset = s->offset;
            own.tuple = s->tuple;
        }
        snapshots_keep(c->snapshots, levels, &own);
    }
}

void checker_trim(checker *c)
{
    snapshots_trim(c->snapshots);
}

double checker_estimate(const checker *c, const uint8_t *levels)
{
    return pricing_estimate(&c->pricing, levels);
}

bool checker_bounded(const checker *c)
{
    return c->pricing.bounded;
}

bool checker_monotone(const checker *c)
{
    return c->monotone;
}

bool checker_kept_bounds(const checker *c)
{
    return c->monotone && c->pricing.rising;
}

const tuples *checker_tuples(const checker *c)
{
    return &c->tuples;
}

kith_status checker_partition(checker *c, const uint8_t *levels, partition *result, arena *memory,
                              kith_error *error)
{
    const problem *p = c->problem;
    scratch *s = &c->scratch[0];
    uint32_t suppressed;
    uint32_t made = check(c, s, &c->base, levels, &suppressed);
    /* Classes are numbered as their records appear; start[] has served and holds the numbers. */
    uint32_t *number = s->start;
    memset(number, 0xff, made * sizeof *number);
    result->classes = 0;
    result->class_of = arena_array(memory, p->records, sizeof *result->class_of);
    result->closure = arena_array(memory, (size_t)made * p->attributes, sizeof *result->closure);
    TRY_ALLOC(result->class_of, error);
    TRY_ALLOC(result->closure, error);
    for (uint32_t i = 0; i < p->records; i++) {
        uint32_t g = s->target[c->tuples.of[i]];
        if (s->violates[g]) {
            result->class_of[i] = PARTITION_SUPPRESSED;
            continue;
        }
        if (number[g] == UINT32_MAX) {
            number[g] = result->classes++;
            for (uint32_t j = 0; j < p->attributes; j++) {
                const tuple_attribute *a = &c->tuples.attribute[j];
                uint32_t leaf = tuples_leaf(&c->tuples, s->representative[g], j);
                result->closure[(size_t)number[g] * p->attributes + j] =
                    leaf == a->tree->leaves ? tree_root(a->tree)
                                            : tree_up(a->tree, leaf, levels[j]);
            }
        }
        result->class_of[i] = number[g];
    }
    return KITH_OK;
}
