/* kith_study_draft: a first study with comments, from the profiles of the columns. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/context.h"
#include "core/error.h"
#include "core/options.h"
#include "core/output.h"
#include "core/text.h"
#include "job/profile/find_hierarchies.h"
#include "job/profile/profile.h"
#include "job/profile/guess_type.h"
#include "study/yaml_text.h"
#include "table/uri.h"

/* The text being written, and what it is written from. */
typedef struct study_writer {
    FILE *out;
    const kith_table *table;
    column_profile *profiles;
    const char *data_uri;
    const char *study_directory;
    arena *memory;
} study_writer;

static void put_number(FILE *out, double value)
{
    char text[32];
    text_format_decimal(text, value);
    fputs(text, out);
}

/* Rounds to 1, 2 or 5 times a power of ten (and at least 1 for whole numbers), so that intervals
 * have round bounds. */
static double round_width(double value, bool whole)
{
    double power = pow(10, floor(log10(value)));
    double digit = value / power;
    double width = (digit >= 7.5 ? 10 : digit >= 3.5 ? 5 : digit >= 1.5 ? 2 : 1) * power;
    return whole && width < 1 ? 1 : width;
}

/* Writes interval widths that double from about a twentieth of the span. False if the values are
 * too few, too large or too close to each other for that. */
static bool put_intervals(FILE *out, const column_profile *p)
{
    const dictionary *d = &p->column->values;
    double low = INFINITY, high = -INFINITY, value;
    for (uint32_t i = 0; i < d->count; i++)
        if (text_decimal(dictionary_text(d, i), dictionary_length(d, i), &value)) {
            low = fmin(low, value);
            high = fmax(high, value);
        }
    bool whole = p->type == KITH_TYPE_INTEGER;
    if (p->distinct < 8 || !(high - low > 0) || fmax(fabs(low), fabs(high)) > 1e12 ||
        high - low < 1e-6)
        return false;
    double width = round_width((high - low) / 20, whole);
    if (whole && width < 2)
        width = 2;
    fputs("    hierarchy: {intervals: [", out);
    put_number(out, width);
    for (int i = 1; i < 6 && width * (1 << i) < high - low; i++) {
        fputs(", ", out);
        put_number(out, width * (1 << i));
    }
    fputs("]}   # widths: each divides the next\n", out);
    return true;
}

/* True for codes such as zip codes: values with the same number of digits that are not quantities.
 */
static bool is_code(const column_profile *p)
{
    uint32_t length = p->distinct == 0 ? 0 : dictionary_length(&p->column->values, 0);
    return p->fixed_digits && (p->type == KITH_TYPE_STRING || length >= 5);
}

/* Writes a builder that suits the values. */
static void put_builder(study_writer *w, const column_profile *p)
{
    if (is_code(p))
        fputs("    hierarchy: {mask: right}   # 12345 > 1234* > 123** > …\n", w->out);
    else if (p->type == KITH_TYPE_DATE)
        fputs("    hierarchy: {dates: [month, quarter, year]}\n", w->out);
    else if (p->type == KITH_TYPE_STRING || !put_intervals(w->out, p))
        fputs("    hierarchy: suppress   # value > *; a file says more: leaf;…;*\n", w->out);
}

/* Looks for a hierarchy file beside the data: its path relative to the study, or NULL, and whether
 * it has all values of the column. */
static kith_status find_file(const study_writer *w, uint32_t index, const char **shown, bool *fits,
                             kith_error *error)
{
    const char *path = NULL;
    *shown = NULL;
    *fits = false;
    if (uri_which(w->data_uri) == URI_CSV && strcmp(w->data_uri, "-") != 0)
        TRY(find_hierarchies_for_column(&path, fits, w->memory, w->table, index, w->data_uri,
                                        error));
    if (path != NULL)
        *shown = find_hierarchies_relative_path(w->memory, path, w->study_directory);
    *fits = *fits && *shown != NULL;
    return KITH_OK;
}

