/* needs: weave */
#include "tree_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "audit_tree.h"
#include "audit_trim.h"
#include "core/rng.h"
#include "protocol/joint_rules/joint_tree_diversity.h"
#include "protocol/joint_tree/joint_tree.h"
#include "support/ledger_calls.h"
#include "wire/inproc.h"

/* What one site holds, gives and costs. */
typedef struct site {
    problem mine;
    const protocol_options *options;
    void *audits; /* audits or an audit_trim, or NULL */
    void (*tell)(void *user, const joint_tree_opened *what);
    rows_result result;
    context context;
    uint64_t sent, n_calls, n_tags, n_compares, n_circuits;
    uint32_t n_rounds, first, pool; /* in all; of the first tree, of pool trees */
} site;

void tree_run_stop_on(kith_status status, const kith_error *error)
{
    if (status == KITH_OK)
        return;
    fprintf(stderr, "bench_tree: %s\n", error->message);
    exit(1);
}

uint32_t *tree_run_sites(const problem *p, const tree_wishes *w, arena *memory)
{
    const uint32_t m = w->m;
    rng r;
    rng_init(&r, 2026, m);
    uint32_t *of = arena_array(memory, p->n_records, sizeof *of);
    for (uint32_t i = 0; i < p->n_records; i++) {
        if (w->specialised)
            of[i] = rng_below(&r, 4) < 3 ? p->sensitive[0].values[i] % m : rng_below(&r, m);
        else if (w->by < p->n_attributes)
            of[i] = p->attributes[w->by].cells[i] % m;
        else if (w->first == 0)
            of[i] = rng_below(&r, m);
        else
            of[i] = rng_below(&r, 100) < w->first ? 0 : 1 + rng_below(&r, m - 1);
    }
    return of;
}

static void distribute(site *sites, uint32_t m, const problem *p, const tree_wishes *w,
                       arena *memory)
{
    const uint32_t *of = tree_run_sites(p, w, memory);
    uint32_t *records = arena_array(memory, p->n_records, sizeof *records);
    for (uint32_t s = 0; s < m; s++) {
        attribute *attributes;
        kith_error error;
        uint32_t n = 0;
        for (uint32_t i = 0; i < p->n_records; i++)
            if (of[i] == s)
                records[n++] = i;
        tree_run_stop_on(problem_take(&sites[s].mine, &attributes, p, records, n, memory, &error),
                         &error);
    }
}

/* The audits of one run: of somebody without records, and of one party. */
typedef struct audits {
    audit_tree *outsider, *participant;
} audits;

static void tell_both(void *user, const joint_tree_opened *what)
{
    audits *a = user;
    audit_tree_opened(a->outsider, what);
    audit_tree_opened(a->participant, what);
}

static kith_status take_part(party *p, void *user, kith_error *error)
{
    site *s = user;
    search_spec spec = {0};
    joint_tree_recorder record = {s->tell, s->audits};
    rows_task task = {.mine = &s->mine,
                      .spec = &spec,
                      .options = s->options,
                      .context = &s->context,
                      .seeded = true,
                      .seed = 1};
    kith_status status =
        joint_tree_run_recorded(&s->result, p, &task, s->audits == NULL ? NULL : &record, error);
    const ledger *l = party_ledger(p);
    s->sent = l->sent.bytes;
    s->n_rounds = l->n_rounds;
    s->n_calls = l->n_calls;
    s->n_circuits = ledger_calls(l, "circuit");
    s->n_tags = ledger_calls(l, "at least");
    s->n_compares = ledger_calls(l, "compare");
    for (size_t i = 0; i < l->n_steps; i++) {
        s->first += strcmp(l->steps[i].name, "first tree") == 0 ? l->steps[i].n_rounds : 0;
        s->pool += strcmp(l->steps[i].name, "pool trees") == 0 ? l->steps[i].n_rounds : 0;
    }
    return status;
}

static double loss_of(const problem *p, const rows_result *r)
{
    double cost = 0, records = 0;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        records += (double)r->size[c];
        for (uint32_t a = 0; a < p->n_attributes; a++)
            cost += (double)r->size[c] *
                    p->attributes[a].cost[r->closure[(size_t)c * p->n_attributes + a]];
    }
    return cost / records / p->n_attributes;
}

