/* The ledger of a site that serves queries, in sentences: what was asked, by whom, what left, and
 * what the site learned. The words are those of the ledgers of joint runs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/document.h"
#include "core/error.h"
#include "job/query_ledger.h"

static const char masked[] = "numbers under masks, which look random to the receiver; the querier "
                             "learned their sums over all sites";
static const char sealed[] = "anonymized data: rows of this site, sealed for the querier and mixed "
                             "with those of the other sites";

/* All queries of one querier. */
typedef struct querier {
    const char *name;
    uint64_t n_queries, n_failed, numbers, rows;
} querier;

typedef struct reading {
    arena *memory;
    kith_document *to;
    document_node *entries;
    querier *queriers;
    size_t n_queriers, room;
    uint64_t n_queries, n_failed;
    const char *first, *last; /* times */
} reading;

bool query_ledger_is(const char *path)
{
    static const char begin[] = "{\"when\":\"";
    char found[sizeof begin] = "";
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return false;
    const size_t length = fread(found, 1, sizeof begin - 1, in);
    const bool failed = ferror(in) != 0; /* a directory */
    fclose(in);
    return !failed && (length == 0 || strcmp(found, begin) == 0);
}

static kith_status find_querier(querier **found, reading *r, const char *name, kith_error *error)
{
    size_t at = 0;
    while (at < r->n_queriers && strcmp(r->queriers[at].name, name) != 0)
        at++;
    if (at == r->n_queriers) {
        const char *copy = TRY_ALLOC(arena_strdup(r->memory, name), error);
        TRY_GROW(r->queriers, r->room, at + 1, r->memory, error);
        r->queriers[r->n_queriers++] = (querier){.name = copy};
    }
    *found = &r->queriers[at];
    return KITH_OK;
}

/* Does a line have all that query_ledger_add writes? */
static bool is_entry(const kith_document *line)
{
    static const char *const texts[] = {"when", "who", "query", "left", "outcome"};
    bool complete = kith_document_number(line, "count", -1) >= 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        complete = complete && kith_document_text(line, texts[i], NULL) != NULL;
    return complete;
}

static kith_status add_entry(reading *r, const kith_document *line, kith_error *error)
{
    const char *when = kith_document_text(line, "when", "");
    const char *outcome = kith_document_text(line, "outcome", "");
    const bool rows = strcmp(kith_document_text(line, "left", ""), "rows") == 0;
    const bool failed = strcmp(outcome, "complete") != 0;
    const uint64_t count = (uint64_t)kith_document_number(line, "count", 0);
    /* The columns of which a client was sent something, with how many labels: "age (9), sex (3)".
     * NULL if there are none. */
    char path[64];
    const size_t n = kith_document_n_items(line, "domains");
    const char *domains = n == 0 ? NULL : "";
    for (size_t i = 0; i < n; i++) {
        snprintf(path, sizeof path, "domains.%zu.column", i);
        const char *name = kith_document_text(line, path, "");
        snprintf(path, sizeof path, "domains.%zu.labels", i);
        domains = TRY_ALLOC(arena_printf(r->memory, "%s%s%s (%.0f)", domains, i == 0 ? "" : ", ",
                                         name, kith_document_number(line, path, 0)),
                            error);
    }
    querier *a = NULL;
    TRY(find_querier(&a, r, kith_document_text(line, "who", ""), error));
    document_node *one = document_object(r->to, r->entries, NULL);
    document_put_text(r->to, one, "when", when);
    document_put_text(r->to, one, "who", a->name);
    document_put_text(r->to, one, "query", kith_document_text(line, "query", ""));
    document_put_text(r->to, one, "left", rows ? "rows" : "numbers");
    document_put_count(r->to, one, "count", count);
    document_put_text(r->to, one, "says", rows ? sealed : masked);
    if (domains != NULL)
        document_put_text(r->to, one, "domains", domains);
    document_put_text(r->to, one, "outcome", outcome);
    a->n_queries++;
    a->n_failed += failed;
    *(rows ? &a->rows : &a->numbers) += count;
    r->n_queries++;
    r->n_failed += failed;
    const char *time = TRY_ALLOC(arena_strdup(r->memory, when), error);
    r->first = r->first == NULL ? time : r->first;
    r->last = time;
    return KITH_OK;
}

static kith_status read_lines(reading *r, FILE *in, const char *path, kith_error *error)
{
    char *text = NULL;
    size_t room = 0, number = 0;
    kith_status status = KITH_OK;
    errno = 0;
    while (status == KITH_OK && getline(&text, &room, in) > 0) {
        kith_document *line = NULL;
        number++;
        status = document_parse(&line, text, path, error);
        if (status == KITH_DATA || (status == KITH_OK && !is_entry(line)))
            status = error_at(error, KITH_DATA, path, number, 0,
                              "this is no line of a ledger of queries");
        if (status == KITH_OK)
            status = add_entry(r, line, error);
        kith_document_free(line);
    }
    free(text);
    return status == KITH_OK && ferror(in) ? error_errno(error, errno, "read", path) : status;
}

static kith_status query_ledger_describe_describe(reading *r, const char *path, kith_error *error)
{
    FILE *in = fopen(path, "r");
    if (in == NULL)
        return error_errno(error, errno, "read", path);
    document_node *root = document_root(r->to);
    document_put_text(r->to, root, "kind", "queries");
    document_put_text(r->to, root, "file", path);
    r->entries = document_array(r->to, root, "entries");
    kith_status status = read_lines(r, in, path, error);
    fclose(in);
    if (status == KITH_OK) {
        document_put_count(r->to, root, "queries", r->n_queries);
        document_put_count(r->to, root, "failed", r->n_failed);
        document_put_text(r->to, root, "first", r->first);
        document_put_text(r->to, root, "last", r->last);
        document_node *list = document_array(r->to, root, "queriers");
        for (size_t i = 0; i < r->n_queriers; i++) {
            const querier *a = &r->queriers[i];
            document_node *one = document_object(r->to, list, NULL);
            document_put_text(r->to, one, "name", a->name);
            document_put_count(r->to, one, "queries", a->n_queries);
            document_put_count(r->to, one, "failed", a->n_failed);
            document_put_count(r->to, one, "numbers", a->numbers);
            document_put_count(r->to, one, "rows", a->rows);
        }
    }
    return status;
}

kith_status query_ledger_describe(kith_document **document, const char *path, kith_error *error)
{
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    kith_document *to = TRY_ALLOC(document_new(), error);
    reading r = {.memory = memory, .to = to};
    const kith_status status = query_ledger_describe_describe(&r, path, error);
    return status == KITH_OK ? document_finish(document, r.to, error)
                             : document_hand_over(document, r.to, status);
}
