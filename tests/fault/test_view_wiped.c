/* After a run of the encrypted view nothing of the master's table is left in memory: whatever is
 * freed after the search has begun is searched for the table first. */
/* wrap: search_run free */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <kith/kith.h>
#include <kith/tools.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "search/search.h"

enum { ROWS = 200, PIECE = 24, PIECES = 16 };

/* Cells of the table in their order, as they lie in memory. */
static uint32_t pieces[PIECES][PIECE];
static unsigned n_pieces, found;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

kith_status __real_search_run(search_result *result, const algorithm *a, const problem *p,
                              const search_spec *spec, context *c, kith_error *error);
kith_status __wrap_search_run(search_result *result, const algorithm *a, const problem *p,
                              const search_spec *spec, context *c, kith_error *error);
void __real_free(void *block);
void __wrap_free(void *block);

static void remember(const uint32_t *cells)
{
    pthread_mutex_lock(&lock);
    if (n_pieces < PIECES)
        memcpy(pieces[n_pieces++], cells, sizeof *pieces);
    pthread_mutex_unlock(&lock);
}

/* Only the master searches. */
kith_status __wrap_search_run(search_result *result, const algorithm *a, const problem *p,
                              const search_spec *spec, context *c, kith_error *error)
{
    assert_int_equal(p->n_records, ROWS);
    for (uint32_t j = 0; j < p->n_attributes; j++)
        remember(p->attributes[j].cells + ROWS / 2);
    for (uint32_t j = 0; j < p->n_sensitive; j++)
        remember(p->sensitive[j].values + ROWS / 2);
    return __real_search_run(result, a, p, spec, c, error);
}

void __wrap_free(void *block)
{
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; block != NULL && i < n_pieces; i++)
        found += memmem(block, malloc_usable_size(block), pieces[i], sizeof *pieces) != NULL;
    pthread_mutex_unlock(&lock);
    __real_free(block);
}

static void write_data(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("zip,age,disease\n", file);
    for (unsigned i = 0; i < ROWS; i++) /* pieces of all columns are unlike each other */
        fprintf(file, "%u,%u,d%u\n", 10 + i * i % 37, 20 + i * 7 % 41, i * i * i % 13);
    fclose(file);
}

static void run(const char *name_of_algorithm)
{
    char directory[] = "/tmp/kith-wiped-XXXXXX", in[64], out[64], text[1024], command[128];
    kith_study *study = NULL;
    kith_error error = {0};
    assert_non_null(mkdtemp(directory));
    snprintf(in, sizeof in, "%s/d.csv", directory);
    snprintf(out, sizeof out, "%s/out", directory);
    write_data(in);
    snprintf(text, sizeof text,
             "study: wiped\ncolumns:\n"
             "  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}\n"
             "  - {name: age, role: quasi-identifying}\n"
             "  - {name: disease, role: sensitive}\n"
             "privacy:\n  - {model: k-anonymity, k: 3}\n"
             "  - {model: l-diversity, variant: distinct, l: 2, attribute: disease}\n"
             "partition: horizontal\nprotocol: encrypted-view\nalgorithm: %s\n",
             name_of_algorithm);
    assert_int_equal(kith_study_parse(&study, text, strlen(text), ".", NULL, &error), KITH_OK);
    kith_simulate_options options = KITH_OPTIONS(kith_simulate_options, .input = KITH_INPUT_URI(in),
                                                 .directory = out, .n_sites = 2);
    n_pieces = found = 0;
    assert_int_equal(kith_simulate(NULL, study, &options, NULL, &error), KITH_OK);
    assert_int_equal(n_pieces, 3);
    assert_int_equal(found, 0);
    kith_study_free(study);
    snprintf(command, sizeof command, "rm -r %s", directory);
    assert_int_equal(system(command), 0);
}

static void nothing_of_the_table_is_left(void **state)
{
    static const char *const algorithms[] = {"weave", "sequential", "agglomerative", "datafly",
                                             "flash", "ola",        "incognito",     "top-down"};
    (void)state;
    for (unsigned i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
        run(algorithms[i]);
}

/* Puts the piece into blocks of an arena that are resized, released, or left to its end. */
static unsigned left_by(arena *memory)
{
    enum { LARGE = 100000 };
    uint32_t piece[PIECE];
    for (uint32_t i = 0; i < PIECE; i++)
        piece[i] = i * i + 77;
    n_pieces = found = 0;
    remember(piece);
    for (unsigned i = 0; i < 3; i++) {
        static const size_t sizes[] = {200, LARGE, LARGE};
        char *block = arena_alloc(memory, sizes[i]);
        assert_non_null(block);
        memcpy(block + 50, piece, sizeof piece);
        if (i < 2)
            block = arena_resize(memory, block, sizes[i], 3 * LARGE);
        if (i == 1)
            arena_release(memory, block, 3 * LARGE);
    }
    arena_free(memory);
    n_pieces = 0;
    return found;
}

static void only_arenas_that_wipe_leave_nothing(void **state)
{
    (void)state;
    arena *wiping = arena_new_wiping();
    arena *alike = arena_new_like(wiping);
    assert_true(left_by(arena_new()) > 0); /* the search for pieces works */
    assert_int_equal(left_by(alike), 0);
    assert_int_equal(left_by(wiping), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_arenas_that_wipe_leave_nothing),
        cmocka_unit_test(nothing_of_the_table_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
