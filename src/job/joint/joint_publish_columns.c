#include "job/joint/joint_publish_columns.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "job/joint/joint_release.h"
#include "smc/smc.h"
#include "study/holders.h"
#include "table/rows/packed_texts.h"
#include "table/table_builder.h"
#include "wire/party_work.h"

static const message_type size_type = {"publish.size", DISCLOSE_RELEASE};
static const message_type labels_type = {"publish.labels", DISCLOSE_RELEASE};
static const message_type cells_type = {"publish.cells", DISCLOSE_RELEASE};

/* A peer cannot make this party allocate more. */
static const uint64_t max_bytes = UINT64_C(1) << 33;

/* A list of cells as it is sent. */
typedef struct packed {
    unsigned char *bytes;
    size_t length;
} packed;

static kith_status send_packed(party *p, const message_type *type, const packed *k,
                               kith_error *error)
{
    uint64_t length = k->length;
    for (uint32_t i = 0; i < party_count(p); i++) {
        if (i == party_self(p))
            continue;
        TRY(party_send(p, i, &size_type, &length, sizeof length, error));
        TRY(smc_send(p, i, type, k->bytes, k->length, error));
    }
    return KITH_OK;
}

static kith_status recv_packed(party *p, uint32_t from, const message_type *type, packed *k,
                               arena *memory, kith_error *error)
{
    uint64_t length;
    TRY(party_recv(p, from, &size_type, &length, sizeof length, error));
    if (length > max_bytes)
        return party_protocol_error(p, from, error, "announces %llu bytes of a release",
                                    (unsigned long long)length);
    k->length = (size_t)length;
    return smc_recv_append(p, from, type, memory, &k->bytes, 0, k->length, error);
}

/* The parts of the release. */
typedef struct columns {
    party *p;
    const prepared *mine;
    const kith_study *study;
    const columns_result *result;
    arena *memory;
    uint32_t holder;
    uint32_t count;   /* columns of the release */
    uint32_t *number; /* [count] their numbers in the study */
    packed_texts_cell *
        *label;     /* [count][n_classes]; NULL for columns that are released as they are */
    uint32_t width; /* number of columns that are released as they are: cells of a tuple */
    uint64_t n_rows;
    packed_texts_cell *tuple;    /* [n_rows * width] class by class */
    const prepared_column **own; /* [width] columns of the tuple; at the holder only */
    packed cells;                /* as they are sent; at the holder only */
} columns;

static bool is_label(const columns *t, uint32_t i)
{
    return t->study->columns[t->number[i]].role == ROLE_QUASI_IDENTIFYING;
}

/* Every party sends its labels to all others. */
static kith_status share_labels(columns *t, kith_error *error)
{
    const uint32_t self = party_self(t->p);
    packed_texts labels;
    packed own = {0};
    TRY(packed_texts_begin(&labels, t->memory, error));
    /* The labels of this party's closures, column by column in study order, class by class. */
    const columns_result *r = t->result;
    for (uint32_t i = 0; i < t->count; i++) {
        const prepared_column *c =
            is_label(t, i) ? prepare_find(t->mine, &t->study->columns[t->number[i]]) : NULL;
        for (uint32_t class = 0; c != NULL && class < r->n_classes; class ++) {
            uint64_t place = (uint64_t) class * t->mine->problem.n_attributes + c->attribute;
            const char *label = c->hierarchy->label[r->closure[place]];
            TRY(packed_texts_put(&labels, label[0] == '\0' ? NULL : label, strlen(label), error));
        }
    }
    TRY(packed_texts_pack(&labels, &own.bytes, &own.length, error));
    TRY(send_packed(t->p, &labels_type, &own, error));
    for (uint32_t from = 0; from < party_count(t->p); from++) {
        packed theirs = {0};
        if (from != self)
            TRY(recv_packed(t->p, from, &labels_type, &theirs, t->memory, error));
        /* Assigns the labels that one party sent to its columns. */
        const packed *k = from == self ? &own : &theirs;
        const uint32_t n_classes = t->result->n_classes;
        size_t count = 0;
        packed_texts_cell *all = TRY_ARRAY(all, t->memory, (size_t)t->count * n_classes, error);
        for (uint32_t i = 0; i < t->count; i++)
            if (is_label(t, i) && holders_have(&t->study->parties[from], t->number[i]))
                t->label[i] = all + n_classes * count++;
        bool well;
        TRY(packed_texts_take(all, count * n_classes, k->bytes, k->length, &well, t->memory,
                              error));
        if (!well)
            return party_protocol_error(t->p, from, error,
                                        "sent labels that do not fit the classes");
    }
    return KITH_OK;
}

/* The code of a record's cell; TABLE_MISSING is the largest one. */
static uint32_t joint_publish_columns_code_of(const columns *t, const prepared_column *own,
                                              uint32_t record)
{
    return t->mine->texts->columns[own->source].codes[t->mine->rows[record]];
}

static int by_class_and_cells(const void *a, const void *b, void *user)
{
    const columns *t = user;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const uint32_t *class_of = t->result->class_of;
    if (class_of[x] != class_of[y])
        return class_of[x] < class_of[y] ? -1 : 1;
    for (uint32_t i = 0; i < t->width; i++) {
        const uint32_t one = joint_publish_columns_code_of(t, t->own[i], x),
                       other = joint_publish_columns_code_of(t, t->own[i], y);
        if (one != other)
            return one < other ? -1 : 1;
    }
    return 0;
}

