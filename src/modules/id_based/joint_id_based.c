/* Joint runs by the ID-based protocol: rows get names, the protocol says which are suppressed, and
 * the parties send each other what is left.
 *
 * Nothing is united beforehand: values that are suppressed everywhere never leave their party. So a
 * row is compared as it would be released, text by text. */
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/error.h"
#include "core/sort.h"
#include "crypto/digest.h"
#include "modules/id_based/id_keys_parse.h"
#include "job/joint/joint_release.h"
#include "job/joint/joint_run.h"
#include "modules/id_based/id_based_module.h"
#include "protocol/id_based/id_based.h"
#include "protocol/joint_rules/joint_tree_feasible.h"
#include "smc/smc.h"
#include "study/holders.h"
#include "table/table_builder.h"
#include "wire/party_work.h"

static const message_type size_type = {"id.size", DISCLOSE_RELEASE}; /* message 12 */
static const message_type rows_type = {"id.rows", DISCLOSE_RELEASE}; /* message 12 */

enum { LENGTH = 4 }; /* bytes in front of a cell */
#define MISSING_CELL UINT32_MAX
/* A release of more bytes is not for this protocol. */
#define MAX_BYTES (UINT64_C(1) << 36)

/* One column of the release. */
typedef struct release_column {
    const study_column *study;
    const column *source;         /* of this party's table, with the texts that it has */
    const prepared_column *quasi; /* NULL unless quasi-identifying: */
    const char *root;             /* what a suppressed cell shows */
} release_column;

/* The columns of the release in the order of the study, and this party's rows. */
typedef struct own_rows {
    const prepared *mine;
    uint32_t n_columns;
    release_column *columns;
    const bool *suppressed; /* [mine->n_rows]; NULL before the protocol has run */
} own_rows;

static kith_status list_columns(own_rows *o, const prepared *mine, arena *memory, kith_error *error)
{
    const kith_study *study = mine->study;
    *o = (own_rows){.mine = mine};
    o->columns = TRY_ARRAY(o->columns, memory, mine->n_columns, error);
    for (uint32_t i = 0; i < study->n_columns; i++)
        for (uint32_t c = 0; c < mine->n_columns; c++) {
            const prepared_column *p = &mine->columns[c];
            if (p->study != &study->columns[i])
                continue;
            release_column *to = &o->columns[o->n_columns++];
            *to = (release_column){.study = p->study, .source = &mine->texts->columns[p->source]};
            if (p->hierarchy != NULL) {
                to->quasi = p;
                to->root = hierarchy_root_label(p->hierarchy);
            }
        }
    return KITH_OK;
}

/* What the release shows of a cell; NULL: a missing value. A quasi-identifier shows the label of
 * its leaf: a hierarchy file may write the value in another way. */
static const char *cell_text(const own_rows *o, uint32_t record, uint32_t index)
{
    const release_column *c = &o->columns[index];
    const uint32_t code = c->source->codes[o->mine->rows[record]];
    if (c->root != NULL && o->suppressed != NULL && o->suppressed[record])
        return c->root;
    if (code != TABLE_MISSING && c->quasi != NULL)
        return c->quasi->hierarchy->label[c->quasi->leaf_of[code]];
    if (code != TABLE_MISSING)
        return dictionary_text(&c->source->values, code);
    return o->mine->study->missing == MISSING_WILDCARD ? c->root : NULL;
}

static void name_begin(digest *d, const party *p)
{
    digest_init(d, "kith id-based quasi-identifier", ID_BASED_NAME_BYTES);
    digest_part(d, party_run_id(p), 32);
}

/* One cell of a quasi-identifier, with a mark that tells a missing value from an empty text. */
static void name_cell(digest *d, const char *text, size_t length)
{
    const unsigned char present = text != NULL;
    digest_part(d, &present, sizeof present);
    if (present)
        digest_part(d, text, length);
}

/* --- rows on their way --- */

/* The builder keeps the options, so they live with it. */
static kith_status begin_table(table_builder **b, const own_rows *o, arena *memory,
                               kith_error *error)
{
    kith_column_spec *spec = TRY_ZEROS(spec, memory, o->n_columns, error);
    kith_table_options *options = TRY_ARRAY(options, memory, 1, error);
    *options = (kith_table_options)KITH_INIT(kith_table_options);
    for (uint32_t i = 0; i < o->n_columns; i++)
        spec[i].name = o->columns[i].study->name;
    return table_builder_new(b, memory, "release", spec, o->n_columns, options, error);
}

static kith_status add_own(table_builder *b, const own_rows *o, kith_error *error)
{
    for (uint32_t record = 0; record < o->mine->n_rows; record++) {
        for (uint32_t i = 0; i < o->n_columns; i++) {
            const char *text = cell_text(o, record, i);
            TRY(table_builder_cell(b, i, text, text == NULL ? 0 : strlen(text), error));
        }
        TRY(table_builder_row(b, error));
    }
    return KITH_OK;
}

