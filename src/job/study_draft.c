/* kith_study_draft: a first study with comments, from the profiles of the columns. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/context.h"
#include "core/error.h"
#include "core/options.h"
#include "core/system/output.h"
#include "core/sort.h"
#include "core/text.h"
#include "core/system/text_stream.h"
#include "job/prepare/kept_rows.h"
#include "job/profile/find_hierarchies.h"
#include "job/profile/profile.h"
#include "job/profile/suggest_hierarchy.h"
#include "job/profile/guess.h"
#include "study/study.h"
#include "study/yaml/yaml_text.h"
#include "table/table_input.h"
#include "table/uri.h"

/* The text being written, and what it is written from. */
typedef struct study_writer {
    FILE *out;
    const kith_table *table;
    column_profile *profiles;
    const char *data_uri; /* NULL: a table in memory */
    const char *study_directory;
    bool guessed_missing; /* some texts among numbers or dates are taken for missing */
    uint32_t unit;        /* the column that tells persons with several rows apart; UINT32_MAX */
    arena *memory;
} study_writer;

/* A hierarchy file next to the data. */
typedef struct found_file {
    const char *shown;    /* its path relative to the study, or NULL */
    bool fits;            /* it has all values of the column */
    const char *encoding; /* that of the data, if it can be read in no other */
} found_file;

/* The encoding that a study has to name for this file; NULL: none. */
static kith_status find_encoding(const char **encoding, const char *path, const kith_table *table,
                                 kith_error *error)
{
    kith_hierarchy *h = NULL;
    const kith_status status = kith_hierarchy_read(&h, path, NULL, NULL, error);
    kith_hierarchy_free(h);
    *encoding = status == KITH_OK ? NULL : table->encoding;
    return status == KITH_NOMEM || status == KITH_IO ? status : KITH_OK;
}

static kith_status find_file(const study_writer *w, uint32_t index, found_file *f,
                             kith_error *error)
{
    const char *path = NULL;
    *f = (found_file){.shown = NULL};
    if (w->data_uri != NULL && uri_is_path(w->data_uri) && strcmp(w->data_uri, "-") != 0)
        TRY(find_hierarchies_for_column(&path, &f->fits, w->memory, w->table, index, w->data_uri,
                                        error));
    if (path != NULL)
        TRY(find_hierarchies_relative_path(&f->shown, w->memory, path, w->study_directory, error));
    if (f->fits && w->table->encoding != NULL)
        TRY(find_encoding(&f->encoding, path, w->table, error));
    return KITH_OK;
}

/* Writes the file that was found, or a builder. A file that does not fit is mentioned, since the
 * user may have meant it. */
static void put_hierarchy(study_writer *w, uint32_t index, const found_file *f)
{
    if (f->fits) {
        fputs(f->encoding == NULL ? "    hierarchy: " : "    hierarchy: {file: ", w->out);
        yaml_text_put(w->out, f->shown);
        if (f->encoding != NULL) {
            fputs(", encoding: ", w->out);
            yaml_text_put(w->out, f->encoding);
            fputc('}', w->out);
        }
        fputc('\n', w->out);
        return;
    }
    if (f->shown != NULL)
        fputs("    # there is a hierarchy file next to the data, but it cannot be used for these "
              "values;"
              "\n    # 'kith hierarchy check' tells why\n",
              w->out);
    suggest_hierarchy_put(w->out, &w->profiles[index]);
}

static void put_spoilers(FILE *out, const column_profile *p)
{
    const spoilers *spoiled = &p->spoilers;
    for (uint32_t i = 0; i < spoiled->count; i++) {
        char quoted[64];
        text_quote(quoted, sizeof quoted, dictionary_text(&p->column->values, spoiled->codes[i]),
                   dictionary_length(&p->column->values, spoiled->codes[i]));
        fprintf(out, "%s'%s'", i == 0 ? "" : ", ", quoted);
    }
}

