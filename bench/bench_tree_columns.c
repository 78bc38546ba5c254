/* The joint tree of columns (protocol/column_tree/column_tree.h) on both Adult tables: loss,
 * comparisons, rounds, bytes and seconds, for 2 and 4 sites in threads and several k. Average of
 * some random ways to distribute the columns. With a number of LARGE records, also that many, drawn
 * from the first table (one cell in five from another record), with k = 10. With `pools` a line
 * follows that says what the sites know more finely than the release.
 *
 * usage: bench_tree_columns [DIRECTORY] [DISTRIBUTIONS] [LARGE]
 * (DIRECTORY or $ADULT holds adult-uci/ and adult-arx/; 3 ways, no large table unless said
 * otherwise) */
/* needs: weave */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adult.h"
#include "core/run/context.h"
#include "core/error.h"
#include "core/rng.h"
#include "protocol/column_tree/column_tree.h"
#include "reference/column_tree_plain_audit.h"
#include "search/partition.h"
#include "wire/inproc.h"

enum { MAX_COLUMNS = 16 };
enum mode { NESTED, NAMED, POOLS, MODES };
static const char *const mode_names[] = {"", "name", "pools"};

typedef struct outcome {
    double loss, steps, comparisons, rounds, megabytes, seconds;
    column_tree_plain_audit_figures known;
} outcome;

typedef struct joint {
    const problem *p;
    uint64_t seed;
    uint32_t holder[MAX_COLUMNS];
    uint32_t pivot;
    enum mode mode;
    column_tree_plain_audit audit;
    partition release;
    arena *memory;
    pthread_mutex_t lock;
    outcome *o;
} joint;

static void stop(const kith_error *error)
{
    fprintf(stderr, "bench_tree_columns: %s\n", error->message);
    exit(1);
}

/* Every party adds the loss of its own columns and what it sent. */
static void note(joint *j, party *p, const problem *mine, const uint32_t *numbers,
                 const columns_result *r)
{
    const ledger *l = party_ledger(p);
    const double cells = (double)j->p->n_records * j->p->n_attributes;
    double cost = 0;
    for (uint32_t c = 0; c < r->n_classes; c++)
        for (uint32_t a = 0; a < mine->n_attributes; a++)
            cost += (double)r->size[c] *
                    mine->attributes[a].cost[r->closure[(size_t)c * mine->n_attributes + a]];
    pthread_mutex_lock(&j->lock);
    if (j->release.closure == NULL) {
        j->release.closure = arena_array(j->memory, (size_t)r->n_classes * j->p->n_attributes,
                                         sizeof *j->release.closure);
        j->release.class_of = arena_array(j->memory, j->p->n_records, sizeof *r->class_of);
        memcpy(j->release.class_of, r->class_of, j->p->n_records * sizeof *r->class_of);
    }
    for (uint32_t c = 0; c < r->n_classes; c++)
        for (uint32_t a = 0; a < mine->n_attributes; a++)
            j->release.closure[(size_t)c * j->p->n_attributes + numbers[a]] =
                r->closure[(size_t)c * mine->n_attributes + a];
    j->o->loss += cost / cells;
    j->o->megabytes += (double)l->sent.bytes / 1e6;
    if (party_self(p) == 0) {
        j->o->rounds += l->n_rounds;
        j->o->steps += r->report.facts[0].value;
        j->o->comparisons += r->report.facts[1].value;
    }
    pthread_mutex_unlock(&j->lock);
}

static void ignore(void *user, const column_tree_parts *what)
{
    (void)user;
    (void)what;
}

static kith_status take_part(party *p, void *user, kith_error *error)
{
    joint *j = user;
    const uint32_t self = party_self(p);
    attribute own[MAX_COLUMNS];
    uint32_t numbers[MAX_COLUMNS];
    problem mine = *j->p;
    mine.attributes = own;
    mine.n_attributes = 0;
    for (uint32_t a = 0; a < j->p->n_attributes; a++)
        if (j->holder[a] == self) {
            numbers[mine.n_attributes] = a;
            own[mine.n_attributes++] = j->p->attributes[a];
        }
    context c;
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1);
    TRY(context_init(&c, &run, error));
    protocol_options options = {.partition = PARTITION_VERTICAL,
                                .name = j->mode == NAMED ? NAMING_ALWAYS : NAMING_NEVER,
                                .pools = j->mode == POOLS};
    columns_task task = {.mine = &mine,
                         .options = &options,
                         .context = &c,
                         .numbers = numbers,
                         .n_all = j->p->n_attributes,
                         .unit = 1,
                         .pivot = j->pivot,
                         .seeded = true,
                         .seed = j->seed};
    columns_result r;
    const column_tree_recorder recorder = {column_tree_plain_audit_split, ignore, &j->audit};
    kith_status status =
        column_tree_run_recorded(&r, p, &task, j->mode == POOLS ? &recorder : NULL, error);
    if (status == KITH_OK)
        note(j, p, &mine, numbers, &r);
    context_wipe(&c);
    return status;
}