/* Writes the file that was found, or a builder. A file that does not fit is mentioned, since the
 * user may have meant it. */
static void put_hierarchy(study_writer *w, uint32_t index, const char *shown, bool fits)
{
    if (fits) {
        fputs("    hierarchy: ", w->out);
        yaml_text_put(w->out, shown);
        fputc('\n', w->out);
        return;
    }
    if (shown != NULL)
        fputs("    # a hierarchy file stands beside the data, but cannot be used for these values;"
              "\n    # 'kith hierarchy check' tells why\n",
              w->out);
    put_builder(w, &w->profiles[index]);
}

/* Explains why a column of dates or numbers gets the type string, and what to do about it. */
static void put_obstacle(FILE *out, const column_profile *p)
{
    if (p->commas)
        fputs("    # numbers, but commas are not read as decimal points, so they stay text: write\n"
              "    # 1234.50, not 1234,50 or 1.234,50 or 1,234.50, then say type: decimal\n",
              out);
    if (p->short_date)
        fputs(
            "    # dates, but two digits do not tell the century, so they stay text: write years\n"
            "    # of four digits in the data, then say type: date and a format\n",
            out);
}

/* Writes type and date format. Codes stay strings: leading zeros matter. */
static void put_type(FILE *out, const column_profile *p)
{
    if (p->type != KITH_TYPE_STRING && !is_code(p))
        fprintf(out, "    type: %s\n", guess_type_name(p->type));
    if (p->date_format == NULL)
        return;
    fprintf(out, "    format: \"%s\"\n", p->date_format);
    if (p->date_ambiguous)
        fprintf(out,
                "    # no value tells whether day or month comes first: if it is the month, say\n"
                "    # format: \"%%m%c%%d%c%%Y\"\n",
                p->date_format[2], p->date_format[2]);
}

/* Writes one column with the reason for its role. */
static kith_status put_column(study_writer *w, uint32_t index, kith_error *error)
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
    const char *file = NULL;
    bool fits = false;
    if (p->role == ROLE_QUASI_IDENTIFYING)
        TRY(find_file(w, index, &file, &fits, error));
    put_obstacle(w->out, p);
    /* The leaves of a hierarchy file are texts; as dates they would have to be ISO 8601. */
    if (!fits || p->date_format == NULL)
        put_type(w->out, p);
    if (p->role == ROLE_QUASI_IDENTIFYING)
        put_hierarchy(w, index, file, fits);
    return KITH_OK;
}

/* The largest feasible l, in tenths; at most 2. */
static double reachable_l(const column_profile *p, uint32_t rows)
{
    uint32_t most = p->n_top > p->missing ? p->n_top : p->missing;
    double l = most == 0 ? 1 : floor(10.0 * rows / most) / 10;
    return l < 2 ? l : 2;
}

