/* The schema of a stream: a struct of columns. */
#include <stdlib.h>
#include <string.h>

#include "table/arrow_batch.h"

/* Frees the texts, children and dictionary that make_schema and the functions below have made. */
static void release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        struct ArrowSchema *child = schema->children[i];
        if (child != NULL && child->release != NULL) /* it may have been moved */
            child->release(child);
    }
    if (schema->dictionary != NULL && schema->dictionary->release != NULL)
        schema->dictionary->release(schema->dictionary);
    if (schema->n_children > 0)
        free(schema->children[0]);
    free(schema->children);
    free(schema->dictionary);
    free((void *)schema->format);
    free((void *)schema->name);
    schema->release = NULL;
}

/* Schemas may outlive everything else. */
static bool begin_schema(struct ArrowSchema *schema, const char *format, const char *name)
{
    *schema = (struct ArrowSchema){.format = strdup(format),
                                   .name = strdup(name),
                                   .flags = ARROW_FLAG_NULLABLE,
                                   .release = release_schema};
    if (schema->format != NULL && schema->name != NULL)
        return true;
    release_schema(schema);
    return false;
}

static bool make_column(struct ArrowSchema *schema, const arrow_form *form, const char *name)
{
    const char *values = arrow_form_values_format(form);
    if (!begin_schema(schema, arrow_form_format(form), name))
        return false;
    if (values == NULL)
        return true;
    schema->dictionary = calloc(1, sizeof *schema->dictionary);
    return schema->dictionary != NULL && begin_schema(schema->dictionary, values, "");
}

static bool make_columns(struct ArrowSchema *schema, const arrow_shared *shared)
{
    const kith_table *table = shared->table;
    const size_t width = table->n_columns;
    if (width == 0)
        return true;
    struct ArrowSchema *all = calloc(width, sizeof *all);
    schema->children = calloc(width, sizeof *schema->children);
    if (all == NULL || schema->children == NULL) {
        free(all);
        return false;
    }
    for (size_t i = 0; i < width; i++)
        schema->children[i] = &all[i];
    schema->n_children = (int64_t)width;
    for (size_t i = 0; i < width; i++)
        if (!make_column(&all[i], &shared->forms[i], table->columns[i].name))
            return false;
    return true;
}

bool arrow_schema_make(struct ArrowSchema *out, arrow_shared *shared)
{
    if (!begin_schema(out, "+s", ""))
        return false;
    out->flags = 0;
    if (make_columns(out, shared))
        return true;
    release_schema(out);
    return false;
}