/* Says what a few texts have to do with the type. */
static void put_obstacle(const study_writer *w, const column_profile *p)
{
    const spoilers *spoiled = &p->spoilers;
    if (spoiled->count == 0)
        return;
    fprintf(w->out, "    # all but %u of %u cells are ", spoiled->n_cells,
            w->table->n_rows - p->missing);
    if (spoiled->type == KITH_TYPE_STRING)
        fprintf(w->out, "codes of %u digits: ", spoiled->digits);
    else
        fprintf(w->out, "of type %s: ", guess_type_name(spoiled->type));
    put_spoilers(w->out, p);
    fputs(spoiled->missing ? "\n    # is taken to mean missing, see missing_values below\n"
          : spoiled->type == KITH_TYPE_STRING
              ? "\n    # is another text: mend the data, then say hierarchy: {mask: right}\n"
              : "\n    # keeps them text: mend the data, then say that type\n",
          w->out);
}

/* What could as well be meant by the format. */
static void put_ambiguous(FILE *out, const column_profile *p)
{
    if (p->type == KITH_TYPE_DATE)
        fprintf(out,
                "    # no value tells whether day or month comes first: if it is the month, say\n"
                "    # format: \"%%m%c%%d%c%%%s\"\n",
                p->format[2], p->format[2], p->format + strlen("%d.%m.%"));
    else
        fprintf(out, "    # the commas could as well %s: then say decimal: %s\n",
                p->format[0] == ',' ? "group the digits of thousands" : "be decimal commas",
                p->format[0] == ',' ? "point" : "comma");
}

/* Writes type and format. Codes stay strings: leading zeros matter. */
static void put_type(FILE *out, const column_profile *p)
{
    if (p->type != KITH_TYPE_STRING && !suggest_hierarchy_is_code(p))
        fprintf(out, "    type: %s\n", guess_type_name(p->type));
    if (p->format == NULL)
        return;
    if (p->type == KITH_TYPE_DATE)
        fprintf(out, "    format: \"%s\"\n", p->format);
    else
        fprintf(out, "    decimal: %s\n", p->format[0] == ',' ? "comma" : "point");
    if (p->type == KITH_TYPE_DATE && strstr(p->format, "%y") != NULL)
        fputs("    # years of two digits: 69 to 99 are 1969 to 1999, 00 to 68 are 2000 to 2068\n",
              out);
    if (p->ambiguous)
        put_ambiguous(out, p);
}

/* Writes one column with the reason for its role. */
static kith_status study_draft_put_column(study_writer *w, uint32_t index, kith_error *error)
{
    const column_profile *p = &w->profiles[index];
    if (p->column->name[0] == '\0') {
        fputs("  # a column without a name is left out: identifying\n", w->out);
        return KITH_OK;
    }
    fputs("  - name: ", w->out);
    yaml_text_put(w->out, p->column->name);
    fprintf(w->out, "\n    role: %s   # %s\n", profile_role_name(p->role), p->why);
    if (p->role == ROLE_IDENTIFYING)
        return KITH_OK;
    found_file file = {.shown = NULL};
    if (p->role == ROLE_QUASI_IDENTIFYING)
        TRY(find_file(w, index, &file, error));
    put_obstacle(w, p);
    /* The leaves of a hierarchy file are texts; as dates they would have to be ISO 8601. */
    if (!file.fits || p->format == NULL)
        put_type(w->out, p);
    if (p->role == ROLE_QUASI_IDENTIFYING)
        put_hierarchy(w, index, &file);
    return KITH_OK;
}

static bool is_spoiler(const column_profile *p, const char *text)
{
    for (uint32_t i = 0; i < p->spoilers.count; i++)
        if (strcmp(dictionary_text(&p->column->values, p->spoilers.codes[i]), text) == 0)
            return true;
    return false;
}

