/* Queries on the virtual database: a count over three sites in threads and over TLS between
 * processes, and four clients that ask ten queries a second for some time.
 * Usage: bench_query [ROWS PER SITE [SECONDS]] */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <kith/joint.h>
#include <kith/kith.h>
#include <kith/tools.h>

#include "core/run/context.h"
#include "core/error.h"
#include "core/rng.h"
#include "job/query/query_print.h"
#include "job/query/virtual_query.h"
#include "wire/inproc.h"

enum { SITES = 3, CLIENTS = 4, PORT = 27310, REPEATS = 10, PER_SECOND = 10 };

static const char count_query[] =
    "SELECT count(*) WHERE age BETWEEN 23 AND 61 AND sex = 'f' AND NOT diagnosis = 'd7'";
static const char group_query[] =
    "SELECT diagnosis, count(*), avg(cost) WHERE age < 50 GROUP BY diagnosis";

static const char *const names[SITES + CLIENTS] = {"north", "south", "east", "alice",
                                                   "bob",   "carol", "dave"};
static char directory[] = "/tmp/bench_query.XXXXXX";

static void must(kith_status status, const kith_error *error)
{
    if (status == KITH_OK)
        return;
    fprintf(stderr, "bench_query: %s\n", error->message);
    exit(1);
}

static const char *path_of(const char *name, const char *ending)
{
    static _Thread_local char paths[4][200];
    static _Thread_local unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof *paths, "%s/%s%s", directory, name, ending);
    return path;
}

/* --- keys, study, tables --- */

static kith_study *make_study(void)
{
    char text[8192];
    int used = snprintf(text, sizeof text,
                        "study: bench\ncolumns:\n"
                        "  - {name: age, role: quasi-identifying, type: integer, domain: {range: "
                        "[0, 99]}, hierarchy: {intervals: [10]}}\n"
                        "  - {name: sex, role: quasi-identifying}\n"
                        "  - {name: diagnosis, role: sensitive}\n"
                        "  - {name: cost, role: insensitive, type: integer}\n"
                        "privacy: [{model: k-anonymity, k: 10}]\npartition: horizontal\n"
                        "publish: virtual\npublish_insensitive: true\n"
                        "queries: {per_day: 1000000}\n");
    kith_error error = {0};
    kith_study *study = NULL;
    for (int i = 0; i < SITES + CLIENTS; i++) {
        const kith_identity_options o =
            KITH_OPTIONS(kith_identity_options, .name = names[i], .n_days = 2);
        kith_document *d = NULL;
        must(kith_identity_create(path_of(names[i], ".key"), &o, &error), &error);
        must(kith_identity_describe(&d, path_of(names[i], ".key"), &error), &error);
        if (i == 0 || i == SITES)
            used += snprintf(text + used, sizeof text - (size_t)used,
                             i == 0 ? "parties:\n" : "clients:\n");
        used += snprintf(text + used, sizeof text - (size_t)used, "  - {name: %s, key: \"%s\"",
                         names[i], kith_document_text(d, "key", ""));
        if (i < SITES)
            used += snprintf(text + used, sizeof text - (size_t)used, ", address: \"127.0.0.1:%d\"",
                             PORT + i);
        used += snprintf(text + used, sizeof text - (size_t)used, "}\n");
        kith_document_free(d);
    }
    must(kith_study_parse(&study, text, (size_t)used, ".", NULL, &error), &error);
    return study;
}

static void write_companion(const char *path, unsigned n_rows)
{
    FILE *out = fopen(path, "w");
    if (out == NULL)
        exit(1);
    fprintf(out,
            "kind,column_name,number,first,last,text\nabout,study,,,,bench\nabout,digest,,,,d\n"
            "about,run,,,,r\nabout,rows,,,,%u\nabout,classes,,,,1000\nabout,format,,,,1\n",
            n_rows);
    for (int i = 0; i < 100; i++)
        fprintf(out, "value,age,%d,,,%d\nvalue,cost,%d,,,%d\ncell,cost,%d,%d,%d,%d\n", i, i, i, i,
                i, i, i, i);
    for (int i = 0; i < 10; i++)
        fprintf(out, "cell,age,%d,%d,%d,%d..%d\n", i, 10 * i, 10 * i + 9, 10 * i, 10 * i + 9);
    for (int i = 0; i < 20; i++)
        fprintf(out, "cell,age,%d,%d,%d,%d..%d\n", 10 + i, 5 * i, 5 * i + 4, 5 * i, 5 * i + 4);
    fputs(
        "value,sex,0,,,f\nvalue,sex,1,,,m\ncell,sex,0,0,0,f\ncell,sex,1,1,1,m\ncell,sex,2,0,1,*\n",
        out);
    for (int i = 0; i < 50; i++)
        fprintf(out, "value,diagnosis,%d,,,d%d\ncell,diagnosis,%d,%d,%d,d%d\n", i, i, i, i, i, i);
    fclose(out);
}

