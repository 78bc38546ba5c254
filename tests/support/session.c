#include "support/session.h"

#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kith_status run(uint32_t m, session_fn *fn, void *user, const inproc_options *options,
                       kith_error *errors)
{
    void *users[PARTY_MAX];
    for (uint32_t i = 0; i < m; i++)
        users[i] = user;
    kith_status status = inproc_run(m, NULL, options, fn, users, errors);
    if (status != KITH_OK && options->fault.choose == NULL && errors != NULL)
        for (uint32_t i = 0; i < m; i++)
            if (errors[i].status != KITH_OK)
                fprintf(stderr, "party %u: %s\n", i, errors[i].message);
    return status;
}

kith_status session_run(uint32_t m, session_fn *fn, void *user)
{
    kith_error errors[PARTY_MAX] = {0};
    inproc_options options = {0};
    return run(m, fn, user, &options, errors);
}

/* --- views --- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void keep(session_view *v, const void *bytes, size_t length)
{
    size_t part = length < v->room - v->length ? length : v->room - v->length;
    memcpy(v->kept + v->length, bytes, part);
    v->length += part;
}

static void saw(void *user, uint32_t self, uint32_t from, const char *type, const void *bytes,
                size_t length)
{
    session_view *v = user;
    const unsigned char *byte = bytes;
    if (strcmp(type, v->type) != 0)
        return;
    pthread_mutex_lock(&lock);
    v->bytes += length;
    for (size_t i = 0; i < length; i++) {
        v->bin[byte[i]]++;
        v->fingerprint[self] = (v->fingerprint[self] ^ byte[i]) * UINT64_C(0x100000001b3);
    }
    if (v->kept != NULL && self == v->at && (from == v->from || v->from == UINT32_MAX))
        keep(v, bytes, length);
    pthread_mutex_unlock(&lock);
}

kith_status session_watch(uint32_t m, session_fn *fn, void *user, session_view *view)
{
    kith_error errors[PARTY_MAX] = {0};
    inproc_options options = {.record = {saw, view}};
    return run(m, fn, user, &options, errors);
}

size_t session_samples(size_t few)
{
    const char *asked = getenv("KITH_EXHAUSTIVE");
    return asked != NULL && strcmp(asked, "full") == 0 ? 1000000 : few;
}

/* Wilson and Hilferty's normal approximation of the upper tail. */
static double tail(double chi_square, double degrees)
{
    double spread = 2 / (9 * degrees);
    double z = (cbrt(chi_square / degrees) - (1 - spread)) / sqrt(spread);
    return 0.5 * erfc(z / sqrt(2));
}

double session_uniform_p(const uint64_t *bin, unsigned first, unsigned last)
{
    double total = 0, chi_square = 0, bins = last - first + 1;
    for (unsigned i = first; i <= last; i++)
        total += (double)bin[i];
    for (unsigned i = first; i <= last; i++)
        chi_square += pow((double)bin[i] - total / bins, 2) / (total / bins);
    return tail(chi_square, bins - 1);
}

double session_same_p(const uint64_t *one, const uint64_t *other, unsigned bins)
{
    double sum_one = 0, sum_other = 0, chi_square = 0, used = 0;
    for (unsigned i = 0; i < bins; i++) {
        sum_one += (double)one[i];
        sum_other += (double)other[i];
    }
    for (unsigned i = 0; i < bins; i++) {
        double both = (double)one[i] + (double)other[i];
        if (both == 0)
            continue;
        double a = sqrt(sum_other / sum_one) * (double)one[i];
        double b = sqrt(sum_one / sum_other) * (double)other[i];
        chi_square += (a - b) * (a - b) / both;
        used++;
    }
    return tail(chi_square, used - 1);
}

/* --- ledger and header --- */

static void add_fact(session_facts *facts, const char *fact)
{
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(facts->facts[i], fact) == 0)
            return;
    if (facts->count < 64)
        snprintf(facts->facts[facts->count++], sizeof facts->facts[0], "%s", fact);
}

typedef struct audit {
    session_fn *fn;
    void *user;
    session_facts *facts;
} audit;

static void note(audit *a, party *p)
{
    const ledger *l = party_ledger(p);
    char fact[96];
    for (size_t i = 0; i < l->n_lines; i++) {
        const ledger_line *line = &l->lines[i];
        if (strncmp(line->type, "session.", 8) == 0) /* the channel's own */
            continue;
        snprintf(fact, sizeof fact, "%s (%s", line->type, party_disclosure_name(line->disclosure));
        add_fact(a->facts, fact);
        a->facts->sent += line->sent.n_messages;
    }
    for (size_t i = 0; i < l->n_disclosures; i++) {
        snprintf(fact, sizeof fact, "\"%s\" (%s", l->disclosures[i].what,
                 party_disclosure_name(l->disclosures[i].kind));
        add_fact(a->facts, fact);
        a->facts->learned[party_self(p)] += l->disclosures[i].count;
    }
    if (l->n_rounds > a->facts->n_rounds)
        a->facts->n_rounds = l->n_rounds;
}

static kith_status audited(party *p, void *user, kith_error *error)
{
    audit *a = user;
    kith_status status = a->fn(p, a->user, error);
    pthread_mutex_lock(&lock);
    note(a, p);
    pthread_mutex_unlock(&lock);
    return status;
}

