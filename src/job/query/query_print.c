#include "job/query/query_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/document.h"
#include "core/error.h"
#include "core/text.h"
#include "core/system/text_stream.h"

enum { NUMBER = 40 };

kith_status query_format_find(query_format *format, const char *name, kith_error *error)
{
    static const char *const names[] = {"table", "csv", "json"};
    char quoted[60];
    *format = QUERY_TABLE;
    if (name == NULL)
        return KITH_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) {
            *format = (query_format)i;
            return KITH_OK;
        }
    text_quote(quoted, sizeof quoted, name, strlen(name));
    return error_set(error, KITH_INVALID, "unknown format '%s': expected table, csv or json",
                     quoted);
}

/* `number` has room for it. */
static const char *query_print_show(const query_value *v, const char *missing, char number[NUMBER])
{
    if (v->kind == QUERY_VALUE_NULL)
        return missing;
    if (v->kind == QUERY_VALUE_TEXT)
        return v->text;
    text_format_decimal(number, v->number);
    return number;
}

/* --- table --- */

static size_t width_of(const char *text)
{
    return text_characters(text, strlen(text));
}

static const char *show_in_table(const query_value *v, char number[NUMBER])
{
    if (v->kind != QUERY_VALUE_NUMBER)
        return query_print_show(v, "-", number);
    /* Four places, without zeros at the end. */
    snprintf(number, NUMBER, fabs(v->number) < 1e15 ? "%.4f" : "%.10g", v->number);
    size_t length = strchr(number, '.') == NULL ? 0 : strlen(number);
    while (length > 0 && number[length - 1] == '0')
        number[--length] = '\0';
    if (length > 0 && number[length - 1] == '.')
        number[length - 1] = '\0';
    return number;
}

/* Texts to the left, numbers to the right. */
static void print_cell(FILE *out, const char *text, size_t width, bool right, bool last)
{
    const int padding = (int)(width - width_of(text));
    fprintf(out, "%*s%s", right ? padding : 0, "", text);
    if (last)
        fputc('\n', out);
    else
        fprintf(out, "%*s", right ? 2 : padding + 2, "");
}

static kith_status print_table(FILE *out, const query_answer *a, kith_error *error)
{
    char number[NUMBER];
    const size_t n = (size_t)a->n_rows * a->n_columns;
    size_t *width = calloc(a->n_columns, sizeof *width);
    bool *right = calloc(a->n_columns, sizeof *right);
    if (width == NULL || right == NULL) {
        free(width);
        free(right);
        return error_nomem(error);
    }
    for (uint32_t c = 0; c < a->n_columns; c++)
        width[c] = width_of(a->titles[c]);
    for (size_t i = 0; i < n; i++) {
        const size_t w = width_of(show_in_table(&a->values[i], number));
        const size_t c = i % a->n_columns;
        width[c] = w > width[c] ? w : width[c];
        right[c] = right[c] || a->values[i].kind == QUERY_VALUE_NUMBER;
    }
    for (uint32_t c = 0; c < a->n_columns; c++)
        print_cell(out, a->titles[c], width[c], right[c], c + 1 == a->n_columns);
    for (size_t i = 0; i < n; i++) {
        const size_t c = i % a->n_columns;
        print_cell(out, show_in_table(&a->values[i], number), width[c], right[c],
                   c + 1 == a->n_columns);
    }
    free(width);
    free(right);
    return KITH_OK;
}

/* --- CSV --- */

static void print_field(FILE *out, const char *text, bool last)
{
    const bool quote = strpbrk(text, ",\"\r\n") != NULL;
    if (quote)
        fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    if (quote)
        fputc('"', out);
    fputc(last ? '\n' : ',', out);
}

static void print_csv(FILE *out, const query_answer *a)
{
    char number[NUMBER];
    for (uint32_t c = 0; c < a->n_columns; c++)
        print_field(out, a->titles[c], c + 1 == a->n_columns);
    for (size_t i = 0; i < (size_t)a->n_rows * a->n_columns; i++)
        print_field(out, query_print_show(&a->values[i], "", number),
                    i % a->n_columns + 1 == a->n_columns);
}

/* --- JSON --- */

static kith_status print_json(FILE *out, const query_answer *a, const char *asked,
                              kith_error *error)
{
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    document_put_text(d, root, "query", asked);
    document_node *columns = document_array(d, root, "columns");
    for (uint32_t c = 0; c < a->n_columns; c++)
        document_put_text(d, columns, NULL, a->titles[c]);
    document_node *rows = document_array(d, root, "rows");
    for (uint32_t r = 0; r < a->n_rows; r++) {
        document_node *row = document_array(d, rows, NULL);
        for (uint32_t c = 0; c < a->n_columns; c++) {
            const query_value *v = &a->values[(size_t)r * a->n_columns + c];
            if (v->kind == QUERY_VALUE_NUMBER)
                document_put_number(d, row, NULL, v->number);
            else
                document_put_text(d, row, NULL, v->kind == QUERY_VALUE_TEXT ? v->text : NULL);
        }
    }
    kith_status status = document_status(d, error);
    char *json = status == KITH_OK ? kith_document_json(d, true) : NULL;
    kith_document_free(d);
    if (json == NULL)
        return error_nomem(error);
    fprintf(out, "%s\n", json);
    kith_free(json);
    return KITH_OK;
}

kith_status query_print(char **text, const query_answer *a, query_format format, const char *asked,
                        kith_error *error)
{
    size_t size;
    kith_status status = KITH_OK;
    *text = NULL;
    FILE *out = TRY_ALLOC(open_memstream(text, &size), error);
    switch (format) {
    case QUERY_TABLE: status = print_table(out, a, error); break;
    case QUERY_CSV: print_csv(out, a); break;
    case QUERY_JSON: status = print_json(out, a, asked, error); break;
    }
    const kith_status closed = text_stream_close(out, text, status == KITH_OK ? error : NULL);
    if (status == KITH_OK)
        return closed;
    free(*text);
    *text = NULL;
    return status;
}