static void run(outcome *o, const problem *p, uint64_t seed, uint32_t m, enum mode mode)
{
    joint j = {.p = p, .seed = seed, .mode = mode, .o = o, .lock = PTHREAD_MUTEX_INITIALIZER};
    void *users[PARTY_MAX];
    kith_error errors[PARTY_MAX];
    uint32_t order[MAX_COLUMNS];
    rng r;
    rng_init(&r, seed, 0);
    for (uint32_t a = 0; a < p->n_attributes; a++)
        order[a] = a;
    rng_shuffle(&r, order, p->n_attributes);
    for (uint32_t a = 0; a < p->n_attributes; a++)
        j.holder[order[a]] = a % m;
    for (uint32_t i = 0; i < m; i++)
        users[i] = &j;
    j.memory = arena_new();
    if (column_tree_plain_audit_begin(&j.audit, p, j.memory, &errors[0]) != KITH_OK)
        stop(&errors[0]);
    const double begun = context_seconds();
    if (inproc_run(m, NULL, NULL, take_part, users, errors) != KITH_OK)
        stop(&errors[0]);
    o->seconds += context_seconds() - begun;
    if (mode == POOLS)
        o->known = column_tree_plain_audit_end(&j.audit, &j.release);
    arena_free(j.memory);
}

static void measure(problem *p, uint32_t k, double l, enum mode mode, uint32_t m, uint32_t ways,
                    arena *memory)
{
    outcome o = {0};
    adult_ask(p, k, l, memory);
    for (uint64_t seed = 1; seed <= ways; seed++)
        run(&o, p, seed, m, mode);
    printf("%9u x %-2u %5u %3.0f %-5s %3u %8.4f %6.1f %8.0f %7.0f %7.2f %7.2f\n", p->n_records,
           p->n_attributes, k, l, mode_names[mode], m, o.loss / ways, o.steps / ways,
           o.comparisons / ways, o.rounds / ways, o.megabytes / ways, o.seconds / ways);
    if (mode == POOLS)
        printf("%20s known more finely: %u records, %.2f cells each, lm %.4f; fewer than k fit %u, "
               "one fits %u\n",
               "", o.known.n_finer, o.known.cells, o.known.loss, o.known.n_few, o.known.n_alone);
    fflush(stdout);
}

/* Records drawn from a table, with one cell in five from another record. */
static problem *draw(const problem *from, uint32_t n_records, arena *memory)
{
    problem *p = arena_zalloc(memory, 1, sizeof *p);
    attribute *own = arena_array(memory, from->n_attributes, sizeof *own);
    rng r;
    rng_init(&r, 1, 0);
    *p = *from;
    p->n_records = n_records;
    p->attributes = own;
    p->n_sensitive = 0;
    uint32_t *source = arena_array(memory, n_records, sizeof *source);
    for (uint32_t i = 0; i < n_records; i++)
        source[i] = rng_below(&r, from->n_records);
    for (uint32_t a = 0; a < p->n_attributes; a++) {
        uint32_t *cells = arena_array(memory, n_records, sizeof *cells);
        for (uint32_t i = 0; i < n_records; i++)
            cells[i] =
                from->attributes[a]
                    .cells[rng_below(&r, 5) == 0 ? rng_below(&r, from->n_records) : source[i]];
        own[a] = from->attributes[a];
        own[a].cells = cells;
    }
    return p;
}

int main(int argc, char **argv)
{
    static const uint32_t ks[] = {5, 10, 50, 100};
    const char *directory = argc > 1 ? argv[1] : getenv("ADULT");
    const uint32_t ways = argc > 2 ? (uint32_t)atoi(argv[2]) : 3;
    const uint32_t large = argc > 3 ? (uint32_t)atoi(argv[3]) : 0;
    if (directory == NULL) {
        puts("bench_tree_columns: skipped, no data (give the directory of the Adult tables)");
        return 0;
    }
    arena *memory = arena_new();
    problem *tables[] = {adult_arx(memory, directory, MEASURE_LM, 5),
                         adult_uci(memory, directory, MEASURE_LM, 5)};
    printf("%-14s %5s %3s %-5s %3s %8s %6s %8s %7s %7s %7s\n", "table", "k", "l", "", "m", "lm",
           "steps", "compared", "rounds", "MB", "s");
    for (int t = 0; t < 2; t++)
        for (uint32_t m = 2; m <= 4; m += 2)
            for (int i = 0; i < 4; i++)
                for (enum mode mode = NESTED; mode < MODES; mode++)
                    measure(tables[t], ks[i], 0, mode, m, ways, memory);
    for (uint32_t l = 2; l <= 4; l++)
        measure(tables[0], 10, l, NESTED, 2, ways, memory);
    for (uint32_t m = 2; large > 0 && m <= 4; m += 2)
        measure(draw(tables[0], large, memory), 10, 0, NESTED, m, 1, memory);
    arena_free(memory);
    return 0;
}