kith_status session_audit(uint32_t m, session_fn *fn, void *user, session_facts *facts)
{
    audit a = {fn, user, facts};
    facts->n_rounds = 0;
    facts->sent = 0;
    memset(facts->learned, 0, sizeof facts->learned);
    return session_run(m, audited, &a);
}

/* The header's comments in one line: no stars, single spaces. */
static char *flatten(const char *header)
{
    char path[512];
    snprintf(path, sizeof path, "%s/src/smc/%s", KITH_SOURCE, header);
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 16);
    size_t length = 0;
    bool space = true;
    for (int c; file != NULL && text != NULL && (c = getc(file)) != EOF && length < 65000;) {
        bool blank = isspace(c) || c == '*';
        if (!(blank && space))
            text[length++] = blank ? ' ' : (char)c;
        space = blank;
    }
    if (file != NULL)
        fclose(file);
    return text;
}

static bool named_by_run(const session_facts *facts, const char *start, const char *bracket)
{
    for (size_t i = 0; i < facts->count; i++) {
        size_t name = strchr(facts->facts[i], '(') + 1 - facts->facts[i];
        if (name == (size_t)(bracket + 1 - start) && strncmp(facts->facts[i], start, name) == 0)
            return true;
    }
    return false;
}

/* A "(class" in the header belongs to the word before it, if that is a dotted or quoted name. */
static const char *unseen(const session_facts *facts, const char *text)
{
    static char report[160];
    for (const char *at = strchr(text, '('); at != NULL; at = strchr(at + 1, '(')) {
        disclosure kind = DISCLOSE_CONTROL;
        while (kind < DISCLOSURES && strncmp(at + 1, party_disclosure_name(kind),
                                             strlen(party_disclosure_name(kind))) != 0)
            kind++;
        if (kind == DISCLOSURES || at - text < 3)
            continue;
        const char *start = at - 2;
        bool quoted = *start == '"';
        if (quoted)
            start--;
        while (start > text && (quoted ? *start != '"' : start[-1] != ' '))
            start--;
        if (!named_by_run(facts, start, at)) {
            snprintf(report, sizeof report, "the header names %.*s, no run showed it",
                     (int)(at - start), start);
            return report;
        }
    }
    return NULL;
}

const char *session_disagreement(const session_facts *facts, const char *header)
{
    static char report[160];
    char *text = flatten(header);
    const char *found = text == NULL || *text == '\0' ? "no such header" : NULL;
    for (size_t i = 0; i < facts->count && found == NULL; i++) {
        if (strstr(text, facts->facts[i]) == NULL) {
            snprintf(report, sizeof report, "a run showed %s), the header does not name it",
                     facts->facts[i]);
            found = report;
        }
    }
    if (found == NULL)
        found = unseen(facts, text);
    free(text);
    return found;
}

/* --- faults --- */

typedef struct saboteur {
    frame_fault fault;
    size_t victim;
    atomic_size_t seen;
    atomic_bool done;
} saboteur;

static frame_fault sabotage(void *user, uint32_t from, uint32_t to, uint64_t sequence,
                            const char *type)
{
    saboteur *s = user;
    (void)from;
    (void)to;
    (void)sequence;
    if (strncmp(type, "session.", 8) == 0) /* the channel's own; its tests hit these */
        return FAULT_NONE;
    if (atomic_fetch_add(&s->seen, 1) != s->victim)
        return FAULT_NONE;
    atomic_store(&s->done, true);
    return s->fault;
}

size_t session_frames(uint32_t m, session_fn *fn, void *user)
{
    saboteur s = {.fault = FAULT_NONE, .victim = SIZE_MAX};
    inproc_options options = {.fault = {sabotage, &s}};
    return run(m, fn, user, &options, NULL) == KITH_OK ? atomic_load(&s.seen) : 0;
}

const char session_no_such_frame[] = "there is no such frame";

const char *session_fault(uint32_t m, session_fn *fn, void *user, frame_fault fault, size_t victim)
{
    saboteur s = {.fault = fault, .victim = victim};
    kith_error errors[PARTY_MAX] = {0};
    inproc_options options = {.fault = {sabotage, &s}};
    kith_status status = run(m, fn, user, &options, errors);
    if (!atomic_load(&s.done))
        return status == KITH_OK ? session_no_such_frame : "the run failed before the frame left";
    for (uint32_t i = 0; i < m; i++)
        if (errors[i].status != KITH_PEER || strstr(errors[i].message, "site") == NULL)
            return "a party did not end with an error that names another";
    return status == KITH_PEER ? NULL : "the run did not fail because of a peer";
}

size_t session_faults(uint32_t m, session_fn *fn, void *user, frame_fault fault, size_t max_victims)
{
    for (size_t victim = 0; victim < max_victims; victim++) {
        const char *wrong = session_fault(m, fn, user, fault, victim);
        if (wrong == session_no_such_frame)
            return victim;
        if (wrong != NULL) {
            fprintf(stderr, "fault %d at frame %zu: %s\n", (int)fault, victim, wrong);
            return 0;
        }
    }
    return max_victims;
}
