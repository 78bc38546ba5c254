/* Joint runs on columns at several sites. */
#include <math.h>

#include "core/error.h"
#include "job/prepare/bind_models.h"
#include "job/joint/joint_run.h"
#include "job/joint/joint_publish_columns.h"
#include "job/joint/joint_release.h"
#include "protocol/columns_align.h"
#include "protocol/columns.h"
#include "smc/sums/sum.h"
#include "study/holders.h"
#include "table/table_builder.h"
#include "wire/party_work.h"

/* The state of one site. */
typedef struct site {
    joint_run *j;
    uint32_t self;
    bool *held;      /* [n_columns of the study] released, and this site has it */
    bool *missing;   /* [n_columns of the study] this site has missing cells there */
    prepared all;    /* all rows of this site */
    kith_table *own; /* the common records in the common order; in the context's memory */
    prepared mine;   /* of `own` */
    prepare_joint joint;
    columns_align_result common;
} site;

/* Finds the site with the columns that are released as they are. Their cells stay together in one
 * row, so one site must have them all. */
static kith_status find_holder(const kith_study *study, uint32_t *holder, kith_error *error)
{
    uint32_t one = 0, other = 0;
    if (holders_of_cells(study, holder, &one, &other))
        return KITH_OK;
    error_set(error, KITH_INVALID,
              "the columns %s and %s are released as they are, but lie at "
              "different sites",
              study->columns[one].name, study->columns[other].name);
    return error_hint(error, KITH_INVALID,
                      "one site must hold all sensitive columns (and the insensitive ones, if they "
                      "are published)");
}

/* Notes in which of this site's columns cells are missing. */
static void note_missing(site *s, const kith_table *table)
{
    const kith_study *study = s->j->study;
    for (uint32_t i = 0; i < study->n_columns; i++) {
        uint32_t at = s->held[i] ? table_find(table, study->columns[i].name) : UINT32_MAX;
        s->missing[i] = false;
        for (uint32_t row = 0; at != UINT32_MAX && row < table->n_rows; row++)
            s->missing[i] |= table->columns[at].codes[row] == TABLE_MISSING;
    }
}

/* The identifiers by which the sites join their rows. */
static kith_status list_ids(commute_key **ids, const site *s, kith_error *error)
{
    const joint_run *j = s->j;
    const uint32_t at = table_find(j->table, j->study->id_column);
    if (at == UINT32_MAX)
        return error_set(error, KITH_DATA, "%s has no column %s, by which rows are joined",
                         j->table->source, j->study->id_column);
    const column *c = &j->table->columns[at];
    *ids = arena_array(j->context->memory, s->all.n_rows, sizeof **ids);
    TRY_ALLOC(*ids, error);
    for (uint32_t i = 0; i < s->all.n_rows; i++) {
        const uint32_t code = c->codes[s->all.rows[i]];
        if (code == TABLE_MISSING)
            return error_at(error, KITH_DATA, table_file(j->table, s->all.rows[i]),
                            table_line(j->table, s->all.rows[i]), 0,
                            "missing value in column %s, by which rows are joined", c->name);
        (*ids)[i] =
            (commute_key){dictionary_text(&c->values, code), dictionary_length(&c->values, code)};
    }
    return KITH_OK;
}

/* Local work, while the party shows that it lives: all rows of this site, … */
static kith_status prepare_all(void *user, kith_error *error)
{
    site *s = user;
    note_missing(s, s->j->table);
    return prepare_part(&s->all, s->j->study, s->j->table, &s->joint, s->j->context, error);
}

/* … the common ones, … */
static kith_status prepare_common(void *user, kith_error *error)
{
    site *s = user;
    /* Copies the common records to a table of their own: the dictionaries, and hierarchies made
     * from them, must not contain values of records that the other sites do not have. */
    const columns_align_result *common = &s->common;
    const kith_study *study = s->j->study;
    const kith_table *table = s->j->table;
    arena *memory = s->j->context->memory;
    uint32_t *source = arena_array(memory, study->n_columns, sizeof *source), count = 0;
    kith_column_spec *specs = arena_zalloc(memory, study->n_columns, sizeof *specs);
    kith_table_options options = KITH_INIT(kith_table_options);
    table_builder *b;
    TRY_ALLOC(source, error);
    TRY_ALLOC(specs, error);
    for (uint32_t i = 0; i < study->n_columns; i++) {
        if (!s->held[i])
            continue;
        const study_column *c = &study->columns[i];
        specs[count] = (kith_column_spec){c->name, c->type, c->date_format};
        source[count++] = table_find(table, c->name);
    }
    TRY(table_builder_new(&b, memory, table->source, specs, count, &options, error));
    for (uint32_t r = 0; r < common->n_records; r++) {
        for (uint32_t i = 0; i < count; i++) {
            const column *c = &table->columns[source[i]];
            const uint32_t code = c->codes[s->all.rows[common->row[r]]];
            bool missing = code == TABLE_MISSING;
            TRY(table_builder_cell(b, i, missing ? NULL : dictionary_text(&c->values, code),
                                   missing ? 0 : dictionary_length(&c->values, code), error));
        }
        TRY(table_builder_row(b, error));
    }
    TRY(table_builder_finish(b, &s->own, error));
    note_missing(s, s->own);
    return prepare_part(&s->mine, s->j->study, s->own, &s->joint, s->j->context, error);
}

/* … and what the models must know of them, at the pivot. */
static kith_status bind(void *user, kith_error *error)
{
    site *s = user;
    return bind_models(&s->mine, s->j->context, error);
}