/* Every text once, although several columns may have it. */
static void put_missing_values(study_writer *w)
{
    fputs("missing_values: [\"\"", w->out);
    for (uint32_t i = 0; i < w->table->n_columns; i++) {
        const column_profile *p = &w->profiles[i];
        for (uint32_t k = 0; p->spoilers.missing && k < p->spoilers.count; k++) {
            const char *text = dictionary_text(&p->column->values, p->spoilers.codes[k]);
            bool before = p->role == ROLE_IDENTIFYING;
            for (uint32_t j = 0; j < i && !before; j++)
                before = w->profiles[j].role != ROLE_IDENTIFYING &&
                         w->profiles[j].spoilers.missing && is_spoiler(&w->profiles[j], text);
            if (before)
                continue;
            fputs(", ", w->out);
            yaml_text_put(w->out, text);
        }
    }
    fputs("]   # texts that mean missing, in all columns\n", w->out);
}

/* The largest share of the persons who have a value, a missing one included. Rows whose person is
 * not known count as those of one more person. */
static kith_status share_of_persons(double *share, const study_writer *w, uint32_t index,
                                    kith_error *error)
{
    const column *units = &w->table->columns[w->unit], *values = &w->table->columns[index];
    const uint32_t n_rows = w->table->n_rows, n_units = units->values.count + 1;
    uint64_t *pair = TRY_ARRAY(pair, w->memory, n_rows, error);
    for (uint32_t row = 0; row < n_rows; row++)
        pair[row] = (uint64_t)values->codes[row] << 32 |
                    (units->codes[row] == TABLE_MISSING ? n_units - 1 : units->codes[row]);
    qsort(pair, n_rows, sizeof *pair, sort_uint64);
    uint32_t most = 0, own = 0;
    for (uint32_t i = 0; i < n_rows; i++) {
        if (i > 0 && pair[i] == pair[i - 1])
            continue;
        own = i > 0 && pair[i] >> 32 == pair[i - 1] >> 32 ? own + 1 : 1;
        most = own > most ? own : most;
    }
    *share = fmin(1, (double)most / w->profiles[w->unit].distinct);
    arena_release(w->memory, pair, n_rows * sizeof *pair);
    return KITH_OK;
}

/* An l, in hundredths and at most 2, that leaves room between the share of the most frequent value
 * in the table and the largest one in a class: a fifth of what is missing to all records. Without
 * room every class would have to be like the whole table, and a release might be one class. */
static kith_status roomy_l(double *l, const study_writer *w, uint32_t index, kith_error *error)
{
    const column_profile *p = &w->profiles[index];
    const uint32_t most = p->n_top > p->missing ? p->n_top : p->missing, rows = w->table->n_rows;
    double share = rows == 0 ? 1 : (double)most / rows;
    if (w->unit != UINT32_MAX)
        TRY(share_of_persons(&share, w, index, error));
    *l = fmin(2, floor(100 / (share + (1 - share) / 5)) / 100);
    return KITH_OK;
}

/* Writes an l-diversity for each sensitive column, with an l that leaves room for classes. */
static kith_status put_diversity(study_writer *w, kith_error *error)
{
    bool any = false;
    for (uint32_t i = 0; i < w->table->n_columns; i++) {
        const column_profile *p = &w->profiles[i];
        if (p->role != ROLE_SENSITIVE)
            continue;
        any = true;
        double l;
        TRY(roomy_l(&l, w, i, error));
        fputs(l > 1                   ? "  - {model: l-diversity, variant: frequency, l: "
              : w->unit == UINT32_MAX ? "  # too many records agree for l-diversity on "
                                      : "  # too many persons have one value for l-diversity on ",
              w->out);
        if (l > 1) {
            fprintf(w->out, "%g, attribute: ", l);
        }
        yaml_text_put(w->out, p->column->name);
        fputs(l > 1 ? "}   # no value in more than 1/l of a class\n" : "\n", w->out);
    }
    if (!any)
        fputs("  # a sensitive column could be protected too, by\n"
              "  # - {model: l-diversity, variant: frequency, l: 2, attribute: COLUMN}\n",
              w->out);
    return KITH_OK;
}

/* The first column that tells persons with several rows apart. */
static uint32_t find_unit(const study_writer *w)
{
    for (uint32_t i = 0; i < w->table->n_columns; i++)
        if (w->profiles[i].role == ROLE_IDENTIFYING && profile_tells_persons(&w->profiles[i]))
            return i;
    return UINT32_MAX;
}