/* For end, which sorts all values and rows. */
typedef struct ending {
    kith_table **out;
    table_builder *builder;
} ending;

static kith_status end(void *user, kith_error *error)
{
    const ending *e = user;
    TRY(table_builder_finish(e->builder, e->out, error));
    return joint_release_sort(*e->out, error);
}

static kith_status joint_id_based_finish(kith_table **out, table_builder *b, party *p,
                                         kith_error *error)
{
    ending e = {out, b};
    return party_work(p, &(party_work_task){.work = end, .user = &e}, error);
}

static kith_status make_own(kith_table **out, const own_rows *o, party *p, arena *memory,
                            kith_error *error)
{
    table_builder *b;
    TRY(begin_table(&b, o, memory, error));
    TRY(add_own(b, o, error));
    return joint_id_based_finish(out, b, p, error);
}

/* The peer's next cell. */
static const char *next_cell(bytes_reader *in, uint32_t *length)
{
    *length = (uint32_t)bytes_read(in, LENGTH);
    if (*length != MISSING_CELL)
        return bytes_read_text(in, *length);
    *length = 0;
    return NULL;
}

/* Reads one of the peer's rows. A row that is neither suppressed nor among the quasi-identifiers
 * that remain would break what both have confirmed. */
static kith_status add_row(table_builder *b, bytes_reader *in, const own_rows *o, party *p,
                           const id_based_result *result, kith_error *error)
{
    const uint32_t other = 1 - party_self(p);
    bool suppressed = true;
    id_based_name name;
    digest d;
    name_begin(&d, p);
    for (uint32_t i = 0; i < o->n_columns; i++) {
        const char *root = o->columns[i].root;
        uint32_t length;
        const char *text = next_cell(in, &length);
        if (in->failed)
            return party_protocol_error(p, other, error, "sent rows that cannot be read");
        if (root != NULL) {
            suppressed = suppressed && text != NULL && strlen(root) == length &&
                         memcmp(root, text, length) == 0;
            name_cell(&d, text, length);
        }
        TRY(table_builder_cell(b, i, text, length, error));
    }
    digest_final(&d, name.bytes);
    if (!suppressed && (result->n_kept == 0 || bsearch(&name, result->kept, result->n_kept,
                                                       sizeof name, sort_32_bytes) == NULL))
        return party_protocol_error(p, other, error,
                                    "sent a row whose quasi-identifier should be suppressed");
    return table_builder_row(b, error);
}

static kith_status exchange(bytes_reader *in, party *p, const kith_table *mine, arena *memory,
                            kith_error *error)
{
    const uint32_t other = 1 - party_self(p);
    unsigned char *theirs = NULL;
    bytes_writer own = {.memory = memory};
    for (uint32_t row = 0; row < mine->n_rows; row++)
        for (uint32_t i = 0; i < mine->n_columns; i++) {
            const char *text = kith_table_cell(mine, row, i);
            const size_t n = text == NULL ? 0 : strlen(text);
            bytes_write_number(&own, text == NULL ? MISSING_CELL : n, LENGTH);
            bytes_write(&own, text, n);
        }
    TRY(bytes_written(&own, error));
    uint64_t length = own.length;
    TRY(party_send(p, other, &size_type, &length, sizeof length, error));
    TRY(smc_send(p, other, &rows_type, own.bytes, own.length, error));
    TRY(party_recv(p, other, &size_type, &length, sizeof length, error));
    if (length > MAX_BYTES)
        return party_protocol_error(p, other, error, "announces rows of %llu bytes",
                                    (unsigned long long)length);
    TRY(smc_recv_append(p, other, &rows_type, memory, &theirs, 0, length, error));
    *in = (bytes_reader){.at = theirs, .left = length};
    return KITH_OK;
}

static kith_status publish(kith_table **out, const own_rows *o, party *p,
                           const id_based_result *result, arena *memory, arena *scratch,
                           kith_error *error)
{
    kith_table *mine;
    bytes_reader in = {.left = 0};
    if (o->mine->study->joint.own_rows)
        return make_own(out, o, p, memory, error);
    party_step(p, "publish");
    TRY(make_own(&mine, o, p, scratch, error));
    TRY(exchange(&in, p, mine, scratch, error));
    /* Both parties' rows, sorted, so that the order does not show whose a row is. */
    table_builder *b;
    TRY(begin_table(&b, o, memory, error));
    TRY(add_own(b, o, error));
    while (in.left > 0) {
        TRY(party_poll(p, error));
        TRY(add_row(b, &in, o, p, result, error));
    }
    TRY(joint_id_based_finish(out, b, p, error));
    party_learns(p, DISCLOSE_RELEASE, "release", (*out)->n_rows);
    return KITH_OK;
}

