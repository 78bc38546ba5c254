#include "job/profile.h"

#include "core/error.h"
#include "job/text_type.h"

static bool fixed_digits(const dictionary *d)
{
    for (uint32_t i = 0; i < d->count; i++) {
        uint32_t length = dictionary_length(d, i);
        if (length != dictionary_length(d, 0))
            return false;
        for (uint32_t j = 0; j < length; j++)
            if (dictionary_text(d, i)[j] < '0' || dictionary_text(d, i)[j] > '9')
                return false;
    }
    return d->count > 0 && dictionary_length(d, 0) >= 3;
}

static kith_status count_values(column_profile *p, uint32_t rows, arena *memory, kith_error *error)
{
    const column *c = p->column;
    uint32_t *count = arena_zalloc(memory, (size_t)c->values.count + 1, sizeof *count);
    TRY_ALLOC(count, error);
    for (uint32_t row = 0; row < rows; row++)
        if (c->codes[row] == TABLE_MISSING)
            p->missing++;
        else
            count[c->codes[row]]++;
    p->top = TABLE_MISSING;
    for (uint32_t i = 0; i < c->values.count; i++) {
        p->unique += count[i] == 1;
        if (count[i] > p->top_count) {
            p->top = i;
            p->top_count = count[i];
        }
    }
    arena_release(memory, count, ((size_t)c->values.count + 1) * sizeof *count);
    return KITH_OK;
}

kith_status profile_table(column_profile **profiles, const kith_table *table, context *c,
                          kith_error *error)
{
    *profiles = arena_zalloc(c->memory, (size_t)table->columns + 1, sizeof **profiles);
    TRY_ALLOC(*profiles, error);
    for (uint32_t i = 0; i < table->columns; i++) {
        column_profile *p = &(*profiles)[i];
        p->column = &table->column[i];
        p->distinct = p->column->values.count;
        p->type = text_type_infer(&p->column->values);
        p->fixed_digits = fixed_digits(&p->column->values);
        TRY(count_values(p, table->rows, c->memory, error));
        profile_suggest(p, table->rows);
        if (!context_progress(c, "describe", (i + 1.0) / table->columns))
            return error_set(error, KITH_CANCELLED, "interrupted");
    }
    return KITH_OK;
}

const char *profile_role_name(role which)
{
    static const char *const names[] = {
        [ROLE_IDENTIFYING] = "identifying",
        [ROLE_QUASI_IDENTIFYING] = "quasi-identifying",
        [ROLE_SENSITIVE] = "sensitive",
        [ROLE_INSENSITIVE] = "insensitive",
    };
    return names[which];
}
