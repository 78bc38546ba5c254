/* Hierarchies and the values of data: every value needs a leaf. */
#include "core/error.h"
#include "core/findings.h"
#include "core/text.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/locate.h"
#include "hierarchy/tally.h"

#include <string.h>

/* What the strangers of one column are reported with. */
typedef struct subject {
    const kith_hierarchy *hierarchy;
    const dictionary *values;
    const char *column;
    tally tally;
} subject;

static void report_stranger(subject *s, uint32_t code, size_t line, size_t cell)
{
    char value[80];
    text_quote(value, sizeof value, dictionary_text(s->values, code),
               dictionary_length(s->values, code));
    tally_add(&s->tally, line, cell, "'%s' is not in %s%s (column %s)", value,
              s->hierarchy->file == NULL ? "the hierarchy" : "the hierarchy ",
              s->hierarchy->file == NULL ? "" : s->hierarchy->file, s->column);
}

static kith_status bind_values(subject *s, uint32_t *leaf_of, arena *scratch, kith_error *error)
{
    uint32_t strangers;
    TRY(locate(s->hierarchy, s->values, leaf_of, &strangers, scratch, error));
    for (uint32_t code = 0; code < s->values->count && strangers > 0; code++)
        if (leaf_of[code] == UINT32_MAX)
            report_stranger(s, code, 0, 0);
    return KITH_OK;
}

kith_status hierarchy_bind(const kith_hierarchy *hierarchy, const dictionary *values,
                           uint32_t *leaf_of, const char *source, const char *name,
                           kith_findings *findings, kith_error *error)
{
    arena *scratch = arena_new();
    kith_findings *own = findings == NULL ? kith_findings_new() : NULL;
    kith_status status = KITH_NOMEM;
    if (scratch != NULL && (findings != NULL || own != NULL)) {
        kith_findings *list = findings != NULL ? findings : own;
        size_t before = kith_findings_problems(list);
        subject s = {hierarchy, values, name, {list, source, KITH_PROBLEM, 0}};
        status = bind_values(&s, leaf_of, scratch, error);
        tally_end(&s.tally, "values that are not in the hierarchy");
        if (status == KITH_OK)
            status = findings_status(list, before, KITH_DATA, error);
    } else {
        error_nomem(error);
    }
    kith_findings_free(own);
    arena_free(scratch);
    return status;
}
