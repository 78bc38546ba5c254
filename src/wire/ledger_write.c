/* Writing the ledger: JSON for scripts, a page of text for people. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/version.h>

#include "core/document.h"
#include "core/error.h"
#include "core/system/output.h"
#include "core/system/text_stream.h"
#include "wire/ledger.h"

static void put_counts(kith_document *d, document_node *at, ledger_count sent,
                       ledger_count received)
{
    document_node *to = document_object(d, at, "sent");
    document_put_count(d, to, "messages", sent.n_messages);
    document_put_count(d, to, "bytes", sent.bytes);
    document_node *from = document_object(d, at, "received");
    document_put_count(d, from, "messages", received.n_messages);
    document_put_count(d, from, "bytes", received.bytes);
}

static ledger_words in_words(const ledger_heading *h, const ledger_disclosure *entry)
{
    if (h->explain == NULL)
        return (ledger_words){0};
    return h->explain(h->explained_by, entry->step, entry->what);
}

static void put_learned(kith_document *d, document_node *root, const ledger *l,
                        const ledger_heading *h)
{
    document_node *list = document_array(d, root, "learned");
    for (size_t i = 0; i < l->n_disclosures; i++) {
        const ledger_disclosure *entry = &l->disclosures[i];
        document_node *one = document_object(d, list, NULL);
        document_put_text(d, one, "kind", party_disclosure_name(entry->kind));
        document_put_text(d, one, "what", entry->what);
        const ledger_words words = in_words(h, entry);
        if (words.says != NULL)
            document_put_text(d, one, "says", words.says);
        if (words.promise != NULL) {
            document_put_text(d, one, "means", words.promise);
            document_put_count(d, one, "promise", words.number);
        }
        document_put_text(d, one, "step", entry->step);
        document_put_count(d, one, "times", entry->times);
        document_put_count(d, one, "count", entry->count);
    }
}

static void put_traffic(kith_document *d, document_node *root, const ledger *l,
                        const ledger_heading *h)
{
    document_node *steps = document_array(d, root, "steps");
    for (size_t i = 0; i < l->n_steps; i++) {
        document_node *one = document_object(d, steps, NULL);
        document_put_text(d, one, "step", l->steps[i].name);
        document_put_count(d, one, "rounds", l->steps[i].n_rounds);
    }
    document_node *lines = document_array(d, root, "traffic");
    for (size_t i = 0; i < l->n_lines; i++) {
        const ledger_line *line = &l->lines[i];
        document_node *one = document_object(d, lines, NULL);
        document_put_text(d, one, "step", line->step);
        document_put_text(d, one, "type", line->type);
        document_put_text(d, one, "disclosure", party_disclosure_name(line->disclosure));
        document_put_text(d, one, "peer", h->names[line->peer]);
        put_counts(d, one, line->sent, line->received);
    }
}

kith_status ledger_document(const ledger *l, const ledger_heading *h, kith_document **out,
                            kith_error *error)
{
    CHECK(ledger_check(l));
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    document_put_text(d, root, "kith", kith_version());
    document_put_text(d, root, "study", h->study);
    document_put_text(d, root, "digest", h->digest);
    document_put_text(d, root, "run", h->run);
    document_put_text(d, root, "outcome", h->outcome);
    document_put_text(d, root, "party", h->names[h->self]);
    document_node *names = document_array(d, root, "parties");
    for (uint32_t i = 0; i < h->count; i++)
        document_put_text(d, names, NULL, h->names[i]);
    document_node *calls = document_object(d, root, "calls");
    for (size_t i = 0; i < LEDGER_PRIMITIVES && l->called[i].primitive != NULL; i++)
        document_put_count(d, calls, l->called[i].primitive, l->called[i].n_calls);
    document_put_count(d, root, "rounds", l->n_rounds);
    put_counts(d, root, l->sent, l->received);
    if (h->announce != NULL)
        h->announce(h->explained_by, d, root);
    put_learned(d, root, l, h);
    put_traffic(d, root, l, h);
    *out = d;
    return document_status(d, error);
}

/* First what the party learned: it is what readers of a ledger look for. */
static void page_learned(FILE *page, const ledger *l, const ledger_heading *h)
{
    fprintf(page, "What this party learned beyond its own data:\n");
    if (l->n_disclosures == 0)
        fprintf(page, "  nothing\n");
    for (size_t i = 0; i < l->n_disclosures; i++) {
        const ledger_disclosure *x = &l->disclosures[i];
        const ledger_words words = in_words(h, x);
        fprintf(page, "  %-9s  %s: %" PRIu64 " value%s", party_disclosure_name(x->kind),
                words.says != NULL ? words.says : x->what, x->count, x->count == 1 ? "" : "s");
        fprintf(page, " in %" PRIu64 " answer%s (step %s, entry %s)\n", x->times,
                x->times == 1 ? "" : "s", x->step, x->what);
        if (words.promise != NULL)
            fprintf(page, "  %-9s  announced as %u: %s\n", "", words.number, words.promise);
        else if (h->explain != NULL)
            fprintf(page, "  %-9s  NOT ANNOUNCED by the dry run\n", "");
    }
}