/* Writes an l-diversity for each sensitive column, with an l that the table can satisfy. */
static void put_diversity(study_writer *w)
{
    bool any = false;
    for (uint32_t i = 0; i < w->table->n_columns; i++) {
        const column_profile *p = &w->profiles[i];
        if (p->role != ROLE_SENSITIVE)
            continue;
        any = true;
        double l = reachable_l(p, w->table->n_rows);
        fputs(l > 1 ? "  - {model: l-diversity, variant: frequency, l: "
                    : "  # too many records agree for l-diversity on ",
              w->out);
        if (l > 1) {
            put_number(w->out, l);
            fputs(", attribute: ", w->out);
        }
        yaml_text_put(w->out, p->column->name);
        fputs(l > 1 ? "}   # no value in more than 1/l of a class\n" : "\n", w->out);
    }
    if (!any)
        fputs("  # a sensitive column could be protected too, by\n"
              "  # - {model: l-diversity, variant: frequency, l: 2, attribute: COLUMN}\n",
              w->out);
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

/* The study gets the name of the data file as far as it consists of plain characters. */
static void put_head(study_writer *w)
{
    char name[64];
    const char *slash = strrchr(w->data_uri, '/');
    const char *base = slash == NULL ? w->data_uri : slash + 1;
    size_t length = 0;
    for (; length < sizeof name - 1 && base[length] != '\0' &&
           (isalnum((unsigned char)base[length]) || strchr("_-", base[length]) != NULL);
         length++)
        name[length] = base[length];
    name[length] = '\0';
    fprintf(w->out,
            "# A first study, made from a look at %u records. Roles are suggestions: read them\n"
            "# before you use it, since what others may know cannot be seen in the data.\n"
            "study: ",
            w->table->n_rows);
    yaml_text_put(w->out, isalnum((unsigned char)name[0]) ? name : "first");
    fputs("\n\n# role: identifying (never released), quasi-identifying (others may know it: is\n"
          "# generalized), sensitive (is protected), insensitive (is released as it is)\n"
          "columns:\n",
          w->out);
}

/* Writes models, measure and the keys that most users want to know. */
static void put_tail(study_writer *w)
{
    uint32_t rows = w->table->n_rows, k = rows >= 5 ? 5 : rows >= 2 ? rows : 2;
    fprintf(w->out,
            "\nprivacy:\n"
            "  - {model: k-anonymity, k: %u}   # nobody is in a class of fewer than k records\n",
            k);
    put_diversity(w);
    fputs("\nutility:\n"
          "  measure: lm        # what is kept small: lm, em, entropy, tree and others\n"
          "  # weights: {}      # columns that matter more, such as {age: 2}\n"
          "\n# algorithm: mondrian   # another algorithm than the default\n"
          "missing: value       # missing cells: value, wildcard, reject or drop\n"
          "# missing_values: [\"\", \"NULL\"]   # texts that mean missing\n",
          w->out);
}

/* The whole text; free it with kith_free. */
static kith_status draft_table(char **text, study_writer *w, context *c, kith_error *error)
{
    size_t length;
    w->out = TRY_ALLOC(open_memstream(text, &length), error);
    kith_status status = profile_table(&w->profiles, w->table, c, error);
    if (status == KITH_OK) {
        ensure_quasi(w);
        put_head(w);
        for (uint32_t i = 0; i < w->table->n_columns && status == KITH_OK; i++)
            status = put_column(w, i, error);
        put_tail(w);
    }
    bool failed = ferror(w->out) != 0;
    if ((fclose(w->out) != 0 || failed) && status == KITH_OK)
        status = error_nomem(error);
    if (status != KITH_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

/* The directory of the study: paths in it are relative to that. */
static const char *directory_of(const char *path, arena *memory)
{
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    if (slash == NULL)
        return ".";
    return arena_strndup(memory, path, slash == path ? 1 : (size_t)(slash - path));
}

/* Reads the data, drafts the study and writes it if there is an output. */
static kith_status draft(char **text, const kith_draft_options *o, context *c, kith_error *error)
{
    kith_table *table = NULL;
    const kith_table_options reading =
        KITH_OPTIONS(kith_table_options, .separator = o->separator, .csv = o->csv);
    study_writer w = {.data_uri = o->data,
                      .study_directory = directory_of(o->output, c->memory),
                      .memory = c->memory};
    TRY_ALLOC(w.study_directory, error);
    TRY(kith_table_read(&table, o->data, &reading, c->run, error));
    w.table = table;
    kith_status status = draft_table(text, &w, c, error);
    kith_table_free(table);
    if (status != KITH_OK || o->output == NULL)
        return status;
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
    TRY(OPTIONS_TAKE(kith_draft_options, separator, &own, options, error));
    TRY(options_need(own.data, "data", error));
    TRY(context_init(&c, run, error));
    kith_status status = draft(&made, &own, &c, error);
    context_wipe(&c);
    if (status == KITH_OK && text != NULL)
        *text = made;
    else
        kith_free(made);
    return status;
}
