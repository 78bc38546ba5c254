#include "modules/encrypted_view/view_estimate.h"

#include <math.h>

#include "core/check.h"
#include "core/error.h"
#include "study/holders.h"

const char *view_estimate_phase(int phase)
{
    static const char *const names[VIEW_PHASES] = {[PHASE_ENCRYPTION] = "encryption",
                                                   [PHASE_INTEGRATION] = "integration",
                                                   [PHASE_DECRYPTION] = "decryption",
                                                   [PHASE_DECODING] = "decoding"};
    ASSERT(phase >= 0 && phase < VIEW_PHASES);
    return names[phase];
}

/* Adds an entry with `count` records to those that 1, 2, … of the sites hold on average, if records
 * are distributed evenly. */
static void add_entry(double *held, uint32_t n_sites, double count)
{
    for (uint32_t i = 1; i <= n_sites; i++)
        held[i] += i == n_sites ? 1 : 1 - pow(1 - (double)i / n_sites, count);
}

/* The sites that hold a column. */
static uint32_t sites_of(const view_cost_task *task)
{
    return task->n_holders / (task->n_column_parts == 0 ? 1 : task->n_column_parts);
}

/* Counts the values that occur in a column, and the nodes on their paths to the root, which are the
 * entries that the sites encrypt; the first holder of a public hierarchy has all of its nodes. */
static kith_status count_nodes(view_cost_column *to, const view_cost_task *task, const prepared *p,
                               const prepared_column *from, arena *memory, kith_error *error)
{
    const tree *t = &from->hierarchy->tree;
    const uint32_t number = (uint32_t)(from->study - p->study->columns);
    const uint32_t *levels = p->study->joint.pregeneralize, base = levels ? levels[number] : 0;
    const uint32_t *cells = p->problem.attributes[from->attribute].cells;
    const uint32_t n_sites = sites_of(task);
    const double times = p->n_rows > 0 ? (double)task->n_rows / p->n_rows : 0;
    uint32_t *below = TRY_ZEROS(below, memory, t->n_nodes, error);
    double *held = TRY_ZEROS(held, memory, n_sites + (size_t)1, error);
    for (uint32_t i = 0; i < p->n_rows; i++) {
        uint32_t node = cells[i] < t->n_leaves ? tree_up(t, cells[i], base) : cells[i];
        to->n_values += below[node] == 0;
        for (; node != tree_root(t); node = t->parent[node])
            below[node]++;
        below[node]++;
    }
    for (uint32_t node = 0; node < t->n_nodes; node++) {
        to->n_entries += below[node] > 0;
        to->n_first += t->level[node] >= base;
        if (below[node] > 0)
            add_entry(held, n_sites, below[node] * times);
    }
    to->n_held = held;
    if (holders_is_public(from->study))
        to->n_entries = to->n_first;
    else
        to->n_first = 0;
    to->hierarchy = true;
    return KITH_OK;
}

/* The same for a column whose values are encrypted as they are. */
static kith_status count_values(view_cost_column *to, const view_cost_task *task, const prepared *p,
                                const prepared_column *from, arena *memory, kith_error *error)
{
    const column *cells = &p->table->columns[from->source];
    const uint32_t n_sites = sites_of(task);
    const double times = p->n_rows > 0 ? (double)task->n_rows / p->n_rows : 0;
    const uint32_t n_values = cells->values.count; /* and a missing cell */
    uint32_t *count = TRY_ZEROS(count, memory, n_values + (size_t)1, error);
    double *held = TRY_ZEROS(held, memory, n_sites + (size_t)1, error);
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const uint32_t code = cells->codes[p->rows == NULL ? i : p->rows[i]];
        count[code == TABLE_MISSING ? n_values : code]++;
    }
    for (uint32_t i = 0; i <= n_values; i++) {
        to->n_values += count[i] > 0;
        if (count[i] > 0)
            add_entry(held, n_sites, count[i] * times);
    }
    to->n_entries = to->n_values;
    to->n_held = held;
    return KITH_OK;
}

/* The column that says whose each row is. A larger table has more persons with as many rows each;
 * all rows of a person are at one site unless the sites match persons. */
static kith_status view_estimate_count_persons(view_cost_column *to, const view_cost_task *task,
                                               const prepared *p, arena *memory, kith_error *error)
{
    const uint32_t n_sites = sites_of(task), n = problem_size(&p->problem);
    const double times = p->n_rows > 0 ? (double)task->n_rows / p->n_rows : 0;
    const bool matched = p->study->joint.overlap == OVERLAP_MATCHED;
    double *held = TRY_ZEROS(held, memory, n_sites + (size_t)1, error);
    uint32_t *count = TRY_ZEROS(count, memory, n, error);
    for (uint32_t i = 0; i < p->n_rows; i++)
        count[p->problem.unit == NULL ? i : p->problem.unit[i]]++;
    for (uint32_t i = 0; i < n && matched; i++)
        add_entry(held, n_sites, count[i]);
    for (uint32_t s = 1; s <= n_sites; s++)
        held[s] = times * (matched ? held[s] : (double)n * s / n_sites);
    *to = (view_cost_column){.n_held = held};
    to->n_values = to->n_entries = (uint64_t)llround(held[n_sites]);
    return KITH_OK;
}

kith_status view_estimate_columns(view_cost_task *task, const prepared *p, context *c,
                                  kith_error *error)
{
    view_cost_column *columns = TRY_ZEROS(columns, c->memory, p->n_columns + (size_t)1, error);
    task->n_columns = 0;
    task->columns = columns;
    for (uint32_t i = 0; i < p->n_columns; i++) {
        const prepared_column *from = &p->columns[i];
        view_cost_column *to = &columns[task->n_columns];
        if (from->study->role == ROLE_INSENSITIVE && !p->study->joint.publish_insensitive)
            continue;
        task->n_columns++;
        TRY((from->attribute == PREPARE_NONE ? count_values : count_nodes)(to, task, p, from,
                                                                           c->memory, error));
    }
    task->has_persons = p->study->n_unit > 0;
    return task->has_persons
               ? view_estimate_count_persons(&columns[task->n_columns++], task, p, c->memory, error)
               : KITH_OK;
}

void view_estimate_released(view_cost_task *task, const prepared *p, const kith_table *release)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < p->n_columns; i++) {
        const prepared_column *from = &p->columns[i];
        if (from->study->role == ROLE_INSENSITIVE && !p->study->joint.publish_insensitive)
            continue;
        const uint32_t place = table_find(release, from->study->name);
        if (place != UINT32_MAX)
            task->columns[at].released = release->columns[place].values.count;
        at++;
    }
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
    view_estimate_put_cost(d, document_object(d, parent, "paper"), &cost->paper);
}
