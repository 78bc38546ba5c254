#include "job/simulate/view_estimate.h"

#include "core/check.h"
#include "core/error.h"
#include "job/joint/view_columns.h"

const char *view_estimate_phase(int phase)
{
    static const char *const names[VIEW_PHASES] = {[PHASE_ENCRYPTION] = "encryption",
                                                   [PHASE_INTEGRATION] = "integration",
                                                   [PHASE_DECRYPTION] = "decryption",
                                                   [PHASE_DECODING] = "decoding"};
    ASSERT(phase >= 0 && phase < VIEW_PHASES);
    return names[phase];
}

/* Counts the values that occur in a column, and the nodes on their paths to the root, which are the
 * entries that the sites encrypt. */
static kith_status count_nodes(view_cost_column *to, const prepared *p, const prepared_column *from,
                               arena *memory, kith_error *error)
{
    const tree *t = &from->hierarchy->tree;
    const uint32_t *cells = p->problem.attributes[from->attribute].cells;
    uint8_t *seen = TRY_ALLOC(arena_zalloc(memory, t->n_nodes, sizeof *seen), error);
    for (uint32_t i = 0; i < p->n_rows; i++) {
        uint32_t node = cells[i];
        to->n_values += !seen[node];
        for (; !seen[node]; node = t->parent[node]) {
            seen[node] = 1;
            to->n_entries++;
            if (node == tree_root(t))
                break;
        }
    }
    to->hierarchy = true;
    return KITH_OK;
}

kith_status view_estimate_columns(view_cost_task *task, const prepared *p, context *c,
                                  kith_error *error)
{
    view_cost_column *columns =
        TRY_ALLOC(arena_zalloc(c->memory, p->n_columns, sizeof *columns), error);
    task->n_columns = 0;
    task->columns = columns;
    for (uint32_t i = 0; i < p->n_columns; i++) {
        const prepared_column *from = &p->columns[i];
        view_cost_column *to = &columns[task->n_columns];
        if (from->study->role == ROLE_INSENSITIVE && !p->study->joint.publish_insensitive)
            continue;
        task->n_columns++;
        to->n_values = to->n_entries = p->table->columns[from->source].values.count;
        if (from->attribute == PREPARE_NONE) /* without a hierarchy only the values are encrypted */
            continue;
        to->n_values = to->n_entries = 0;
        TRY(count_nodes(to, p, from, c->memory, error));
    }
    return KITH_OK;
}

void view_estimate_put_cost(kith_document *d, document_node *to, const view_cost_phase *cost)
{
    document_put_count(d, to, "operations", cost->n_operations);
    document_put_count(d, to, "messages", cost->n_messages);
    document_put_count(d, to, "bytes", cost->bytes);
    document_put_number(d, to, "seconds", cost->seconds);
}

void view_estimate_put(kith_document *d, document_node *parent, const view_cost *cost)
{
    document_node *list = document_array(d, parent, "phases");
    for (int i = 0; i <= VIEW_PHASES; i++) {
        const bool all = i == VIEW_PHASES;
        document_node *one = document_object(d, list, NULL);
        document_put_text(d, one, "phase", all ? "all" : view_estimate_phase(i));
        view_estimate_put_cost(d, one, all ? &cost->all : &cost->phase[i]);
    }
    document_node *paper = document_object(d, parent, "paper");
    document_put_count(d, paper, "operations", cost->paper.n_operations);
    document_put_count(d, paper, "messages", cost->paper.n_messages);
    document_put_count(d, paper, "bytes", cost->paper.bytes);
    document_put_number(d, paper, "seconds", cost->paper.seconds);
}
