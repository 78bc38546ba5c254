/* kith_hierarchy_build: makes a hierarchy from a builder in YAML and the values of a column. */
#include "core/error.h"
#include "core/findings.h"
#include "study/schema/schema.h"

#include <string.h>

/* Reports all errors of the builder as findings before it makes anything. */
static kith_status hierarchy_build_build(kith_hierarchy **hierarchy, arena *memory,
                                         const char *builder, const column *c,
                                         kith_findings *findings, kith_error *error)
{
    yaml_walk *walk;
    const yaml_node_t *root;
    size_t before = kith_findings_n_problems(findings);
    hierarchy_spec spec = {.mask_character = '*'};
    domain_spec domain = {.kind = DOMAIN_HIERARCHY};
    TRY(yaml_walk_parse(&walk, &root, memory, "<builder>", builder, strlen(builder), findings,
                        error));
    if (root != NULL && schema_hierarchy(&spec, walk, root, "."))
        hierarchy_spec_check(&spec, c->values.type, &domain, NULL, findings, "<builder>", 1);
    if (walk->nomem)
        return error_nomem(error);
    TRY(findings_status(findings, before, KITH_INVALID, error));
    return hierarchy_make(hierarchy, memory, &spec, &domain, &c->values, false, findings, error);
}

kith_status kith_hierarchy_build(kith_hierarchy **hierarchy, const char *builder,
                                 const kith_table *table, size_t index, kith_findings *findings,
                                 kith_error *error)
{
    *hierarchy = NULL;
    if (index >= table->n_columns)
        return error_set(error, KITH_INVALID, "there is no column %zu", index);
    /* Errors are collected as findings even if the caller does not want to see them. */
    kith_findings *own FINDINGS_SCOPED = NULL;
    kith_findings *list = TRY_ALLOC(findings_or_own(findings, &own), error);
    arena *memory = TRY_ALLOC(arena_new(), error);
    const kith_status status =
        hierarchy_build_build(hierarchy, memory, builder, &table->columns[index], list, error);
    if (status == KITH_OK) {
        (*hierarchy)->memory = memory;
        return KITH_OK;
    }
    *hierarchy = NULL;
    arena_free(memory);
    return status;
}