static void print_run(const problem *p, const site *sites, uint32_t m, double seconds)
{
    double sent = 0, questions = 0, batches = 0;
    uint32_t n_rounds = 0;
    const protocol_report *report = &sites[0].result.report;
    for (uint32_t s = 0; s < m; s++) {
        sent += (double)sites[s].sent;
        n_rounds = sites[s].n_rounds > n_rounds ? sites[s].n_rounds : n_rounds;
    }
    for (uint32_t i = 0; i < report->n_facts; i++) {
        if (strcmp(report->facts[i].name, "questions") == 0)
            questions = report->facts[i].value;
        if (strcmp(report->facts[i].name, "batches") == 0)
            batches = report->facts[i].value;
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%7u x %-2u m=%u k=%-3u lm %.5f  %5u classes  %3llu calls (%llu at least, %llu compare, "
           "%llu circuit) "
           "%4.0f batches %8.0f questions %5u rounds (%u first tree, %u pool trees) %7.2f MB %6.2f "
           "s, peak %.0f MB\n",
           p->n_records, p->n_attributes, m, p->k, loss_of(p, &sites[0].result),
           sites[0].result.n_classes, (unsigned long long)sites[0].n_calls,
           (unsigned long long)sites[0].n_tags, (unsigned long long)sites[0].n_compares,
           (unsigned long long)sites[0].n_circuits, batches, questions, n_rounds, sites[0].first,
           sites[0].pool, sent / 1e6, seconds, (double)usage.ru_maxrss / 1024);
    fflush(stdout);
}

static void print_audits(const audits *a, uint32_t k, const uint64_t *size)
{
    audit_finding bits = audit_tree_deduce(a->outsider, NULL);
    audit_tree_print(&bits, k, "from the bits");
    audit_finding sizes = audit_tree_deduce(a->outsider, size);
    audit_tree_print(&sizes, k, "and the final sizes");
    audit_finding foreign = audit_tree_deduce(a->participant, size);
    audit_tree_print_foreign(&foreign, k);
}

/* Classes of which the party knows, by their sizes and its own records, that 1 to k - 1 are
 * others'.
 */
static void print_foreign(const site *s, uint32_t k, arena *memory)
{
    const rows_result *r = &s->result;
    uint64_t *own = arena_zalloc(memory, r->n_classes, sizeof *own);
    uint32_t n_few = 0, n_one = 0;
    for (uint32_t i = 0; i < s->mine.n_records; i++)
        own[r->class_of[i]]++;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        const uint64_t foreign = r->size[c] - own[c];
        n_few += foreign > 0 && foreign < k;
        n_one += foreign == 1;
    }
    printf("        one site: %u of %u classes with 1 to %u foreign records, %u with one\n", n_few,
           r->n_classes, k - 1, n_one);
}

/* What the party learns from trimming. */
static void print_trim(audit_trim *a, uint32_t k)
{
    const audit_trim_finding f = audit_trim_deduce(a, k);
    printf(
        "        ... of %zu pairs of a leaf and a value of its own: over-frequent %zu; no record "
        "with it is foreign %zu; some are, fewer than %u %zu, exactly one %zu; T is known in %zu "
        "leaves; refused in sweeps %zu\n",
        f.n_pairs, f.over, f.none, k, f.some, f.one, f.most_known, a->n_refused);
}

/* l of the model that is kept by trimming; 1: none is. */
static double trimmed_l(const problem *p)
{
    double l = 1;
    for (uint32_t i = 0; i < p->n_models; i++) {
        const joint_tree_diversity d = joint_tree_diversity_of(&p->models[i]);
        if (d.asks == JOINT_TREE_ASKS_FREQUENCY && joint_tree_diversity_l(&d) > l)
            l = joint_tree_diversity_l(&d);
    }
    return l;
}

double tree_run(const problem *p, const tree_wishes *w, const protocol_options *options, bool audit)
{
    const uint32_t m = w->m;
    arena *memory = arena_new();
    site *sites = arena_zalloc(memory, m, sizeof *sites);
    audits both;
    audit_trim trimmed = audit_trim_new(memory, m, p->k, trimmed_l(p));
    void *users[PARTY_MAX];
    kith_error errors[PARTY_MAX] = {0}, error;
    inproc_options how = {.delay_ms = w->delay ? 30 : 0, .deadline_ms = 600000};
    distribute(sites, m, p, w, memory);
    both.outsider = audit_tree_new(memory, p->k, NULL, options->min_others);
    both.participant = audit_tree_new(memory, p->k, &sites[w->party].mine, options->min_others);
    for (uint32_t s = 0; s < m; s++) {
        users[s] = &sites[s];
        sites[s].options = options;
        sites[s].audits = s != w->party ? NULL : audit ? (void *)&both : &trimmed;
        sites[s].tell = audit ? tell_both : audit_trim_opened;
        tree_run_stop_on(context_init(&sites[s].context,
                                      &(kith_run)KITH_OPTIONS(kith_run, .n_threads = 1), &error),
                         &error);
    }
    double start = context_seconds();
    kith_status status = inproc_run(m, NULL, &how, take_part, users, errors);
    double seconds = context_seconds() - start, loss = 0;
    for (uint32_t s = 0; s < m; s++)
        tree_run_stop_on(status == KITH_OK ? KITH_OK : errors[s].status, &errors[s]);
    print_run(p, sites, m, seconds);
    if (audit)
        print_audits(&both, p->k, sites[0].result.size);
    else if (w->diversity)
        print_foreign(&sites[w->party], p->k, memory);
    if (trimmed.n_pairs > 0 && w->diversity)
        print_trim(&trimmed, p->k);
    loss = loss_of(p, &sites[0].result);
    for (uint32_t s = 0; s < m; s++)
        context_wipe(&sites[s].context);
    arena_free(memory);
    return loss;
}
