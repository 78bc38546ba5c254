/* The joint tree on both Adult tables and on generated records, all sites in this process: loss
 * against the tree of the union in one place, calls, rounds, bytes, seconds.
 *
 * usage: bench_tree [DIRECTORY] [adult] [large] [delay] [models] [diversity] [audit] [generated]
 *        [quiet] [specialised] [m=M]
 *        [k=K] [others=F] [first=P] [by=A] [party=I] [records=N] [reweave=R] [only=D]
 *
 * DIRECTORY or $ADULT holds adult-uci/ and adult-arx/. Without words: adult. `large`: records drawn
 * from the ARX form, 1,000,000 unless said otherwise; `delay`: every frame takes 30 ms; `models`:
 * other models than k-anonymity; `audit`: what can be deduced from the opened bits, by somebody
 * without records and by party I (0 unless said otherwise); `diversity`: l-diversity of the
 * occupation in several forms, or the D-th alone; `specialised`: three quarters of each sensitive
 * value at one site; `generated`: the audit of a table that is made up; `quiet`: all of these with
 * the option of that name. `others`: k of m-privacy, 3 unless said otherwise. Records are dealt at
 * random, with `first` P percent of them to party 0, or with `by` to sites that share no value of
 * attribute A.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "adult.h"
#include "audit_tree.h"
#include "audit_trim.h"
#include "core/rng.h"
#include "protocol/joint_rules/joint_tree_diversity.h"
#include "protocol/joint_tree/joint_tree.h"
#include "reference/joint_tree_plain.h"
#include "support/ledger_calls.h"
#include "support/random_problem.h"
#include "wire/inproc.h"

static const uint32_t usual[] = {5, 10, 50, 100};

typedef struct wishes {
    bool adult, large, delay, models, diversity, audit, generated, quiet, specialised;
    uint32_t m, k, n_records, reweave, others, first, by, party, only;
    const char *directory;
} wishes;

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

static void stop_on(kith_status status, const kith_error *error)
{
    if (status == KITH_OK)
        return;
    fprintf(stderr, "bench_tree: %s\n", error->message);
    exit(1);
}

/* Which site has each record. */
static uint32_t *draw_sites(uint32_t m, const problem *p, const wishes *w, arena *memory)
{
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

static void deal(site *sites, uint32_t m, const problem *p, const wishes *w, arena *memory)
{
    const uint32_t *of = draw_sites(m, p, w, memory);
    for (uint32_t s = 0; s < m; s++) {
        attribute *axis = arena_array(memory, p->n_attributes, sizeof *axis);
        sensitive_attribute *sensitive_attributes =
            arena_array(memory, p->n_sensitive + 1, sizeof *sensitive_attributes);
        sites[s].mine = *p;
        sites[s].mine.attributes = axis;
        sites[s].mine.sensitive = sensitive_attributes;
        for (uint32_t a = 0; a <= p->n_attributes; a++) {
            const bool sensitive = a == p->n_attributes;
            if (sensitive && p->n_sensitive == 0)
                continue;
            const uint32_t *from = sensitive ? p->sensitive[0].values : p->attributes[a].cells;
            uint32_t *to = arena_array(memory, p->n_records + (size_t)1, sizeof *to), n = 0;
            for (uint32_t i = 0; i < p->n_records; i++)
                if (of[i] == s)
                    to[n++] = from[i];
            sites[s].mine.n_records = n;
            if (sensitive) {
                sensitive_attributes[0] = (sensitive_attribute){to, p->sensitive[0].count};
            } else {
                axis[a] = p->attributes[a];
                axis[a].cells = to;
            }
        }
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

static double union_loss(const problem *p, const wishes *w)
{
    arena *memory = arena_new();
    const model_spec m_privacy = {.id = MODEL_M_PRIVACY, .k = w->others};
    const joint_tree_plain_sites sites = {w->m, draw_sites(w->m, p, w, memory), 1, &m_privacy,
                                          w->quiet};
    partition whole;
    kith_error error;
    stop_on(joint_tree_plain(&whole, p, &sites, 1, w->reweave, memory, &error), &error);
    double loss = partition_cost(&whole, p) / p->n_records / p->n_attributes;
    arena_free(memory);
    return loss;
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

static double run(const problem *p, const wishes *w, const protocol_options *options, bool audit)
{
    const uint32_t m = w->m;
    arena *memory = arena_new();
    site *sites = arena_zalloc(memory, m, sizeof *sites);
    audits both;
    audit_trim trimmed = audit_trim_new(memory, m, p->k, trimmed_l(p));
    void *users[PARTY_MAX];
    kith_error errors[PARTY_MAX] = {0}, error;
    inproc_options how = {.delay_ms = w->delay ? 30 : 0, .deadline_ms = 600000};
    deal(sites, m, p, w, memory);
    both.outsider = audit_tree_new(memory, p->k, NULL, options->min_others);
    both.participant = audit_tree_new(memory, p->k, &sites[w->party].mine, options->min_others);
    for (uint32_t s = 0; s < m; s++) {
        users[s] = &sites[s];
        sites[s].options = options;
        sites[s].audits = s != w->party ? NULL : audit ? (void *)&both : &trimmed;
        sites[s].tell = audit ? tell_both : audit_trim_opened;
        stop_on(context_init(&sites[s].context, &(kith_run)KITH_OPTIONS(kith_run, .n_threads = 1),
                             &error),
                &error);
    }
    double start = context_seconds();
    kith_status status = inproc_run(m, NULL, &how, take_part, users, errors);
    double seconds = context_seconds() - start, loss = 0;
    for (uint32_t s = 0; s < m; s++)
        stop_on(status == KITH_OK ? KITH_OK : errors[s].status, &errors[s]);
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

static protocol_options options_of(const wishes *w)
{
    return (protocol_options){.protocol = PROTOCOL_WEAVE,
                              .min_others = w->others,
                              .reweave = w->reweave,
                              .quiet = w->quiet};
}

static void bench_adult(problem *p, const wishes *w, arena *memory)
{
    for (int i = 0; i < 4; i++) {
        if (w->k != 0 && w->k != usual[i])
            continue;
        adult_ask(p, usual[i], 0, memory);
        const protocol_options options = options_of(w);
        double joint = run(p, w, &options, false);
        double whole = union_loss(p, w);
        if (joint - whole > 1e-9 || whole - joint > 1e-9)
            printf("        the tree of the union: lm %.5f, %.2e apart\n", whole, joint - whole);
    }
}

static void bench_audit(problem *p, const wishes *w, arena *memory)
{
    const uint32_t k = w->k == 0 ? 10 : w->k;
    const protocol_options options = options_of(w);
    adult_ask(p, k, 0, memory);
    run(p, w, &options, true);
}

/* The audit of a table that everybody can make. */
static void bench_generated(const wishes *w)
{
    arena *memory = arena_new();
    const random_shape shape = {.n_records = 20000,
                                .n_attributes = 6,
                                .max_leaves = 60,
                                .max_levels = 4,
                                .k = w->k == 0 ? 10 : w->k,
                                .skewed = true};
    const protocol_options options = options_of(w);
    run(random_problem(&shape, 2026, memory), w, &options, true);
    arena_free(memory);
}

static void bench_models(problem *p, const wishes *w, arena *memory)
{
    const uint32_t k = w->k == 0 ? 10 : w->k;
    model_spec sites = {.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES, .l = 2};
    const protocol_options plain = options_of(w);
    protocol_options options = plain;
    adult_ask(p, k, 2, memory);
    puts("l-diversity (frequency), l = 2");
    run(p, w, &plain, false);
    ((model_spec *)p->models)[1].variant = VARIANT_DISTINCT;
    puts("l-diversity (distinct), l = 2");
    run(p, w, &plain, false);
    adult_ask(p, k, 3, memory);
    puts("l-diversity (frequency), l = 3");
    run(p, w, &plain, false);
    adult_ask(p, k, 0, memory);
    puts("l-site-diversity (sites), l = 2");
    options.n_site_models = 1;
    options.site_models = &sites;
    run(p, w, &options, false);
    for (uint32_t others = 0; others <= k; others = others == 0 ? 2 : 2 * others - others % 2) {
        printf("m-privacy, k = %u\n", others);
        options = plain;
        options.min_others = others;
        run(p, w, &options, false);
    }
    puts("blur");
    options = plain;
    options.blur = true;
    run(p, w, &options, false);
}

static void bench_diversity(problem *p, const wishes *w, arena *memory)
{
    static const struct {
        const char *name;
        model_spec model;
    } asked[] = {
        {"k alone", {MODEL_K_ANONYMITY, .k = 2}},
        {"frequency, l = 2", {MODEL_L_DIVERSITY, VARIANT_FREQUENCY, .l = 2}},
        {"frequency, l = 3", {MODEL_L_DIVERSITY, VARIANT_FREQUENCY, .l = 3}},
        {"frequency, l = 4", {MODEL_L_DIVERSITY, VARIANT_FREQUENCY, .l = 4}},
        {"distinct, l = 3", {MODEL_L_DIVERSITY, VARIANT_DISTINCT, .l = 3}},
        {"distinct, l = 5", {MODEL_L_DIVERSITY, VARIANT_DISTINCT, .l = 5}},
        {"alpha-k, alpha = 0.3", {MODEL_ALPHA_K, .alpha = .3, .k = 10}},
        {"entropy, l = 3", {MODEL_L_DIVERSITY, VARIANT_ENTROPY, .l = 3}},
        {"recursive, l = 3, c = 2", {MODEL_L_DIVERSITY, VARIANT_RECURSIVE, .l = 3, .c = 2}}};
    const protocol_options options = options_of(w);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        if (w->only > 0 && w->only != i + 1)
            continue;
        adult_ask(p, w->k == 0 ? 10 : w->k, 2, memory);
        ((model_spec *)p->models)[1] = asked[i].model;
        puts(asked[i].name);
        run(p, w, &options, false);
    }
}

/* Records drawn at random; each cell comes from another record with probability 1/5. */
static problem *enlarge(const problem *p, uint32_t n_records, arena *memory)
{
    rng r;
    rng_init(&r, 2026, n_records);
    problem *large = arena_alloc(memory, sizeof *large);
    attribute *axis = arena_array(memory, p->n_attributes, sizeof *axis);
    uint32_t **cells = arena_array(memory, p->n_attributes, sizeof *cells);
    *large = *p;
    large->n_records = n_records;
    large->n_sensitive = 0;
    large->attributes = axis;
    for (uint32_t a = 0; a < p->n_attributes; a++) {
        axis[a] = p->attributes[a];
        axis[a].cells = cells[a] = arena_array(memory, n_records, sizeof **cells);
    }
    for (uint32_t i = 0; i < n_records; i++) {
        uint32_t from = rng_below(&r, p->n_records);
        for (uint32_t a = 0; a < p->n_attributes; a++)
            cells[a][i] =
                p->attributes[a].cells[rng_below(&r, 5) == 0 ? rng_below(&r, p->n_records) : from];
    }
    return large;
}

static wishes read_wishes(int argc, char **argv)
{
    wishes w = {.directory = getenv("ADULT"),
                .m = 5,
                .n_records = 1000000,
                .others = PROTOCOL_MIN_OTHERS,
                .by = UINT32_MAX};
    const struct {
        const char *name;
        uint32_t *to;
    } numbers[] = {{"m=", &w.m},
                   {"k=", &w.k},
                   {"reweave=", &w.reweave},
                   {"records=", &w.n_records},
                   {"others=", &w.others},
                   {"first=", &w.first},
                   {"by=", &w.by},
                   {"party=", &w.party},
                   {"only=", &w.only}};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "adult") == 0)
            w.adult = true;
        else if (strcmp(argv[i], "large") == 0)
            w.large = true;
        else if (strcmp(argv[i], "delay") == 0)
            w.delay = true;
        else if (strcmp(argv[i], "models") == 0)
            w.models = true;
        else if (strcmp(argv[i], "diversity") == 0)
            w.diversity = true;
        else if (strcmp(argv[i], "specialised") == 0)
            w.specialised = true;
        else if (strcmp(argv[i], "audit") == 0)
            w.audit = true;
        else if (strcmp(argv[i], "generated") == 0)
            w.generated = true;
        else if (strcmp(argv[i], "quiet") == 0)
            w.quiet = true;
        else if (strchr(argv[i], '=') == NULL)
            w.directory = argv[i];
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            if (strncmp(argv[i], numbers[n].name, strlen(numbers[n].name)) == 0)
                *numbers[n].to = (uint32_t)atoi(argv[i] + strlen(numbers[n].name));
    }
    if (!w.large && !w.models && !w.diversity && !w.audit && !w.generated)
        w.adult = true;
    return w;
}

int main(int argc, char **argv)
{
    wishes w = read_wishes(argc, argv);
    if (w.generated) {
        bench_generated(&w);
        return 0;
    }
    if (w.directory == NULL) {
        puts("bench_tree: skipped, no data (give the directory of the Adult tables)");
        return 0;
    }
    arena *memory = arena_new();
    problem *arx = adult_arx(memory, w.directory, MEASURE_LM, 5);
    if (w.adult) {
        bench_adult(arx, &w, memory);
        bench_adult(adult_uci(memory, w.directory, MEASURE_LM, 5), &w, memory);
    }
    if (w.audit)
        bench_audit(arx, &w, memory);
    if (w.models)
        bench_models(arx, &w, memory);
    if (w.diversity)
        bench_diversity(arx, &w, memory);
    if (w.large) {
        adult_ask(arx, w.k == 0 ? 10 : w.k, 0, memory);
        const protocol_options options = options_of(&w);
        run(enlarge(arx, w.n_records, memory), &w, &options, false);
    }
    arena_free(memory);
    return 0;
}
