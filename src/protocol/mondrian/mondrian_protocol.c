#include "protocol/mondrian/mondrian_protocol.h"

#include <math.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "protocol/joint_rules/united_classes.h"
#include "protocol/leave_together.h"
#include "protocol/mondrian/mondrian_internal.h"
#include "protocol/private_choices.h"
#include "protocol/rows_by_person.h"
#include "smc/sums/sum.h"

/* --- before and after --- */

/* May all records be a class? Before the number of records is known, it has only its public bound.
 * Numbers of records may be known to be enough; sensitive values cannot, before their union. */
static kith_status mondrian_protocol_check_all(mondrian_run *r, bool known, kith_error *error)
{
    bool enough;
    uint32_t *tally = TRY_ZEROS(tally, r->memory, r->conditions.rules.width, error);
    for (uint32_t i = 0; i < r->problem->n_records; i++)
        joint_tree_rules_count_row(&r->conditions.rules, r->problem, tally, i);
    r->n_total = (uint64_t)UINT32_MAX * r->conditions.rules.n_parties;
    if (known && r->conditions.rules.n_counts == 1)
        return KITH_OK;
    TRY(mondrian_ask_all(r, tally, 1, &enough, "all records are enough", error));
    if (enough)
        return KITH_OK;
    leave_together(r->party, &leave_together_word);
    return joint_tree_rules_unmet(&r->conditions.rules, error);
}

/* Sizes of the classes, after one bit has said that all of them keep the models: a party that lies
 * about its counts must not get the sizes of small sets opened. */
static kith_status open_sizes(rows_result *result, mondrian_run *r, kith_error *error)
{
    const uint32_t width = r->conditions.rules.width;
    uint32_t *tallies = TRY_ZEROS(tallies, r->memory, (size_t)result->n_classes * width, error);
    bool good;
    for (uint32_t i = 0; i < r->problem->n_records; i++)
        joint_tree_rules_count_row(&r->conditions.rules, r->problem,
                                   tallies + (size_t)result->class_of[i] * width, i);
    TRY(mondrian_ask_all(r, tallies, result->n_classes, &good, "all classes keep the models",
                         error));
    if (!good)
        return error_set(error, KITH_PEER,
                         "a site has changed its counts: not all classes keep "
                         "the models");
    result->size = TRY_ZEROS(result->size, r->memory, result->n_classes, error);
    for (uint32_t i = 0; i < r->problem->n_records; i++)
        result->size[result->class_of[i]]++;
    /* message 8 */
    return sum_masked(r->party, result->size, result->size, result->n_classes, 0, SMC_ALL, error);
}

/* --- the steps --- */

/* New parts list their candidates; parts whose search is over try the next split, or are
 * classes. */
static kith_status prepare_parts(mondrian_run *r, kith_error *error)
{
    for (size_t i = r->first_open; i < r->n_parts; i++) {
        mondrian_part *part = &r->parts[i];
        if (part->phase == PART_SIZE && part->candidates == NULL)
            TRY(mondrian_parts_open(r, part, error));
        if (part->phase != PART_SEARCH && !(part->phase == PART_SIZE && part->n_candidates == 0))
            continue;
        while ((r->alpha == 1 || part->ranked) && part->next < part->n_candidates &&
               part->candidates[part->next].impossible)
            part->next++;
        if (part->next == part->n_candidates) {
            part->phase = PART_FINAL;
            part->is_class = true;
            continue;
        }
        bool ready = true;
        for (uint32_t c = 0; c < part->n_candidates; c++)
            ready = ready && (part->candidates[c].phase == CANDIDATE_READY ||
                              (r->alpha == 1 && c != part->next));
        if (ready)
            part->phase = r->alpha == 1 || part->ranked ? PART_ALLOWED : PART_SCORE;
    }
    while (r->first_open < r->n_parts && r->parts[r->first_open].phase == PART_FINAL)
        r->first_open++;
    return KITH_OK;
}

static kith_status split_all(mondrian_run *r, kith_error *error)
{
    const uint32_t n = r->problem->n_records;
    TRY(mondrian_parts_root(r, error));
    TRY(prepare_parts(r, error));
    while (r->first_open < r->n_parts) {
        uint64_t done = 0; /* records in classes */
        for (size_t i = 0; i < r->n_parts; i++)
            done += r->parts[i].is_class ? r->parts[i].end - r->parts[i].start : 0;
        if (!context_progress(r->context, "splitting", n == 0 ? -1 : (double)done / n))
            return error_set(error, KITH_CANCELLED, "stopped while splitting");
        /* One step of the lock step. Searches that end in it are asked about in the same step. */
        if (r->alpha < 1)
            TRY(mondrian_ask_sizes(r, error));
        TRY(mondrian_ask_simple(r, error));
        TRY(prepare_parts(r, error));
        TRY(mondrian_score(r, error));
        TRY(prepare_parts(r, error));
        TRY(mondrian_ask_allowed(r, error));
        r->n_steps++;
        TRY(prepare_parts(r, error));
    }
    return KITH_OK;
}

/* --- the result --- */