/* What a person is, whom models count. That each row is one cannot be seen in the data. */
static void put_unit(const study_writer *w)
{
    if (w->unit == UINT32_MAX) {
        fputs("\n# unit: row          # if each row is one person; otherwise the columns that tell "
              "persons apart\n",
              w->out);
        return;
    }
    fputs("\nunit: ", w->out);
    yaml_text_put(w->out, w->profiles[w->unit].column->name);
    fprintf(w->out,
            "   # whose the rows are: %u values in %u rows. Models count them, not rows;\n"
            "            # 'unit: row' if each row is a person\n",
            w->profiles[w->unit].distinct, w->table->n_rows - w->profiles[w->unit].missing);
}

/* A study needs a quasi-identifying column. If no column looks like one, the one with the fewest
 * values becomes it, and its comment asks the user to choose. */
static void ensure_quasi(study_writer *w)
{
    column_profile *least = NULL;
    for (uint32_t i = 0; i < w->table->n_columns; i++) {
        column_profile *p = &w->profiles[i];
        if (p->role == ROLE_QUASI_IDENTIFYING && p->column->name[0] != '\0')
            return;
        if (p->column->name[0] != '\0' && (least == NULL || p->distinct < least->distinct))
            least = p;
    }
    if (least == NULL)
        return;
    least->role = ROLE_QUASI_IDENTIFYING;
    least->why = "a study needs at least one: choose it yourself";
}

/* The name of the data: of the file without its directory, of a database's table without its
 * schema. */
static kith_status data_name(const char **name, const study_writer *w, kith_error *error)
{
    const char *address, *table, *mark;
    *name = w->data_uri == NULL ? "" : w->data_uri;
    if (w->data_uri == NULL)
        return KITH_OK;
    if (!uri_is_path(w->data_uri)) {
        TRY(uri_split(w->memory, w->data_uri, &address, &table, error));
        *name = table;
    }
    mark = strrchr(*name, uri_is_path(w->data_uri) ? '/' : '.');
    if (mark != NULL)
        *name = mark + 1;
    return KITH_OK;
}

/* The study gets the name of the data as far as it consists of plain characters. */
static kith_status put_head(study_writer *w, kith_error *error)
{
    char name[64];
    const char *base;
    size_t length = 0;
    TRY(data_name(&base, w, error));
    for (; length < sizeof name - 1 && base[length] != '\0' &&
           (isalnum((unsigned char)base[length]) || strchr("_-", base[length]) != NULL);
         length++)
        name[length] = base[length];
    name[length] = '\0';
    fprintf(w->out,
            "# A first study, made from a look at %u records. Roles are suggestions: read them\n"
            "# before you use it, since what others may know cannot be seen in the data.\n"
            "%sstudy: ",
            w->table->n_rows,
            profile_header_is_data(w->table, w->profiles)
                ? "# The first line looks like a row: if the file has no header, say --no-header.\n"
                : "");
    yaml_text_put(w->out, isalnum((unsigned char)name[0]) ? name : "first");
    fputs("\n\n# role: identifying (never released), quasi-identifying (others may know it: is\n"
          "# generalized), sensitive (is protected), insensitive (is released as it is)\n"
          "columns:\n",
          w->out);
    return KITH_OK;
}

/* Writes models, measure and the keys that most users want to know. */
static kith_status put_tail(study_writer *w, kith_error *error)
{
    const bool persons = w->unit != UINT32_MAX;
    const uint32_t n = persons ? w->profiles[w->unit].distinct : w->table->n_rows;
    const uint32_t k = n >= 5 ? 5 : n >= 2 ? n : 2;
    put_unit(w);
    fprintf(w->out,
            "\nprivacy:\n"
            "  - {model: k-anonymity, k: %u}   # no class has fewer than k %s\n",
            k, persons ? "persons" : "records");
    TRY(put_diversity(w, error));
    fputs("\nutility:\n"
          "  measure: lm        # what is kept small: lm, em, entropy, tree and others\n"
          "  # weights: {}      # columns that matter more, such as {age: 2}\n"
          "\n# algorithm: mondrian   # another algorithm than the default\n"
          "missing: value       # missing cells: value, wildcard, reject or drop\n",
          w->out);
    if (w->guessed_missing)
        put_missing_values(w);
    else
        fputs("# missing_values: [\"\", \"NULL\"]   # texts that mean missing\n", w->out);
    return KITH_OK;
}

