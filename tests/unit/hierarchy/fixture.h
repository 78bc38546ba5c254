/* What a test of hierarchies works with, made anew for each. */
#ifndef TEST_HIERARCHY_FIXTURE_H
#define TEST_HIERARCHY_FIXTURE_H

#include "unit/hierarchy/support.h"

typedef struct fixture {
    arena *memory;
    kith_findings *findings;
    kith_hierarchy *h;
    kith_error error;
} fixture;

static inline int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    f->memory = arena_new();
    f->findings = kith_findings_new();
    *state = f;
    return 0;
}

static inline int teardown(void **state)
{
    fixture *f = *state;
    kith_findings_free(f->findings);
    arena_free(f->memory);
    free(f);
    return 0;
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