static void write_rows(const char *path, unsigned n_rows, uint64_t seed)
{
    static const char *const sexes[] = {"f", "m", "*"};
    rng r;
    FILE *out = fopen(path, "w");
    if (out == NULL)
        exit(1);
    rng_init(&r, seed, 0);
    fputs("age,sex,diagnosis,cost\n", out);
    for (unsigned i = 0; i < n_rows; i++) {
        const unsigned wide = rng_below(&r, 2), low = rng_below(&r, wide ? 10 : 20);
        const unsigned width = wide ? 10 : 5;
        fprintf(out, "%u..%u,%s,d%u,%u\n", low * width, low * width + width - 1,
                sexes[rng_below(&r, 3)], rng_below(&r, 50), rng_below(&r, 100));
    }
    fclose(out);
}

/* --- in threads --- */

typedef struct endpoint {
    const kith_study *study;
    virtual_table *table;
    const char *text;
    char *answer;
} endpoint;

static kith_status take_part(party *p, void *user, kith_error *error)
{
    endpoint *s = user;
    query_answer answer;
    const virtual_query q = {
        .study = s->study, .querier = SITES, .text = s->text, .mine = s->table};
    TRY(virtual_query_run(&answer, NULL, p, &q, party_memory(p), error));
    return s->text == NULL ? KITH_OK : query_print(&s->answer, &answer, QUERY_CSV, s->text, error);
}

static char *ask_threads(endpoint *endpoints, const char *text, const char *what)
{
    void *users[SITES + 1];
    kith_error errors[SITES + 1] = {0};
    double first = 0, rest = 0;
    endpoints[SITES].text = text;
    for (int i = 0; i <= SITES; i++)
        users[i] = &endpoints[i];
    for (int k = 0; k <= REPEATS; k++) {
        double since = context_seconds();
        free(endpoints[SITES].answer);
        must(inproc_run(SITES + 1, NULL, NULL, take_part, users, errors), &errors[SITES]);
        *(k == 0 ? &first : &rest) += context_lap(&since);
    }
    printf("%-10s threads      first %6.3f s, then %6.3f s\n", what, first, rest / REPEATS);
    char *answer = endpoints[SITES].answer;
    endpoints[SITES].answer = NULL;
    return answer;
}

/* --- over TLS --- */

static bool go_on(void *user, const char *phase, double done)
{
    (void)user, (void)phase, (void)done;
    return true;
}

static pid_t start_site(const kith_study *study, int i)
{
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    kith_error error = {0};
    const kith_run run = KITH_OPTIONS(kith_run, .progress = go_on);
    const kith_serve_options o =
        KITH_OPTIONS(kith_serve_options, .as = names[i], .key = path_of(names[i], ".key"),
                     .rows = path_of(names[i], ".csv"), .ledger = path_of(names[i], ".jsonl"));
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    must(kith_serve(study, &o, &run, &error), &error);
    _exit(0);
}

static kith_status ask_tls(char **answer, const kith_study *study, int client, const char *text,
                           kith_error *error)
{
    const kith_query_options o =
        KITH_OPTIONS(kith_query_options, .as = names[SITES + client],
                     .key = path_of(names[SITES + client], ".key"), .query = text, .format = "csv");
    return kith_query(answer, study, &o, NULL, error);
}

/* The sites read their tables first. */
static void await_sites(const kith_study *study)
{
    kith_error error;
    char *answer = NULL;
    double since = context_seconds();
    while (ask_tls(&answer, study, 0, count_query, &error) != KITH_OK)
        if (usleep(100000) != 0 || context_seconds() - since > 300)
            must(KITH_PEER, &error);
    kith_free(answer);
    printf("           sites ready after %.1f s\n", context_lap(&since));
}

static void time_tls(const kith_study *study, const char *text, const char *what,
                     const char *expected)
{
    double since = context_seconds();
    for (int k = 0; k < REPEATS; k++) {
        kith_error error = {0};
        char *answer = NULL;
        must(ask_tls(&answer, study, 0, text, &error), &error);
        if (strcmp(answer, expected) != 0)
            printf("WRONG: %s%s", expected, answer);
        kith_free(answer);
    }
    printf("%-10s TLS                         %6.3f s\n", what, context_lap(&since) / REPEATS);
}

static long resident_kb(pid_t pid)
{
    char path[64], line[200];
    long kb = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *in = fopen(path, "r");
    while (in != NULL && fgets(line, sizeof line, in) != NULL)
        if (sscanf(line, "VmRSS: %ld", &kb) == 1)
            break;
    if (in != NULL)
        fclose(in);
    return kb;
}

