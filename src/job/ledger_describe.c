/* kith_ledger_describe: the ledger of a run in sentences. What was learned is grouped by the lines
 * of the dry run that announced it, and steps are added up: a reader asks what, not when. */
#include <kith/joint.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/arena.h"
#include "core/document.h"
#include "core/error.h"
#include "job/query_ledger.h"
#include "protocol/disclosures.h"
#include "wire/party.h"

enum { PATH = 4096, KEY = 64, NO_PROMISE = 0, ANY_PROMISE = -1 };

/* Whole numbers beyond this are not exact in a JSON text, and no run counts as far. */
static const double max_count = 1LL << 53;

/* One entry, its steps added up. */
typedef struct learned {
    const char *what, *says;
    double promise; /* number of the line of the dry run, from 1 on */
    double values, answers;
} learned;

typedef struct ledger_reading {
    kith_document *from; /* as it was written */
    arena *memory;
    learned *entries;
    size_t n_entries;
    bool announced; /* it has the lines of a dry run */
} ledger_reading;

static const char *text_at(const kith_document *d, const char *list, size_t index, const char *key)
{
    char path[KEY];
    snprintf(path, sizeof path, "%s.%zu.%s", list, index, key);
    return kith_document_text(d, path, "");
}

static double number_at(const kith_document *d, const char *list, size_t index, const char *key)
{
    char path[KEY];
    snprintf(path, sizeof path, "%s.%zu.%s", list, index, key);
    return kith_document_number(d, path, 0);
}

/* A sum of many counts may be larger than each of them can be. */
static uint64_t whole(double sum)
{
    return (uint64_t)(sum < max_count ? sum : max_count);
}

/* Every line of a list has whole numbers at these keys, or nothing. */
static kith_status check_counts(const kith_document *d, const char *file, const char *list,
                                const char *const *keys, size_t n_keys, kith_error *error)
{
    const size_t n_lines = kith_document_n_items(d, list);
    for (size_t i = 0; i < n_lines; i++)
        for (size_t k = 0; k < n_keys; k++) {
            const double count = number_at(d, list, i, keys[k]);
            if (!(count >= 0 && count <= max_count && count == floor(count)))
                return error_set(error, KITH_DATA,
                                 "%s is not the ledger of a run: %s.%zu.%s is %g, expected a count",
                                 file, list, i, keys[k], count);
        }
    return KITH_OK;
}

/* What stands for a class of messages, in words (wire/party.h). */
static const char *say_class(const char *name)
{
    static const char *const words[] = {
        [DISCLOSE_CONTROL] = "what follows from public things alone",
        [DISCLOSE_MASKED] = "numbers under masks, which look random to the receiver",
        [DISCLOSE_BLINDED] = "values under encryption",
        [DISCLOSE_CHOICE] = "questions and decisions that depend on the sender's data",
        [DISCLOSE_AGGREGATE] = "results of secure computations",
        [DISCLOSE_RELEASE] = "anonymized data",
    };
    for (int i = 0; i <= DISCLOSE_RELEASE; i++)
        if (strcmp(party_disclosure_name((disclosure)i), name) == 0)
            return words[i];
    return NULL;
}

/* What was sent to a peer, or in messages of a class. */
typedef struct total {
    const char *name;
    double messages, bytes;
} total;

static kith_status put_left(kith_document *d, const ledger_reading *r, bool by_class,
                            kith_error *error)
{
    const size_t n_lines = kith_document_n_items(r->from, "traffic");
    total *totals = TRY_ARRAY(totals, r->memory, n_lines + 1, error);
    size_t count = 0;
    for (size_t i = 0; i < n_lines; i++) {
        const char *name = text_at(r->from, "traffic", i, by_class ? "disclosure" : "peer");
        size_t at = 0;
        while (at < count && strcmp(totals[at].name, name) != 0)
            at++;
        if (at == count)
            totals[count++] = (total){.name = name};
        totals[at].messages += number_at(r->from, "traffic", i, "sent.messages");
        totals[at].bytes += number_at(r->from, "traffic", i, "sent.bytes");
    }
    document_node *list = document_array(d, document_root(d), by_class ? "left_as" : "left");
    for (size_t i = 0; i < count; i++) {
        if (totals[i].bytes <= 0)
            continue;
        document_node *one = document_object(d, list, NULL);
        document_put_text(d, one, by_class ? "class" : "to", totals[i].name);
        if (by_class && say_class(totals[i].name) != NULL)
            document_put_text(d, one, "says", say_class(totals[i].name));
        document_put_count(d, one, "messages", whole(totals[i].messages));
        document_put_count(d, one, "bytes", whole(totals[i].bytes));
    }
    return KITH_OK;
}

