#include "job/prepare/earlier_releases.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/sort.h"
#include "table/intern.h"
#include "table/rows/row_groups.h"

/* Columns of a mapping, see mapping.h. */
enum { COLUMN_PERSON, COLUMN_VALUE, COLUMN_CLASS, COLUMNS };

/* Signatures while they are collected. The texts of a class are at most as many as its records, so
 * that one text per record of all mappings is room enough. */
typedef struct signature_builder {
    signatures *s;
    uint32_t *of, *start;
    uint32_t used; /* texts */
} signature_builder;

/* The distinct values of one class become the next signature. Texts are kept, not codes, because
 * every mapping has a dictionary of its own. */
static void add_signature(signature_builder *f, const column *values, uint32_t *codes,
                          uint32_t size)
{
    qsort(codes, size, sizeof *codes, sort_uint32);
    for (uint32_t i = 0; i < size; i++)
        if (i == 0 || codes[i] != codes[i - 1])
            f->s->texts[f->used++] =
                codes[i] == TABLE_MISSING ? NULL : dictionary_text(&values->values, codes[i]);
    f->start[++f->s->count] = f->used;
}

/* Adds the signatures of one mapping and gives them to the persons of the table who are in it. A
 * later mapping overwrites what an earlier one said about a person. */
static kith_status add_mapping(signature_builder *f, const kith_table *mapping, const prepared *p,
                               const column *persons, arena *memory, kith_error *error)
{
    const uint32_t by_class[] = {COLUMN_CLASS};
    const column *ids = &mapping->columns[COLUMN_PERSON], *of = &mapping->columns[COLUMN_CLASS];
    const column *values = &mapping->columns[COLUMN_VALUE];
    row_groups classes;
    row_groups_lists members;
    intern known_ids;
    const uint32_t first = f->s->count;
    TRY(row_groups_by(&classes, memory, mapping, by_class, 1, error));
    TRY(row_groups_list(&members, &classes, memory, error));
    /* Makes the texts of a dictionary findable. They are distinct, so that each gets its own code
     * of the dictionary. */
    TRY(intern_init(&known_ids, memory, NULL, error));
    for (uint32_t code = 0; code < ids->values.count; code++) {
        uint32_t given;
        TRY(intern_add(&known_ids, dictionary_text(&ids->values, code),
                       dictionary_length(&ids->values, code), &given, error));
        ASSERT(given == code);
    }
    uint32_t *codes = TRY_ALLOC(arena_array(memory, mapping->n_rows, sizeof *codes), error);
    uint32_t *of_person = TRY_ZEROS(of_person, memory, ids->values.count, error);
    for (uint32_t i = 0; i < mapping->n_rows; i++)
        codes[i] = values->codes[members.rows[i]];
    for (uint32_t g = 0; g < classes.count; g++)
        add_signature(f, values, codes + members.starts[g],
                      members.starts[g + 1] - members.starts[g]);
    for (uint32_t i = 0; i < mapping->n_rows; i++) /* a suppressed record has no class */
        if (ids->codes[i] != TABLE_MISSING && of->codes[i] != TABLE_MISSING)
            of_person[ids->codes[i]] = first + classes.of[i];
    for (uint32_t i = 0; i < p->n_rows; i++) {
        uint32_t code = persons->codes[p->rows[i]];
        if (code == TABLE_MISSING)
            continue;
        uint32_t found = intern_find(&known_ids, dictionary_text(&persons->values, code),
                                     dictionary_length(&persons->values, code));
        if (found != INTERN_NONE && of_person[found] > 0)
            f->of[i] = of_person[found];
    }
    return KITH_OK;
}

kith_status earlier_releases_read(signatures *s, const prepared *p, const model_spec *m, context *c,
                                  kith_error *error)
{
    uint32_t place = table_find(p->table, m->person);
    if (place == UINT32_MAX)
        return error_set(error, KITH_DATA, "%s has no column %s, which tells records apart",
                         p->table->source, m->person);
    kith_table **mapping = TRY_ALLOC(arena_array(c->memory, m->n_previous, sizeof *mapping), error);
    size_t n_rows = 0;
    for (uint32_t i = 0; i < m->n_previous; i++) {
        /* The table lives as long as the context, because signatures point to its texts. */
        const char *path = m->previous[i];
        kith_column_spec columns[COLUMNS] = {
            [COLUMN_PERSON] = {.name = m->person},
            [COLUMN_VALUE] = {.name = m->attribute},
            [COLUMN_CLASS] = {.name = "_kith_class"},
        };
        kith_table_options options =
            KITH_OPTIONS(kith_table_options, .columns = columns, .n_columns = COLUMNS);
        TRY(kith_table_read(&mapping[i], path, &options, c->run, error));
        TRY(table_own(mapping[i], c->memory, error));
        n_rows += mapping[i]->n_rows;
    }
    *s = (signatures){.count = 1};
    signature_builder f = {.s = s};
    f.of = TRY_ALLOC(arena_zalloc(c->memory, p->n_rows, sizeof *f.of), error);
    /* as many signatures as rows, the empty one, and the end */
    f.start = TRY_ALLOC(arena_zalloc(c->memory, n_rows + 2, sizeof *f.start), error);
    s->texts = TRY_ALLOC(arena_zalloc(c->memory, n_rows, sizeof *s->texts), error);
    for (uint32_t i = 0; i < m->n_previous; i++)
        TRY(add_mapping(&f, mapping[i], p, &p->table->columns[place], c->memory, error));
    s->of = f.of;
    s->start = f.start;
    return KITH_OK;
}

kith_status earlier_releases_bind(model_facts *f, prepared *p, const prepared_column *own,
                                  const model_spec *m, context *c, kith_error *error)
{
    signatures s;
    TRY(earlier_releases_read(&s, p, m, c, error));
    const dictionary *values = &p->table->columns[own->source].values;
    const char *format = own->study->date_format;
    uint32_t *codes = TRY_ALLOC(arena_array(c->memory, s.start[s.count], sizeof *codes), error);
    for (uint32_t i = 0; i < s.start[s.count]; i++)
        codes[i] = s.texts[i] == NULL ? values->count /* missing, see make_sensitive */
                                      : dictionary_find(values, format, s.texts[i]);
    f->signature = p->problem.n_sensitive;
    f->signature_start = s.start;
    f->signature_value = codes;
    /* m-invariance must see the earlier signature of every record in a class. The search knows how
     * to count sensitive values per class, so the signature is handed to it as one more of them. */
    sensitive_attribute *sensitive =
        TRY_ARRAY(sensitive, c->memory, p->problem.n_sensitive + (size_t)1, error);
    memcpy(sensitive, p->problem.sensitive, p->problem.n_sensitive * sizeof *sensitive);
    sensitive[p->problem.n_sensitive++] = (sensitive_attribute){.values = s.of, .count = s.count};
    p->problem.sensitive = sensitive;
    return KITH_OK;
}