typedef struct client {
    const kith_study *study;
    int number, n_queries;
    const char *expected;
    int n_right, n_wrong, n_failed;
    double worst, sum;
    char last_error[200];
} client;

static void *ask_steadily(void *user)
{
    client *c = user;
    double begin = context_seconds();
    for (int i = 0; i < c->n_queries; i++) {
        const double due = begin + (double)i * CLIENTS / PER_SECOND;
        double now = context_seconds();
        if (now < due)
            usleep((useconds_t)((due - now) * 1e6));
        kith_error error = {0};
        char *answer = NULL;
        now = context_seconds();
        if (ask_tls(&answer, c->study, c->number, count_query, &error) != KITH_OK) {
            c->n_failed++;
            snprintf(c->last_error, sizeof c->last_error, "%.190s", error.message);
            continue;
        }
        const double took = context_seconds() - now;
        c->sum += took;
        c->worst = took > c->worst ? took : c->worst;
        if (strcmp(answer, c->expected) == 0)
            c->n_right++;
        else
            c->n_wrong++;
        kith_free(answer);
    }
    return NULL;
}

static void ask_for_long(const kith_study *study, const pid_t *sites, int seconds,
                         const char *expected)
{
    client clients[CLIENTS];
    pthread_t running[CLIENTS];
    long before[SITES];
    int right = 0, wrong = 0, lost = 0;
    double worst = 0, sum = 0, since = context_seconds();
    for (int i = 0; i < SITES; i++)
        before[i] = resident_kb(sites[i]);
    for (int i = 0; i < CLIENTS; i++) {
        clients[i] = (client){.study = study,
                              .number = i,
                              .n_queries = seconds * PER_SECOND / CLIENTS,
                              .expected = expected};
        if (pthread_create(&running[i], NULL, ask_steadily, &clients[i]) != 0)
            exit(1);
    }
    for (int i = 0; i < CLIENTS; i++) {
        pthread_join(running[i], NULL);
        right += clients[i].n_right;
        wrong += clients[i].n_wrong;
        lost += clients[i].n_failed;
        sum += clients[i].sum;
        worst = clients[i].worst > worst ? clients[i].worst : worst;
        if (clients[i].n_failed > 0)
            printf("           %s\n", clients[i].last_error);
    }
    const double took = context_lap(&since);
    printf("%d clients  %d queries in %.1f s: %d right, %d wrong, %d lost; mean %.3f s, longest "
           "%.3f s\n",
           CLIENTS, right + wrong + lost, took, right, wrong, lost, sum / (right + wrong), worst);
    for (int i = 0; i < SITES; i++)
        printf("           %-6s %ld kB before, %ld kB after\n", names[i], before[i],
               resident_kb(sites[i]));
}

int main(int argc, char **argv)
{
    const unsigned n_rows = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000000;
    const int seconds = argc > 2 ? atoi(argv[2]) : 60;
    kith_error error = {0};
    endpoint endpoints[SITES + 1] = {0};
    pid_t sites[SITES];
    if (mkdtemp(directory) == NULL)
        return 1;
    kith_study *study = make_study();
    for (int i = 0; i < SITES; i++) {
        const kith_run run = KITH_INIT(kith_run);
        write_rows(path_of(names[i], ".csv"), n_rows, (uint64_t)i + 1);
        write_companion(path_of(names[i], ".csv_kith"), SITES * n_rows);
        must(
            virtual_table_read(&endpoints[i].table, path_of(names[i], ".csv"), study, &run, &error),
            &error);
    }
    for (int i = 0; i <= SITES; i++)
        endpoints[i].study = study;
    printf("%d sites of %u rows\n", SITES, n_rows);
    char *count = ask_threads(endpoints, count_query, "count");
    char *groups = ask_threads(endpoints, group_query, "groups");
    for (int i = 0; i < SITES; i++)
        virtual_table_free(endpoints[i].table);
    fflush(stdout);
    for (int i = 0; i < SITES; i++)
        sites[i] = start_site(study, i);
    await_sites(study);
    time_tls(study, count_query, "count", count);
    time_tls(study, group_query, "groups", groups);
    ask_for_long(study, sites, seconds, count);
    for (int i = 0; i < SITES; i++) {
        kill(sites[i], SIGKILL);
        waitpid(sites[i], NULL, 0);
    }
    for (int i = 0; i < SITES + CLIENTS; i++) {
        static const char *const endings[] = {".key", ".csv", ".csv_kith", ".jsonl"};
        for (int k = 0; k < 4; k++)
            unlink(path_of(names[i], endings[k]));
    }
    rmdir(directory);
    free(count);
    free(groups);
    kith_study_free(study);
    return 0;
}
