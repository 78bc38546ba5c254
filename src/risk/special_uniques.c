#include "risk/special_uniques.h"

#include <string.h>

#include "core/check.h"
#include "core/error.h"

enum { MAX_SIZE = SPECIAL_UNIQUES_MAX_SIZE };

static const uint64_t max_sets = 1000000;
static const uint64_t max_bits = (uint64_t)1 << 33; /* a gigabyte */

/* Sets of `size` columns in lexicographic order, and for each the rows that are unique by it, a bit
 * for each row. Two sizes are needed at a time. */
typedef struct level {
    uint64_t n_sets;
    uint64_t *bits; /* [n_sets * words] */
} level;

typedef struct finder {
    const column *const *columns;
    uint32_t n_columns, n_rows;
    uint64_t words;
    row_groups prefix[MAX_SIZE + 1]; /* rows grouped by the first columns of the present set */
    row_groups_scratch *scratch;
    uint32_t *sizes; /* [n_rows] of groups */
    special_uniques *found;
} finder;

static uint64_t choose(uint64_t n, uint64_t k)
{
    uint64_t result = 1;
    if (k > n)
        return 0;
    for (uint64_t i = 1; i <= k; i++)
        result = result * (n - k + i) / i;
    return result;
}

/* Place of a set among all of its size. */
static uint64_t special_uniques_place_of(const uint32_t *set, uint32_t size, uint32_t n_columns)
{
    uint64_t place = 0;
    uint32_t next = 0;
    for (uint32_t i = 0; i < size; i++)
        for (; next <= set[i]; next++)
            if (next < set[i])
                place += choose(n_columns - next - 1, size - i - 1);
    return place;
}

/* The next set in the order; false at the end. *changed is the first place that differs. */
static bool next_set(uint32_t *set, uint32_t size, uint32_t n_columns, uint32_t *changed)
{
    uint32_t i = size;
    while (i > 0 && set[i - 1] == n_columns - size + i - 1)
        i--;
    if (i == 0)
        return false;
    set[i - 1]++;
    for (uint32_t j = i; j < size; j++)
        set[j] = set[j - 1] + 1;
    *changed = i - 1;
    return true;
}

/* Rows that are unique by the set, but by none of its subsets that lack one column. */
static void add_minimal(finder *f, const uint32_t *set, uint32_t size, const uint64_t *bits,
                        const level *below)
{
    const uint64_t *smaller[MAX_SIZE] = {NULL};
    special_uniques *s = f->found;
    double weight = 1;
    for (uint32_t i = size; i <= s->max_size && i < f->n_columns; i++)
        weight *= f->n_columns - i;
    for (uint32_t skip = 0; skip < size && size > 1; skip++) {
        uint32_t subset[MAX_SIZE], n = 0;
        for (uint32_t i = 0; i < size; i++)
            if (i != skip)
                subset[n++] = set[i];
        smaller[skip] = below->bits + special_uniques_place_of(subset, n, f->n_columns) * f->words;
    }
    for (uint64_t word = 0; word < f->words; word++) {
        uint64_t rows = bits[word];
        for (uint32_t skip = 0; skip < size && size > 1; skip++)
            rows &= ~smaller[skip][word];
        for (; rows != 0; rows &= rows - 1) {
            const uint64_t row = word * 64 + (uint64_t)__builtin_ctzll(rows);
            s->n_sets[size]++;
            s->n_records += s->sets_of[row] == 0;
            s->sets_of[row]++;
            s->scores[row] += weight;
            for (uint32_t i = 0; i < size; i++)
                s->column_scores[set[i]] += weight;
        }
    }
}

static kith_status search_all(finder *f, uint32_t max_size, arena *memory, kith_error *error)
{
    level below = {0};
    TRY(row_groups_scratch_new(&f->scratch, memory, f->n_rows, error));
    TRY(row_groups_all(&f->prefix[0], memory, f->n_rows, error));
    f->sizes = TRY_ARRAY(f->sizes, memory, f->n_rows, error);
    for (uint32_t i = 1; i <= max_size; i++) {
        f->prefix[i].n_rows = f->n_rows;
        f->prefix[i].of = TRY_ALLOC(arena_array(memory, f->n_rows, sizeof(uint32_t)), error);
    }
    for (uint32_t size = 1; size <= max_size; size++) {
        const bool keep = size < max_size;
        level here = {keep ? choose(f->n_columns, size) : 1, NULL};
        here.bits = TRY_ALLOC(arena_array(memory, here.n_sets * f->words, sizeof(uint64_t)), error);
        /* All sets of one size. The last size's bits are not needed any more, and take one row of
         * them. */
        uint32_t set[MAX_SIZE], changed = 0;
        uint64_t at = 0;
        for (uint32_t i = 0; i < size; i++)
            set[i] = i;
        do {
            for (uint32_t i = changed; i < size; i++)
                row_groups_refine(&f->prefix[i + 1], &f->prefix[i], f->columns[set[i]], f->scratch);
            uint64_t *bits = here.bits + (keep ? at++ * f->words : 0);
            /* Sets the bits of the rows that are alone in their group. */
            memset(f->sizes, 0, f->prefix[size].count * sizeof *f->sizes);
            memset(bits, 0, f->words * sizeof *bits);
            for (uint32_t row = 0; row < f->n_rows; row++)
                f->sizes[f->prefix[size].of[row]]++;
            for (uint32_t row = 0; row < f->n_rows; row++)
                if (f->sizes[f->prefix[size].of[row]] == 1)
                    bits[row / 64] |= (uint64_t)1 << (row % 64);
            add_minimal(f, set, size, bits, &below);
        } while (next_set(set, size, f->n_columns, &changed));
        if (below.bits != NULL)
            arena_release(memory, below.bits, below.n_sets * f->words * sizeof(uint64_t));
        below = here;
    }
    return KITH_OK;
}

kith_status special_uniques_find(special_uniques *s, const column *const *columns,
                                 uint32_t n_columns, uint32_t n_rows, uint32_t max_size,
                                 arena *memory, kith_error *error)
{
    ASSERT(max_size >= 1 && max_size <= MAX_SIZE);
    max_size = max_size < n_columns ? max_size : n_columns;
    finder f = {columns, n_columns, n_rows, (n_rows + (uint64_t)63) / 64, .found = s};
    uint64_t n_sets = 0;
    for (uint32_t size = 1; size <= max_size; size++) {
        n_sets += choose(n_columns, size);
        if (n_sets > max_sets || (size < max_size && n_sets * f.words * 64 > max_bits)) {
            error_set(error, KITH_INVALID,
                      "too many sets of up to %u of %u columns to look for special uniques",
                      max_size, n_columns);
            return error_hint(error, KITH_INVALID, "take a smaller size");
        }
    }
    *s = (special_uniques){.max_size = max_size};
    s->scores = TRY_ZEROS(s->scores, memory, n_rows, error);
    s->sets_of = TRY_ZEROS(s->sets_of, memory, n_rows, error);
    s->column_scores = TRY_ALLOC(arena_zalloc(memory, n_columns, sizeof(double)), error);
    if (n_rows == 0 || n_columns == 0)
        return KITH_OK;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    return search_all(&f, max_size, scratch, error);
}