/* The whole text; free it with kith_free. */
static kith_status draft_table(char **text, study_writer *w, context *c, kith_error *error)
{
    size_t length;
    w->out = TRY_ALLOC(open_memstream(text, &length), error);
    kith_status status = profile_table(&w->profiles, w->table, c, error);
    if (status == KITH_OK) {
        ensure_quasi(w);
        /* Takes texts among numbers and dates for missing where nothing else can be meant. Then the
         * column has the type of its other values. */
        for (uint32_t i = 0; i < w->table->n_columns; i++) {
            column_profile *p = &w->profiles[i];
            if (p->spoilers.count == 0 || !p->spoilers.missing || p->role == ROLE_IDENTIFYING)
                continue;
            p->type = p->spoilers.type;
            p->format = p->spoilers.format;
            p->digits = p->spoilers.digits;
            w->guessed_missing = true;
        }
        w->unit = find_unit(w);
        status = put_head(w, error);
        for (uint32_t i = 0; i < w->table->n_columns && status == KITH_OK; i++)
            status = study_draft_put_column(w, i, error);
        if (status == KITH_OK)
            status = put_tail(w, error);
    }
    const kith_status closed = text_stream_close(w->out, text, status == KITH_OK ? error : NULL);
    if (status == KITH_OK)
        return closed;
    free(*text);
    *text = NULL;
    return status;
}

/* Reads the data, drafts the study and writes it if there is an output. */
static kith_status draft(char **text, const kith_draft_options *o, context *c, kith_error *error)
{
    kith_input data;
    TRY(table_input_need(&data, o->data, "data", error));
    const kith_table_options reading = KITH_INIT(kith_table_options);
    study_writer w = {.data_uri = data.uri,
                      .study_directory = study_directory_of(o->output, c->memory),
                      .memory = c->memory};
    TRY_ALLOC(w.study_directory, error);
    TRY(table_input_read(&w.table, &data, &reading, c->run, c->memory, error));
    TRY(kept_rows_full(&w.table, w.table, w.table->n_columns, c->memory, error));
    /* A study could not have these names. */
    for (uint32_t i = 0; i < w.table->n_columns; i++) {
        const char *name = w.table->columns[i].name;
        if (study_is_plain(name))
            continue;
        char quoted[120];
        text_quote(quoted, sizeof quoted, name, strlen(name));
        error_set(error, KITH_DATA, "%s: the name '%s' of column %u has control characters",
                  w.table->source, quoted, (unsigned)i + 1);
        return error_hint(error, KITH_DATA, "give the column another name");
    }
    if (w.table->n_rows == 0)
        return error_set(error, KITH_DATA, "%s has no rows, so that nothing can be suggested",
                         w.table->source);
    TRY(draft_table(text, &w, c, error));
    if (o->output == NULL)
        return KITH_OK;
    output *out;
    TRY(output_open(&out, c->memory, o->output, o->overwrite, error));
    output_text(out, *text);
    return output_commit(out, error);
}

kith_status kith_study_draft(char **text, const kith_draft_options *options, const kith_run *run,
                             kith_error *error)
{
    kith_draft_options own;
    context c;
    char *made = NULL;
    TRY(OPTIONS_TAKE(kith_draft_options, overwrite, &own, options, error));
    TRY(context_init(&c, run, error));
    kith_status status = draft(&made, &own, &c, error);
    context_wipe(&c);
    if (status == KITH_OK && text != NULL)
        *text = made;
    else
        kith_free(made);
    return status;
}
