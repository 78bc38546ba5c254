#include "job/check/look.h"

#include <sys/stat.h>

#include "core/error.h"
#include "job/prepare/units.h"
#include "job/profile/released_columns.h"
#include "table/source.h"
#include "table/uri.h"

static void free_findings(void *findings)
{
    kith_findings_free(findings);
}

static kith_status new_findings(kith_findings **findings, context *c, kith_error *error)
{
    *findings = TRY_ALLOC(kith_findings_new(), error);
    return arena_defer(c->memory, free_findings, *findings) ? KITH_OK : error_nomem(error);
}

kith_status look_at_table(const kith_findings **findings, const kith_study *study,
                          const kith_table *table, context *c, kith_error *error)
{
    kith_findings *found = NULL;
    TRY(new_findings(&found, c, error));
    *findings = found;
    units_warn(found, study, table);
    return released_columns_warn(found, study, table, c, error);
}

static bool tells(const void *study, const char *name)
{
    return released_columns_tell(study, name);
}

static kith_status read_more(const source *s, void *study, kith_table **table, kith_error *error)
{
    source more = *s;
    more.also = tells;
    more.also_user = study;
    return source_read_whole(&more, table, error);
}

static bool is_small_file(const char *uri)
{
    struct stat found;
    return uri != NULL && uri_is_path(uri) && stat(uri, &found) == 0 && S_ISREG(found.st_mode) &&
           found.st_size <= LOOK_BYTES;
}

/* Identifiers stand behind the other columns, and are cut off when they have been looked at: their
 * values must not reach anything else. */
kith_status look_read(const kith_table **table, const kith_findings **findings,
                      const kith_study *study, const kith_input *from, context *c,
                      kith_error *error)
{
    kith_table_options options = study_table_options(study);
    kith_table *read = NULL;
    if (!is_small_file(from->uri)) {
        TRY(table_input_read(table, from, &options, c->run, c->memory, error));
        return look_at_table(findings, study, from->table != NULL ? from->table : *table, c, error);
    }
    options.separator = from->separator;
    options.csv = from->csv;
    TRY(source_read(&read, from->uri, &options, c->run, read_more, (void *)study, error));
    TRY(table_own(read, c->memory, error));
    TRY(look_at_table(findings, study, read, c, error));
    read->n_columns = (uint32_t)options.n_columns;
    *table = read;
    return KITH_OK;
}

kith_status look_for_repeats(const kith_findings **findings, const kith_study *study,
                             const kith_input *from, context *c, kith_error *error)
{
    const kith_table *table = from->table;
    kith_table_options options = study_table_options(study);
    kith_findings *found = NULL;
    kith_error unread; /* the job reads what it needs, and says what is wrong there */
    context scratch = *c;
    TRY(new_findings(&found, c, error));
    *findings = found;
    options.columns = NULL; /* all, as texts */
    options.n_columns = 0;
    if (table == NULL && !is_small_file(from->uri))
        return KITH_OK;
    scratch.memory = TRY_ALLOC(arena_new_like(c->memory), error);
    const kith_status status =
        table != NULL ? KITH_OK
                      : table_input_read(&table, from, &options, c->run, scratch.memory, &unread);
    if (status == KITH_OK)
        released_columns_warn_repeated(found, study, table);
    arena_free(scratch.memory);
    return status == KITH_NOMEM ? error_nomem(error) : KITH_OK;
}
