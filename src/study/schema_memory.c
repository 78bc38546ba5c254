/* The key `memory`: how much of it a run may take. */
#include <string.h>

#include "core/text.h"
#include "study/memory_size.h"
#include "study/schema.h"

void schema_memory(study_draft *d, const yaml_node_t *node)
{
    const char *text;
    if (node != NULL && d->study->joint.partition != PARTITION_NONE)
        yaml_walk_problem(d->walk, node,
                          "memory is for runs in one place: every party of a joint run has its "
                          "table in memory");
    if (node == NULL || !yaml_walk_text(d->walk, node, "memory", &text) ||
        memory_size_parse(text, &d->study->memory_bytes))
        return;
    char quoted[80];
    text_quote(quoted, sizeof quoted, text, strlen(text));
    yaml_walk_problem(d->walk, node, MEMORY_SIZE_EXPECTED, quoted);
}