/* Builds the release in an arena of its own, which the table then owns. */
static kith_status make_release(joint_run *j, const own_rows *o, const id_based_result *result,
                                kith_error *error)
{
    arena *memory = arena_new(), *scratch = arena_new();
    kith_status status = memory == NULL || scratch == NULL
                             ? error_nomem(error)
                             : publish(&j->release, o, j->party, result, memory, scratch, error);
    arena_free(scratch);
    if (status != KITH_OK) {
        arena_free(memory);
        j->release = NULL;
    }
    return status;
}

/* --- the run --- */

/* The largest k of the study; a study for this protocol has no other models. */
static uint32_t needed_rows(const kith_study *study)
{
    return models_minimum_size(study->models, study->n_models);
}

typedef struct preparation {
    prepared *mine;
    joint_run *j;
} preparation;

/* Values are bound to hierarchies only to find those that a hierarchy lacks, and for the labels of
 * roots. All columns may have missing values: what the other party has stays unknown. */
static kith_status joint_id_based_prepare(void *user, kith_error *error)
{
    const preparation *p = user;
    const kith_study *study = p->j->study;
    arena *memory = p->j->context->memory;
    prepare_joint *joint = TRY_ZEROS(joint, memory, 1, error);
    bool *held = TRY_ZEROS(held, memory, study->n_columns, error);
    bool *missing = TRY_ZEROS(missing, memory, study->n_columns, error);
    for (uint32_t i = 0; i < study->n_columns; i++) {
        held[i] = holders_release(study, i);
        missing[i] = true;
    }
    *joint = (prepare_joint){.held = held, .missing = missing};
    return prepare_part(p->mine, study, p->j->table, joint, p->j->context, error);
}

/* Whether a row of the release shows the root in all quasi-identifiers. */
static bool is_suppressed(const kith_table *release, const own_rows *o, uint32_t row)
{
    for (uint32_t i = 0; i < o->n_columns; i++) {
        const char *text = kith_table_cell(release, row, i), *root = o->columns[i].root;
        if (root != NULL && (text == NULL || strcmp(root, text) != 0))
            return false;
    }
    return true;
}

kith_status joint_id_based(joint_run *j, kith_error *error)
{
    context *c = j->context;
    const protocol_options alone = {.partition = PARTITION_HORIZONTAL};
    prepared mine;
    own_rows own;
    id_based_result result;
    preparation p = {&mine, j};
    TRY(party_work(j->party, &(party_work_task){.work = joint_id_based_prepare, .user = &p},
                   error));
    const problem sizes = {.n_records = mine.n_rows, .k = needed_rows(j->study)};
    TRY(joint_tree_feasible(j->party, &sizes, &alone, c, error));
    TRY(list_columns(&own, &mine, c->memory, error));
    id_based_name *names = TRY_ARRAY(names, c->memory, mine.n_rows, error);
    for (uint32_t record = 0; record < mine.n_rows; record++) {
        TRY(party_poll(j->party, error));
        digest d;
        name_begin(&d, j->party);
        for (uint32_t i = 0; i < own.n_columns; i++)
            if (own.columns[i].root != NULL) {
                const char *text = cell_text(&own, record, i);
                name_cell(&d, text, text == NULL ? 0 : strlen(text));
            }
        digest_final(&d, names[record].bytes);
    }
    id_based_task task = {.n_rows = mine.n_rows,
                          .names = names,
                          .k = needed_rows(j->study),
                          .options = &j->study->joint,
                          .context = c,
                          .choices = j->place->choices,
                          .seeded = c->run->seeded,
                          .seed = c->run->seed};
    if (j->place->id_keys != NULL) {
        task.parameters = &j->place->id_keys->parameters;
        task.identities = j->place->id_keys->identities;
        task.key = &j->place->id_keys->key;
    }
    TRY(joint_run_opening(j, error));
    TRY(id_based_run(&result, j->party, &task, error));
    own.suppressed = result.suppressed;
    j->report = result.report;
    TRY(joint_run_publishing(j, error));
    TRY(make_release(j, &own, &result, error));
    /* A suppressed row has lost all of its quasi-identifiers, any other none. */
    uint64_t n_suppressed = 0;
    j->n_records = j->release->n_rows;
    if (!j->study->joint.own_rows && j->n_records != 0) {
        for (uint32_t row = 0; row < j->release->n_rows && !result.already; row++)
            n_suppressed += is_suppressed(j->release, &own, row);
        j->loss.known = true;
        j->loss.lm = j->loss.objective = (double)n_suppressed / (double)j->n_records;
    }
    return KITH_OK;
}