static kith_status collect_classes(rows_result *result, const mondrian_run *r, kith_error *error)
{
    const uint32_t n_attributes = r->problem->n_attributes;
    size_t n_classes = 0;
    for (size_t i = 0; i < r->n_parts; i++)
        n_classes += r->parts[i].is_class;
    const size_t n_cells = n_classes * n_attributes;
    result->n_classes = 0;
    result->closure = TRY_ALLOC(arena_array(r->memory, n_cells, sizeof(uint32_t)), error);
    result->class_of =
        TRY_ALLOC(arena_array(r->memory, r->problem->n_records, sizeof(uint32_t)), error);
    if (r->spec->ranges) {
        result->low = TRY_ALLOC(arena_array(r->memory, n_cells, sizeof(uint32_t)), error);
        result->high = TRY_ALLOC(arena_array(r->memory, n_cells, sizeof(uint32_t)), error);
    }
    for (size_t i = 0; i < r->n_parts; i++) {
        const mondrian_part *part = &r->parts[i];
        if (!part->is_class)
            continue;
        for (uint32_t j = 0; j < n_attributes; j++) {
            const size_t at = (size_t)result->n_classes * n_attributes + j;
            result->closure[at] = regions_closure(&r->space.axes[j], part->regions[j]);
            if (r->spec->ranges)
                regions_range(&r->space.axes[j], part->regions[j], &result->low[at],
                              &result->high[at]);
        }
        for (uint32_t k = part->start; k < part->end; k++)
            result->class_of[r->order[k]] = result->n_classes;
        result->n_classes++;
    }
    return KITH_OK;
}

/* The calls of the paper's protocol on the same run: sums for the sizes of both halves of every
 * split; for every median two calls per step of its search on the values; with site diversity the
 * sites and the entropy of both halves of every split that is considered. */
static void count_paper_calls(protocol_report *report, const mondrian_run *r, bool sites)
{
    for (size_t i = 0; i < r->n_parts; i++) {
        const mondrian_part *part = &r->parts[i];
        const uint32_t tried = part->next + (part->next < part->n_candidates);
        const uint32_t n = r->alpha < 1 ? part->n_candidates : tried;
        for (uint32_t c = 0; c < n; c++) {
            const tree *t = r->problem->attributes[part->candidates[c].attribute].tree;
            report->n_paper_sums += 2 * (uint64_t)ceil(log2(t->n_leaves + 1.0));
            report->n_paper_sums += sites ? 4 : 0;
        }
        report->n_paper_sums += part->is_class ? 0 : 2;
    }
}

static bool asks_for_sites(const protocol_options *o)
{
    for (uint32_t i = 0; i < o->n_site_models; i++)
        if (o->site_models[i].id == MODEL_L_SITE_DIVERSITY && o->site_models[i].l > 1)
            return true;
    return false;
}

static kith_status mondrian_protocol_steps(rows_result *result, mondrian_run *r,
                                           const rows_task *task, kith_error *error)
{
    const uint32_t n = task->mine->n_records;
    *result = (rows_result){0};
    r->order = TRY_ALLOC(arena_array(r->memory, n, sizeof *r->order), error);
    r->scratch = TRY_ALLOC(arena_array(r->memory, n, sizeof *r->scratch), error);
    r->children = TRY_ALLOC(arena_array(r->memory, n, sizeof *r->children), error);
    for (uint32_t i = 0; i < n; i++)
        r->order[i] = i;
    TRY(mondrian_conditions_init(&r->conditions, task, r->party, r->memory, error));
    TRY(regions_init(&r->space, task->mine, r->memory, error));
    party_step(r->party, "all records");
    TRY(mondrian_protocol_check_all(r, task->enough, error));
    /* The number of all records, which the sizes of the classes will tell in the end, keeps the
     * circuits of comparisons small. */
    uint64_t total = r->problem->n_records;
    TRY(sum_masked(r->party, &total, &total, 1, 0, SMC_ALL, error)); /* message 2 */
    if (total < r->problem->n_records || total > r->n_total) /* a sum does not tell who is wrong */
        return error_set(error, KITH_PEER, "the number of records of all sites is impossible");
    r->n_total = total;
    r->conditions.rules.max_size = (int64_t)total;
    party_step(r->party, "splitting");
    TRY(split_all(r, error));
    TRY(collect_classes(result, r, error));
    party_step(r->party, "sizes");
    TRY(open_sizes(result, r, error));
    /* message 9 */
    TRY(united_classes_make(result, r->party, r->problem, &r->conditions.rules,
                            "all classes keep the models", r->memory, error));
    count_paper_calls(&result->report, r, asks_for_sites(task->options));
    result->report.stopped = "no cut";
    report_fact(&result->report, "splits", (double)r->n_splits);
    report_fact(&result->report, "questions", (double)r->n_questions);
    report_fact(&result->report, "steps", (double)r->n_steps);
    return KITH_OK;
}

kith_status mondrian_protocol_run(rows_result *result, party *p, const rows_task *task,
                                  kith_error *error)
{
    unsigned char key[PRIVATE_CHOICES_BYTES];
    rows_by_person sorted;
    TRY(rows_by_person_sort(&sorted, task, error));
    mondrian_run r = {.problem = sorted.task.mine,
                      .spec = task->spec,
                      .party = p,
                      .context = task->context,
                      .memory = task->context->memory,
                      .alpha = task->options->alpha,
                      .choices = mondrian_rule_seeded(task->seed, party_self(p))};
    private_choices_key(key, task->choices, "mondrian ties");
    if (!task->seeded)
        r.choices.key = key;
    const char *before = party_step(p, "mondrian");
    kith_status status = mondrian_protocol_steps(result, &r, &sorted.task, error);
    joint_tree_rules_wipe(&r.conditions.rules);
    party_step(p, before);
    secret_memory_wipe(key, sizeof key);
    return status == KITH_OK ? rows_by_person_restore(result, &sorted, error) : status;
}