static kith_status work(site *s, kith_status (*fn)(void *user, kith_error *error),
                        kith_error *error)
{
    return party_work(s->j->party, &(party_work_task){.work = fn, .user = s}, error);
}

/* Finds the common records of all sites and prepares this site's columns of them. */
static kith_status align(site *s, kith_error *error)
{
    joint_run *j = s->j;
    const protocol_options *o = &j->study->joint;
    commute_key *ids = NULL;
    TRY(work(s, prepare_all, error));
    if (o->ids_aligned && s->all.dropped > 0) {
        error_set(error, KITH_DATA, "%s: %u rows lack a value, but ids: aligned needs all of them",
                  j->table->source, s->all.dropped);
        return error_hint(error, KITH_DATA, "missing: value and missing: wildcard keep such rows");
    }
    if (!o->ids_aligned)
        TRY(list_ids(&ids, s, error));
    columns_align_task task = {.n_rows = s->all.n_rows,
                               .id = ids,
                               .max_rows = o->max_rows,
                               .pool = j->context->pool,
                               .drop_unmatched = o->drop_unmatched,
                               .choices = j->place->choices,
                               .seeded = j->context->run->seeded,
                               .seed = j->context->run->seed};
    TRY(columns_align(&s->common, j->party, &task, j->context->memory, error));
    report_fact(&j->report, "unmatched", s->common.unmatched);
    return work(s, prepare_common, error);
}

/* The loss of all columns together. A site does not know the closures of the others, so the sums of
 * all sites are added up securely, as integers. */
static kith_status measure_loss(site *s, const columns_result *r, kith_error *error)
{
    const kith_study *study = s->j->study;
    uint64_t sums[2];
    const double unit =
        joint_release_loss_units(sums, &s->mine.problem, r->n_classes, r->closure, r->size);
    const char *before = party_step(s->j->party, "publish");
    TRY(sum_masked(s->j->party, sums, sums, 2, 0, SMC_ALL, error));
    party_step(s->j->party, before);
    double weights = 0, attributes = 0;
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].role == ROLE_QUASI_IDENTIFYING) {
            attributes++;
            weights += study->columns[i].weight;
        }
    const double records = s->mine.n_rows;
    s->j->loss.known = records > 0 && attributes > 0 && joint_release_loss_known(study->measure);
    s->j->loss.lm = (double)sums[0] / unit / (records * attributes);
    s->j->loss.objective = weights > 0 ? (double)sums[1] / unit / (records * weights) : 0;
    return KITH_OK;
}

/* Numbers this site's quasi-identifiers among those of the study, and finds the unit of scores. A
 * measure may cost more than the weight of a column, but not by many powers of two. */
static kith_status number_attributes(const site *s, columns_task *task, kith_error *error)
{
    const kith_study *study = s->j->study;
    uint32_t own = 0;
    uint32_t *numbers = TRY_ARRAY(numbers, s->j->context->memory, study->n_columns, error);
    for (uint32_t i = 0; i < study->n_columns; i++) {
        const study_column *c = &study->columns[i];
        if (c->role != ROLE_QUASI_IDENTIFYING)
            continue;
        if (s->held[i])
            numbers[own++] = task->n_all;
        task->n_all++;
        task->unit = fmax(task->unit, c->weight);
    }
    if (!(task->unit > 0))
        task->unit = 1;
    task->numbers = numbers;
    return KITH_OK;
}

kith_status joint_columns(joint_run *j, kith_error *error)
{
    site s = {.j = j, .self = party_self(j->party)};
    columns_result result;
    uint32_t holder;
    if (j->study->joint.own_rows)
        return error_set(error, KITH_INVALID,
                         "publish: own-rows is for horizontal data: here no site has whole rows");
    TRY(find_holder(j->study, &holder, error));
    const kith_study *study = j->study;
    arena *memory = j->context->memory;
    s.held = TRY_ZEROS(s.held, memory, study->n_columns, error);
    s.missing = TRY_ZEROS(s.missing, memory, study->n_columns, error);
    for (uint32_t i = 0; i < study->n_columns; i++)
        s.held[i] = holders_release(study, i) && holders_have(&study->parties[s.self], i);
    s.joint = (prepare_joint){.held = s.held, .missing = s.missing};
    TRY(align(&s, error));
    /* The pivot checks the models, so it must be the site with the sensitive columns. */
    const uint32_t pivot = holder == HOLDERS_NONE ? 0 : holder;
    if (s.self == pivot)
        TRY(work(&s, bind, error));
    columns_task task = {.mine = &s.mine.problem,
                         .spec = &j->study->search,
                         .options = &j->study->joint,
                         .context = j->context,
                         .pivot = pivot,
                         .choices = j->place->choices,
                         .seeded = j->context->run->seeded,
                         .seed = j->context->run->seed};
    TRY(number_attributes(&s, &task, error));
    TRY(joint_run_opening(j, error));
    TRY(j->study->joint.protocol->columns(&result, j->party, &task, error));
    const protocol_report *r = &result.report; /* is added to the facts of the alignment */
    j->report.n_passes = r->n_passes;
    j->report.stopped = r->stopped;
    j->report.n_paper_sums = r->n_paper_sums;
    for (uint32_t i = 0; i < r->n_facts; i++)
        report_fact(&j->report, r->facts[i].name, r->facts[i].value);
    j->n_records = s.mine.n_rows;
    j->n_unmatched = s.all.n_rows - s.mine.n_rows;
    TRY(measure_loss(&s, &result, error));
    TRY(joint_run_publishing(j, error));
    return joint_publish_columns(&j->release, j->party, &s.mine, &result, holder, j->context,
                                 error);
}
