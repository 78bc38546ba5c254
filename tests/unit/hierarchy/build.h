/* Building a hierarchy from a specification in a test. */
#ifndef TEST_HIERARCHY_BUILD_H
#define TEST_HIERARCHY_BUILD_H

#include "hierarchy/builders.h"
#include "unit/hierarchy/fixture.h"

static inline kith_status make(fixture *f, const hierarchy_spec *spec, const domain_spec *domain,
                               const dictionary *values, bool with_missing)
{
    kith_status status = hierarchy_make(&f->h, f->memory, spec, domain, values, with_missing,
                                        f->findings, &f->error);
    if (status == KITH_OK)
        check_tree(&f->h->tree);
    return status;
}

static inline void built(fixture *f, const hierarchy_spec *spec, const dictionary *values)
{
    kith_status status = make(f, spec, NULL, values, false);
    if (status != KITH_OK)
        print_error("%s\n", f->error.message);
    assert_int_equal(status, KITH_OK);
    assert_int_equal(f->h->tree.n_leaves, values->count);
}

static inline void refused(fixture *f, const hierarchy_spec *spec, const dictionary *values,
                           const char *message)
{
    assert_int_not_equal(make(f, spec, NULL, values, false), KITH_OK);
    assert_string_equal(f->error.message, message);
}

#define PATH(leaf, path) assert_string_equal(path_of(f->h, leaf), path)

#endif