kith_status ledger_page(const ledger *l, const ledger_heading *h, char **text, kith_error *error)
{
    CHECK(ledger_check(l));
    size_t size;
    FILE *page = TRY_ALLOC(open_memstream(text, &size), error);
    fprintf(page, "Ledger of %s in study %s\nparties:", h->names[h->self], h->study);
    for (uint32_t i = 0; i < h->count; i++)
        fprintf(page, " %s", h->names[i]);
    fprintf(page, "\nstudy digest: %s\nrun: %s (%s)\n\n", h->digest, h->run, h->outcome);
    page_learned(page, l, h);
    fprintf(page,
            "\nWhat went over the wire (messages, bytes):\n  %-16s %-22s %-9s %-12s %21s %21s\n",
            "step", "type", "class", "peer", "sent", "received");
    for (size_t i = 0; i < l->n_lines; i++) {
        const ledger_line *x = &l->lines[i];
        fprintf(page,
                "  %-16s %-22s %-9s %-12s %8" PRIu64 " %12" PRIu64 " %8" PRIu64 " %12" PRIu64 "\n",
                x->step, x->type, party_disclosure_name(x->disclosure), h->names[x->peer],
                x->sent.n_messages, x->sent.bytes, x->received.n_messages, x->received.bytes);
    }
    fprintf(page, "\nRounds (longest chain of messages): %" PRIu32 "\n", l->n_rounds);
    for (size_t i = 0; i < l->n_steps; i++)
        fprintf(page, "  %-16s %" PRIu32 "\n", l->steps[i].name, l->steps[i].n_rounds);
    return text_stream_close(page, text, error);
}

/* A ledger tells when and how much a site computed, so only the owner may read it. */
static kith_status write_file(const char *directory, const char *name, const char *text,
                              kith_error *error)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path)
        return error_errno(error, ENAMETOOLONG, "write", name);
    return output_write_private(path, text, strlen(text), true, error);
}

kith_status ledger_write(const ledger *l, const ledger_heading *heading, const char *directory,
                         kith_error *error)
{
    kith_document *document = NULL;
    char *page = NULL;
    kith_status status = ledger_document(l, heading, &document, error);
    char *json = status == KITH_OK ? kith_document_json(document, true) : NULL;
    kith_document_free(document);
    if (status == KITH_OK && json == NULL)
        status = error_nomem(error);
    if (status == KITH_OK)
        status = ledger_page(l, heading, &page, error);
    if (status == KITH_OK)
        status = write_file(directory, "ledger.json", json, error);
    if (status == KITH_OK)
        status = write_file(directory, "ledger.txt", page, error);
    free(json);
    free(page);
    return status;
}
