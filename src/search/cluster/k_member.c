/* k-member clustering (Byun et al., as SEQ 6.2.1 describes it): a record becomes the centre of a
 * class and the k - 1 cheapest records join it; then the record farthest from that centre is the
 * next centre, until fewer than k are left, which go to the classes where they cost least. Where
 * records belong to units, records join until the class has k units, and the end comes when fewer
 * than k units are left.
 *
 * "Cheapest" is measured against the class as it has grown so far, as Byun et al. do: one scan of
 * the remaining records for every record, records^2 / 2 distances in all. (SEQ sums it up as the
 * distance to the centre alone; its runtime, independent of k, is that of the growing class, and so
 * are its losses.) */
#include "search/algorithms.h"

#include "core/error.h"
#include "core/rng.h"
#include "search/cluster/scan.h"
#include "search/unit_marks.h"

typedef struct k_member_state {
    const problem *problem;
    context *context;
    scan records;        /* those in no class yet, and free positions */
    uint32_t *record;    /* [positions] which record stands there */
    uint32_t left;       /* records in no class */
    uint32_t units_left; /* units of these */
    uint32_t *left_of;   /* [n_units] and how many each has; NULL: each record is a unit */
    unit_marks marks;
    uint32_t *moved; /* scratch of compactions */
    uint32_t *class_of;
    uint32_t n_classes;
    scan_query query;
    uint32_t *node; /* closure of the growing class */
    double *count;
} k_member_state;

static kith_status k_member_allocate(k_member_state *g, const problem *p, context *c,
                                     kith_error *error)
{
    *g = (k_member_state){.problem = p, .context = c, .left = p->n_records};
    TRY(unit_marks_init(&g->marks, p, c->memory, error));
    if (p->unit != NULL)
        g->left_of = TRY_ZEROS(g->left_of, c->memory, p->n_units, error);
    for (uint32_t i = 0; i < p->n_records; i++)
        g->units_left += p->unit == NULL || g->left_of[p->unit[i]]++ == 0;
    TRY(scan_init(&g->records, p, p->n_records, c->memory, error));
    TRY(scan_query_init(&g->query, &g->records, c->memory, error));
    g->record = TRY_ARRAY(g->record, c->memory, p->n_records, error);
    g->moved = TRY_ARRAY(g->moved, c->memory, p->n_records, error);
    g->class_of = TRY_ARRAY(g->class_of, c->memory, p->n_records, error);
    g->node = TRY_ARRAY(g->node, c->memory, p->n_attributes, error);
    g->count = TRY_ARRAY(g->count, c->memory, g->records.n_values, error);
    for (uint32_t i = 0; i < p->n_records; i++) {
        scan_put_record(&g->records, i, i);
        g->record[i] = i;
    }
    return KITH_OK;
}

/* The record at a position joins the class that is being formed. Returns whether it brings a unit
 * that the class lacks. */
static bool take_record(k_member_state *g, uint32_t position)
{
    const uint32_t record = g->record[position];
    g->class_of[record] = g->n_classes;
    scan_remove(&g->records, position);
    g->left--;
    if (g->left_of == NULL || --g->left_of[g->problem->unit[record]] == 0)
        g->units_left--;
    return unit_marks_add(&g->marks, record);
}

/* Position of the record that is farthest from a record. */
static uint32_t farthest(k_member_state *g, uint32_t record)
{
    scan_record(&g->records, record, g->node, g->count);
    scan_ask(&g->records, &g->query, g->node, g->count);
    return scan_farthest(&g->records, &g->query, g->records.count).position;
}

static kith_status form_classes(k_member_state *g, kith_error *error)
{
    rng random;
    rng_init(&random, g->context->seed, 0);
    uint32_t centre = rng_below(&random, g->problem->n_records);
    while (g->units_left >= g->problem->k) {
        uint32_t record = g->record[centre];
        /* Forms one class around the record at a position; the closure stays in g->node. */
        scan_take(&g->records, centre, g->node, g->count);
        unit_marks_begin(&g->marks);
        uint32_t size = take_record(g, centre);
        while (size < g->problem->k) {
            scan_ask(&g->records, &g->query, g->node, g->count);
            scan_hit hit = scan_nearest(&g->records, &g->query, g->records.count, SCAN_NONE);
            if (hit.position == SCAN_NONE)
                break;
            scan_join(&g->records, g->node, g->count, hit.position);
            size += take_record(g, hit.position);
        }
        g->n_classes++;
        if (!context_progress(g->context, "k-member",
                              1 - (double)g->left / (double)g->problem->n_records))
            return error_set(error, KITH_CANCELLED, "stopped");
        const uint32_t n_positions = g->records.count;
        if (g->left < n_positions - n_positions / 8) { /* scanning free positions takes time */
            scan_compact(&g->records, g->moved);
            for (uint32_t i = 0; i < n_positions; i++)
                if (g->moved[i] != SCAN_NONE)
                    g->record[g->moved[i]] = g->record[i];
        }
        centre = g->left > 0 ? farthest(g, record) : 0;
    }
    return KITH_OK;
}

/* Fewer than k units are left: each record goes where it costs least. */
static kith_status place_leftovers(k_member_state *g, kith_error *error)
{
    if (g->left == 0 || g->n_classes == 0)
        return KITH_OK;
    scan classes;
    for (uint32_t i = 0; i < g->records.count; i++)
        if (!scan_is_free(&g->records, i))
            g->class_of[g->record[i]] = UINT32_MAX;
    /* The classes as clusters of a scan of their own. */
    const problem *p = g->problem;
    TRY(scan_init(&classes, p, g->n_classes, g->context->memory, error));
    for (uint32_t i = 0; i < p->n_records; i++) {
        uint32_t c = g->class_of[i];
        if (c == UINT32_MAX)
            continue;
        scan_record(&classes, i, g->node, g->count);
        if (!scan_is_free(&classes, c))
            scan_join(&classes, g->node, g->count, c);
        scan_put(&classes, c, g->node, g->count);
    }
    for (uint32_t i = 0; i < g->records.count; i++) {
        if (scan_is_free(&g->records, i))
            continue;
        scan_ask_position(&g->records, &g->query, i);
        uint32_t c = scan_nearest(&classes, &g->query, classes.count, SCAN_NONE).position;
        scan_take(&g->records, i, g->node, g->count);
        scan_join(&classes, g->node, g->count, c);
        scan_put(&classes, c, g->node, g->count);
        g->class_of[g->record[i]] = c;
    }
    return KITH_OK;
}

kith_status k_member_run(search_result *result, const problem *p, const search_spec *spec,
                         context *c, kith_error *error)
{
    (void)spec;
    k_member_state g;
    TRY(k_member_allocate(&g, p, c, error));
    TRY(form_classes(&g, error));
    TRY(place_leftovers(&g, error));
    result->partition = (partition){.n_classes = g.n_classes, .class_of = g.class_of};
    return partition_close(&result->partition, p, c->memory, error);
}