static void put_entries(kith_document *d, document_node *to, const char *key,
                        const ledger_reading *r, double promise)
{
    document_node *list = document_array(d, to, key);
    for (size_t i = 0; i < r->n_entries; i++) {
        const learned *e = &r->entries[i];
        if (promise != ANY_PROMISE && e->promise != promise)
            continue;
        document_node *one = document_object(d, list, NULL);
        document_put_text(d, one, "what", e->what);
        document_put_text(d, one, "says", e->says);
        document_put_count(d, one, "values", whole(e->values));
        document_put_count(d, one, "answers", whole(e->answers));
    }
}

static kith_status ledger_describe_describe(kith_document *d, const ledger_reading *r,
                                            kith_error *error)
{
    static const char *const facts[] = {"study", "digest", "run", "outcome", "party"};
    document_node *root = document_root(d);
    const size_t n_parties = kith_document_n_items(r->from, "parties");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        document_put_text(d, root, facts[i], kith_document_text(r->from, facts[i], ""));
    document_node *parties = document_array(d, root, "parties");
    for (size_t i = 0; i < n_parties; i++) {
        char path[KEY];
        snprintf(path, sizeof path, "parties.%zu", i);
        document_put_text(d, parties, NULL, kith_document_text(r->from, path, ""));
    }
    TRY(put_left(d, r, false, error));
    TRY(put_left(d, r, true, error));
    if (r->announced) {
        const size_t count = kith_document_n_items(r->from, "discloses");
        document_node *list = document_array(d, root, "promises");
        for (size_t i = 0; i < count; i++) {
            char path[KEY];
            document_node *one = document_object(d, list, NULL);
            snprintf(path, sizeof path, "discloses.%zu.to_this_party", i);
            document_put_count(d, one, "number", i + 1);
            document_put_text(d, one, "to", text_at(r->from, "discloses", i, "to"));
            document_put_text(d, one, "what", text_at(r->from, "discloses", i, "what"));
            document_put_flag(d, one, "to_this_party", kith_document_flag(r->from, path, true));
            put_entries(d, one, "learned", r, (double)i + 1);
        }
        put_entries(d, root, "unannounced", r, NO_PROMISE);
    } else {
        put_entries(d, root, "learned", r, ANY_PROMISE);
    }
    return KITH_OK;
}

/* Reads it, and adds up over the steps what was learned. */
static kith_status read_ledger(ledger_reading *r, const char *path, kith_error *error)
{
    static const char *const counts[] = {"promise", "count", "times"};
    static const char *const amounts[] = {"sent.messages", "sent.bytes"};
    char file[PATH];
    /* A directory means the ledger in it. */
    struct stat about;
    const bool directory = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    const int length = snprintf(file, PATH, "%s%s", path, directory ? "/ledger.json" : "");
    if (length >= PATH)
        return error_set(error, KITH_INVALID, "the path is too long");
    TRY(document_read(&r->from, file, error));
    if (!kith_document_has(r->from, "learned") || !kith_document_has(r->from, "traffic")) {
        error_set(error, KITH_DATA, "%s is not the ledger of a run", file);
        return error_hint(error, KITH_DATA,
                          "name the directory of the run, its ledger.json, or a ledger of queries");
    }
    TRY(check_counts(r->from, file, "learned", counts, 3, error));
    TRY(check_counts(r->from, file, "traffic", amounts, 2, error));
    const size_t count = kith_document_n_items(r->from, "learned");
    r->announced = kith_document_has(r->from, "discloses");
    r->entries = TRY_ZEROS(r->entries, r->memory, count + 1, error);
    for (size_t i = 0; i < count; i++) {
        const char *what = text_at(r->from, "learned", i, "what");
        const char *step = text_at(r->from, "learned", i, "step");
        const char *says = disclosures_say(step, what);
        learned now = {what, says != NULL ? says : what,
                       number_at(r->from, "learned", i, "promise"), 0, 0};
        size_t at = 0;
        while (at < r->n_entries &&
               (r->entries[at].promise != now.promise || strcmp(r->entries[at].what, what) != 0 ||
                strcmp(r->entries[at].says, now.says) != 0))
            at++;
        if (at == r->n_entries)
            r->entries[r->n_entries++] = now;
        r->entries[at].values += number_at(r->from, "learned", i, "count");
        r->entries[at].answers += number_at(r->from, "learned", i, "times");
    }
    return KITH_OK;
}

kith_status kith_ledger_describe(kith_document **document, const char *path, kith_error *error)
{
    if (query_ledger_is(path))
        return query_ledger_describe(document, path, error);
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    ledger_reading r = {.memory = memory};
    kith_document *d = document_new();
    kith_status status = d == NULL ? error_nomem(error) : read_ledger(&r, path, error);
    if (status == KITH_OK)
        status = ledger_describe_describe(d, &r, error);
    if (status == KITH_OK)
        status = document_status(d, error);
    kith_document_free(r.from);
    return document_hand_over(document, d, status);
}
