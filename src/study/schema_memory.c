/* The key `memory`: how much of it a run may take. */
#include <string.h>

#include "core/text.h"
#include "study/schema.h"

enum { MIN_BYTES = 1000000 };

/* A number with a unit, as in 500MB or 1.5GB. */
static bool parse_size(const char *text, double *bytes)
{
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}};
    const size_t digits = strspn(text, "0123456789.");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(text + digits, units[i].name) == 0 && text_decimal(text, digits, bytes)) {
            *bytes *= units[i].bytes;
            return true;
        }
    return false;
}

void schema_memory(study_draft *d, const yaml_node_t *node)
{
    const char *text;
    double bytes;
    if (node == NULL || !yaml_walk_text(d->walk, node, "memory", &text))
        return;
    char quoted[80];
    text_quote(quoted, sizeof quoted, text, strlen(text));
    if (parse_size(text, &bytes) && bytes >= MIN_BYTES && bytes <= 1e17)
        d->study->memory_bytes = (uint64_t)bytes;
    else
        yaml_walk_problem(d->walk, node,
                          "memory: expected a size such as 500MB or 2GB, at least 1MB, found '%s'",
                          quoted);
}
