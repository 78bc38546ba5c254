/* Does a release cover the data it was made from, on levels that the study allows? */

#include "core/error.h"
#include "job/assess/assess_internal.h"
#include "job/prepare/recode.h"

kith_status assess_find_column(uint32_t *found, const kith_table *texts, const char *name,
                               kith_error *error)
{
    *found = table_find(texts, name);
    if (*found == UINT32_MAX)
        return error_set(error, KITH_DATA, "%s has no column %s", texts->source, name);
    return KITH_OK;
}

kith_status assess_part(prepared *part, const prepared *p, const kith_table *texts, context *c,
                        kith_error *error)
{
    *part = *p;
    part->n_columns = 0;
    part->columns = TRY_ARRAY(part->columns, c->memory, p->n_columns, error);
    part->quasi = TRY_ARRAY(part->quasi, c->memory, p->n_columns, error);
    for (uint32_t i = 0; i < p->n_columns; i++) {
        const prepared_column *one = &p->columns[i];
        if (one->study->role == ROLE_INSENSITIVE &&
            table_find(texts, one->study->name) == UINT32_MAX)
            continue;
        if (one->attribute != PREPARE_NONE)
            part->quasi[one->attribute] = part->n_columns;
        part->columns[part->n_columns++] = *one;
    }
    return KITH_OK;
}

kith_status assess_cover_column(cover_column *to, const prepared_column *from,
                                const kith_table *texts, kith_error *error)
{
    *to = (cover_column){.data = from->source,
                         .hierarchy = from->hierarchy,
                         .leaf_of = from->leaf_of,
                         .rank = from->rank,
                         .mean = from->study->mean};
    if (to->mean) {
        const uint32_t top = from->hierarchy->tree.n_levels - 1;
        to->mean_level = from->study->max_level < top ? from->study->max_level : top;
    }
    return assess_find_column(&to->release, texts, from->study->name, error);
}

/* Says how the verifier finds the changed values; keys of pseudonyms are read into `keys`. */
static kith_status add_recodings(cover_column *columns, recode_key *keys, const prepared *p,
                                 context *c, kith_error *error)
{
    for (uint32_t i = 0; i < p->n_columns; i++) {
        const study_column *s = p->columns[i].study;
        if (!recoding_is_any(&s->recoding))
            continue;
        cover_recoding *r = TRY_ZEROS(r, c->memory, 1, error);
        if (s->recoding.key_file != NULL)
            TRY(recode_key_read(&keys[i], s->recoding.key_file, error));
        *r = (cover_recoding){.how = &s->recoding,
                              .key = keys[i].bytes,
                              .key_length = keys[i].length,
                              .original = &p->original->columns[p->columns[i].source]};
        columns[i].recoding = r;
    }
    return KITH_OK;
}

static kith_status check_cover(cover_report *report, const prepared *p, const kith_table *texts,
                               bool fixed_order, const cover_slice *slice, context *c,
                               kith_error *error)
{
    cover_column *columns = TRY_ARRAY(columns, c->memory, p->n_columns, error);
    for (uint32_t i = 0; i < p->n_columns; i++) {
        TRY(assess_cover_column(&columns[i], &p->columns[i], texts, error));
        /* An encrypted view releases one text of each sensitive value: its master cannot tell that
         * two texts are equal. */
        columns[i].by_value = p->columns[i].study->role == ROLE_SENSITIVE &&
                              p->columns[i].study->type != KITH_TYPE_STRING &&
                              p->study->joint.protocol->by_master;
        columns[i].date_format = p->columns[i].study->date_format;
    }
    recode_key *keys = TRY_ZEROS(keys, c->memory, p->n_columns, error);
    const cover_task task = {.release = texts,
                             .data = p->texts,
                             .rows = p->rows,
                             .n_rows = p->n_rows,
                             .n_released = p->study->sample > 0 && !p->sampled
                                               ? prepare_sample_size(p->study, p->n_rows)
                                               : p->n_rows,
                             .columns = columns,
                             .n_columns = p->n_columns,
                             .ranges = p->study->search.ranges,
                             .fixed_order = fixed_order,
                             .slice = slice};
    kith_status status = add_recodings(columns, keys, p, c, error);
    if (status == KITH_OK)
        status = verify_cover(report, &task, c->memory, error);
    for (uint32_t i = 0; i < p->n_columns; i++)
        recode_key_wipe(&keys[i]);
    return status;
}

/* Rows of a slice are in order or wrong: others may be elsewhere. */
kith_status assess_cover(cover_report *report, const prepared *p, const kith_table *texts,
                         context *c, kith_error *error)
{
    return check_cover(report, p, texts, p->whole != NULL, NULL, c, error);
}

kith_status assess_cover_slices(cover_report *report, const prepared *p, const kith_table *texts,
                                uint64_t first_row, context *c, kith_error *error)
{
    const cover_slice slice = {first_row, c};
    return check_cover(report, p, texts, false, &slice, c, error);
}

kith_status assess_cover_in_order(cover_report *report, const prepared *p, const kith_table *texts,
                                  context *c, kith_error *error)
{
    return check_cover(report, p, texts, true, NULL, c, error);
}

bool assess_bounds_levels(const kith_study *study)
{
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].min_level > 0 || study->columns[i].max_level != STUDY_ANY_LEVEL)
            return true;
    return false;
}

kith_status assess_levels(levels_report *report, const prepared *p, const kith_table *texts,
                          const verify_report *models, context *c, kith_error *error)
{
    uint32_t n = p->problem.n_attributes;
    levels_column *columns = TRY_ARRAY(columns, c->memory, n, error);
    for (uint32_t j = 0; j < n; j++) {
        const prepared_column *from = &p->columns[p->quasi[j]];
        uint32_t top = from->hierarchy->tree.n_levels - 1;
        columns[j] = (levels_column){.hierarchy = from->hierarchy,
                                     .min_level = from->study->min_level,
                                     .max_level = from->study->max_level};
        columns[j].max_level = columns[j].max_level > top ? top : columns[j].max_level;
        columns[j].mean = from->study->mean;
        TRY(assess_find_column(&columns[j].release, texts, from->study->name, error));
    }
    return verify_levels(report, texts, columns, n, models, c->memory, error);
}