/* Lists the holder's tuples, class by class and sorted within a class: the order must not show
 * which record has which tuple. */
static kith_status pack_cells(void *user, kith_error *error)
{
    columns *t = user;
    packed_texts cells;
    TRY(packed_texts_begin(&cells, t->memory, error));
    const prepared *mine = t->mine;
    uint32_t *order = TRY_ARRAY(order, t->memory, mine->n_rows, error);
    uint32_t width = 0;
    t->own = TRY_ZEROS(t->own, t->memory, t->width, error);
    for (uint32_t i = 0; i < t->count; i++)
        if (!is_label(t, i))
            t->own[width++] = prepare_find(t->mine, &t->study->columns[t->number[i]]);
    for (uint32_t record = 0; record < mine->n_rows; record++)
        order[record] = record;
    qsort_r(order, mine->n_rows, sizeof *order, by_class_and_cells, t);
    for (uint32_t n = 0; n < mine->n_rows; n++)
        for (uint32_t i = 0; i < width; i++) {
            const dictionary *values = &mine->texts->columns[t->own[i]->source].values;
            const uint32_t code = joint_publish_columns_code_of(t, t->own[i], order[n]);
            bool missing = code == TABLE_MISSING;
            TRY(packed_texts_put(&cells, missing ? NULL : dictionary_text(values, code),
                                 missing ? 0 : dictionary_length(values, code), error));
        }
    return packed_texts_pack(&cells, &t->cells.bytes, &t->cells.length, error);
}

/* The holder sends its tuples to all others. */
static kith_status share_cells(columns *t, kith_error *error)
{
    packed all = {0};
    bool well;
    t->tuple = TRY_ARRAY(t->tuple, t->memory, t->n_rows * t->width, error);
    if (t->holder == HOLDERS_NONE)
        return KITH_OK;
    if (t->holder == party_self(t->p)) {
        TRY(party_work(t->p, &(party_work_task){.work = pack_cells, .user = t}, error));
        all = t->cells;
        TRY(send_packed(t->p, &cells_type, &all, error));
    } else {
        TRY(recv_packed(t->p, t->holder, &cells_type, &all, t->memory, error));
    }
    TRY(packed_texts_take(t->tuple, t->n_rows * t->width, all.bytes, all.length, &well, t->memory,
                          error));
    if (well)
        return KITH_OK;
    return party_protocol_error(t->p, t->holder, error, "sent cells that do not fit the classes");
}

static kith_status joint_publish_columns_build(const void *user, kith_table **texts, arena *memory,
                                               arena *scratch, kith_error *error)
{
    const columns *t = user;
    const columns_result *result = t->result;
    uint32_t row = 0;
    uint32_t *class_of = TRY_ARRAY(class_of, scratch, t->n_rows, error);
    for (uint32_t class = 0; class < result->n_classes; class ++)
        for (uint64_t i = 0; i < result->size[class]; i++)
            class_of[row++] = class;
    kith_column_spec *specs = TRY_ZEROS(specs, scratch, t->count, error);
    kith_table_options options = KITH_INIT(kith_table_options);
    table_builder *b;
    for (uint32_t i = 0; i < t->count; i++)
        specs[i].name = t->study->columns[t->number[i]].name;
    TRY(table_builder_new(&b, memory, "release", specs, t->count, &options, error));
    for (uint64_t n = 0; n < t->n_rows; n++) {
        uint32_t width = 0;
        for (uint32_t i = 0; i < t->count; i++) {
            const packed_texts_cell c =
                is_label(t, i) ? t->label[i][class_of[n]] : t->tuple[n * t->width + width++];
            TRY(table_builder_cell(b, i, c.text, c.length, error));
        }
        TRY(table_builder_row(b, error));
    }
    return table_builder_finish(b, texts, error);
}

kith_status joint_publish_columns(kith_table **texts, party *p, const prepared *mine,
                                  const columns_result *result, uint32_t holder, context *c,
                                  kith_error *error)
{
    columns t = {.p = p,
                 .mine = mine,
                 .study = mine->study,
                 .result = result,
                 .memory = c->memory,
                 .holder = holder};
    const char *before = party_step(p, "publish");
    const kith_study *study = mine->study;
    t.number = TRY_ARRAY(t.number, t.memory, study->n_columns, error);
    t.label = TRY_ZEROS(t.label, t.memory, study->n_columns, error);
    for (uint32_t i = 0; i < study->n_columns; i++) {
        if (!holders_release(study, i))
            continue;
        t.number[t.count++] = i;
        t.width += study->columns[i].role != ROLE_QUASI_IDENTIFYING;
    }
    for (uint32_t i = 0; i < result->n_classes; i++)
        t.n_rows += result->size[i];
    TRY(share_labels(&t, error));
    TRY(share_cells(&t, error));
    party_learns(p, DISCLOSE_RELEASE, "release", t.n_rows);
    party_step(p, before);
    return joint_release_build(texts, p, joint_publish_columns_build, &t, error);
}
