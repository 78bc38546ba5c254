/* One party lies, in every protocol and about every type of message: it changes payloads before
 * they are sealed. Every honest party ends with a result or with KITH_PEER and the name of a party,
 * after a bounded number of messages, and a release that it has written keeps the study's models.
 * No crash, no KITH_BUG, no memory that grows with a number which the liar invented.
 *
 * Environment: KITH_LIES, number of runs, at least one for each type in each scene, while otherwise
 * a type is lied about in one scene; KITH_LIES_SEED, a number, or "fresh" for another one in
 * each call; KITH_LIE, one lie as a failing run prints it, to see it again; KITH_LIES_SCENE, a part
 * of the names of the only scenes to lie in. */
/* wrap: malloc calloc realloc still_clock */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "support/bounded_memory.h"
#include "support/honest_end.h"
#include "support/joint_scenes.h"
#include "support/liar.h"
#include "support/scratch.h"
#include "wire/inproc.h"

enum {
    WIDTH = 8, /* runs at a time */
    MAX_SCENES = 40,
    MAX_FACTS = 1024,
    PATIENCE = 600 /* seconds; a run that takes longer hangs */
};

/* --- honest runs --- */

/* A type of message that occurs in a scene. */
typedef struct fact {
    uint32_t scene;
    liar_type type;
} fact;

static joint_scene scenes[MAX_SCENES];
static size_t frames[MAX_SCENES]; /* of the honest run */
static fact facts[MAX_FACTS];
static size_t n_facts;

static kith_status run_scene(joint_scene *s, liar *l, kith_error *errors)
{
    void *users[PARTY_MAX];
    const inproc_options options = {.payload = liar_hook(l)};
    for (uint32_t i = 0; i < s->n_parties; i++)
        users[i] = s;
    return inproc_run(s->n_parties, NULL, &options, joint_scene_take_part, users, errors);
}

static void list_facts(uint32_t scene)
{
    static liar l;
    kith_error errors[PARTY_MAX] = {0};
    liar_open(&l, &(lie){.liar = PARTY_MAX, .type = ""}, 0);
    if (run_scene(&scenes[scene], &l, errors) != KITH_OK)
        for (uint32_t i = 0; i < scenes[scene].n_parties; i++)
            print_message("site%u: %s\n", i + 1, errors[i].message);
    for (uint32_t i = 0; i < scenes[scene].n_parties; i++)
        if (errors[i].status != KITH_OK)
            fail_msg("%s: the honest run fails", joint_scenes[scene].name);
    frames[scene] = l.n_frames;
    for (size_t i = 0; i < l.n_types; i++) {
        assert_true(n_facts < MAX_FACTS);
        facts[n_facts++] = (fact){scene, l.types[i]};
    }
    liar_close(&l);
}

/* Threads count types in any order; runs are numbered by this one. */
static int by_name(const void *a, const void *b)
{
    const fact *x = a, *y = b;
    const int order = strcmp(x->type.name, y->type.name);
    return order != 0 ? order : x->scene < y->scene ? -1 : x->scene > y->scene;
}

/* Each type in one of its scenes, which differ from type to type. */
static void keep_types_once(void)
{
    size_t n_kept = 0;
    for (size_t i = 0, end = 0; i < n_facts; i = end, n_kept++) {
        while (end < n_facts && strcmp(facts[end].type.name, facts[i].type.name) == 0)
            end++;
        facts[n_kept] = facts[i + n_kept % (end - i)];
    }
    n_facts = n_kept;
}

/* --- runs with a liar --- */

typedef struct trial {
    size_t number;
    const fact *fact;
    lie lie;
} trial;

/* What a child process tells its parent: memory that both share. */
typedef struct report {
    size_t n_told;
    size_t n_verified;
    kith_status statuses[PARTY_MAX];
    char problem[1400];
} report;

static trial choose(uint64_t seed, size_t number)
{
    rng r;
    rng_init(&r, seed, number);
    const fact *f = &facts[number < n_facts ? number : rng_below(&r, (uint32_t)n_facts)];
    lie told = {.type = f->type.name, .seed = rng_next(&r)};
    do
        told.liar = rng_below(&r, scenes[f->scene].n_parties);
    while (f->type.n_frames[told.liar] == 0);
    if (rng_below(&r, 2) == 0)
        told.first = rng_below(&r, (uint32_t)f->type.n_frames[told.liar]);
    told.kind = (lie_kind)rng_below(&r, LIE_KINDS);
    told.goes_on = rng_below(&r, 4) == 0;
    return (trial){number, f, told};
}

/* A lie as `describe` prints it. */
static trial parse(const char *text)
{
    static fact told;
    int kind, goes_on;
    unsigned long long seed;
    trial t = {.fact = &told, .lie = {.type = told.type.name}};
    assert_int_equal(sscanf(text, "%u %63s %u %zu %d %d %llu", &told.scene, told.type.name,
                            &t.lie.liar, &t.lie.first, &goes_on, &kind, &seed),
                     7);
    assert_true(told.scene < joint_scenes_count && kind >= 0 && kind < LIE_KINDS);
    t.lie.goes_on = goes_on != 0;
    t.lie.kind = (lie_kind)kind;
    t.lie.seed = seed;
    return t;
}

static void note(report *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(report *out, const char *format, ...)
{
    va_list arguments;
    if (out->problem[0] != '\0')
        return;
    va_start(arguments, format);
    vsnprintf(out->problem, sizeof out->problem, format, arguments);
    va_end(arguments);
}

/* The files of an honest party: a release that it wrote keeps the models, as far as it shows them
 * (whose its rows are it does not), and there is none if the run failed. */
static void check_release(report *out, const joint_scene *s, uint32_t i, kith_status status,
                          const char *type)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%u/release.csv", s->directory, i);
    if (access(path, F_OK) != 0)
        return;
    /* The last messages: whoever has all of them publishes, even if another party then finds that
     * the one it got was false. */
    if (status != KITH_OK && strncmp(type, "release.", 8) != 0)
        note(out, "site%u failed but wrote a release", i + 1);
    const kith_verify_options options =
        KITH_OPTIONS(kith_verify_options, .release = KITH_INPUT_URI(path));
    const kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1);
    kith_document *verdict = NULL;
    kith_error error = {0};
    if (kith_verify(&verdict, s->study, &options, &run, &error) != KITH_OK)
        note(out, "the release of site%u cannot be verified: %s", i + 1, error.message);
    else if (!kith_document_flag(verdict, "holds", kith_document_has(verdict, "not_checked")))
        note(out, "the release of site%u does not keep the models", i + 1);
    kith_document_free(verdict);
    out->n_verified++;
}

static void attempt(const trial *t, report *out)
{
    static liar l;
    static char directory[200];
    kith_error errors[PARTY_MAX] = {0};
    joint_scene *s = &scenes[t->fact->scene];
    snprintf(directory, sizeof directory, "%s/%zu", scratch_directory, t->number);
    mkdir(directory, 0700);
    for (uint32_t i = 0; i < s->n_parties; i++) {
        char path[300];
        snprintf(path, sizeof path, "%s/%u", directory, i);
        mkdir(path, 0700);
    }
    s->directory = directory;
    liar_open(&l, &t->lie, 20 * frames[t->fact->scene] + 2000);
    (void)run_scene(s, &l, errors);
    out->n_told = l.n_told;
    if (l.n_frames > l.max_frames)
        note(out, "no end after %zu messages; an honest run has %zu", l.max_frames,
             frames[t->fact->scene]);
    for (uint32_t i = 0; i < s->n_parties; i++) {
        out->statuses[i] = errors[i].status;
        if (i == t->lie.liar)
            continue;
        if (!honest_end_allowed(&errors[i]))
            note(out, "site%u ends with \"%s\": %s", i + 1, kith_status_name(errors[i].status),
                 errors[i].message);
        if (errors[i].status == KITH_PEER && !honest_end_names_a_party(errors[i].message))
            note(out, "site%u names nobody: %s", i + 1, errors[i].message);
        check_release(out, s, i, errors[i].status, t->lie.type);
    }
    liar_close(&l);
    nftw(directory, scratch_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* A process of its own: a crash ends that run only, and the parent can say which it was. */
static pid_t start(const trial *t, report *out)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0)
        return child;
    alarm(PATIENCE);
    attempt(t, out);
    fflush(NULL);
    _exit(0);
}

static void conclude(report *out, int state)
{
    if (WIFSIGNALED(state))
        note(out, "killed by signal %d: %s", WTERMSIG(state),
             WTERMSIG(state) == SIGALRM ? "it hangs" : "it crashed");
    else if (WEXITSTATUS(state) != 0)
        note(out, "a sanitizer ended it");
}

/* Runs all trials, WIDTH at a time. */
static void run_trials(const trial *trials, report *reports, size_t n)
{
    pid_t children[WIDTH] = {0};
    size_t of[WIDTH] = {0}, started = 0, ended = 0;
    while (ended < n) {
        for (int i = 0; i < WIDTH && started < n; i++)
            if (children[i] == 0) {
                of[i] = started;
                children[i] = start(&trials[started], &reports[started]);
                started++;
            }
        int state;
        const pid_t child = wait(&state);
        for (int i = 0; i < WIDTH; i++)
            if (children[i] == child && child > 0) {
                conclude(&reports[of[i]], state);
                children[i] = 0;
                ended++;
            }
    }
}

static void describe(const trial *t, uint64_t seed, const char *problem)
{
    print_message("%s: site%u lied about %s (%s, frame %zu%s): %s\n"
                  "  run %zu of seed %llu; again: KITH_LIE='%u %s %u %zu %d %d %llu'\n",
                  joint_scenes[t->fact->scene].name, t->lie.liar + 1, t->lie.type,
                  lie_name(t->lie.kind), t->lie.first, t->lie.goes_on ? " and later ones" : "",
                  problem, t->number, (unsigned long long)seed, t->fact->scene, t->lie.type,
                  t->lie.liar, t->lie.first, t->lie.goes_on, (int)t->lie.kind,
                  (unsigned long long)t->lie.seed);
}

static uint64_t seed_wanted(void)
{
    const char *text = getenv("KITH_LIES_SEED");
    if (text == NULL)
        return 1;
    return strcmp(text, "fresh") == 0 ? rng_fresh_seed() >> 1 : strtoull(text, NULL, 10);
}

/* The first run of each type that was not lied about in the end (the run was over before, or the
 * payload was what the lie would have made of it) is done again: from the first frame, other kinds.
 */
static void fill_gaps(trial *trials, report *reports, size_t n)
{
    for (unsigned again = 1; again <= 6; again++)
        for (size_t i = 0; i < n_facts && i < n; i++) {
            if (reports[i].n_told > 0 || reports[i].problem[0] != '\0')
                continue;
            trials[i].lie.first = 0;
            trials[i].lie.kind = again % 2 == 0 ? LIE_EXTEND : LIE_FLIP;
            run_trials(&trials[i], &reports[i], 1);
        }
}

static void honest_parties_end_well(void **state)
{
    const uint64_t seed = seed_wanted();
    const char *wanted = getenv("KITH_LIES"), *only = getenv("KITH_LIE");
    size_t n = wanted != NULL ? strtoul(wanted, NULL, 10) : 0, problems = 0, told = 0;
    size_t outcomes[KITH_BUG + 1] = {0}, verified = 0;
    (void)state;
    n = only != NULL ? 1 : n > n_facts ? n : n_facts;
    trial *trials = calloc(n, sizeof *trials);
    report *reports =
        mmap(NULL, n * sizeof *reports, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(trials != NULL && reports != MAP_FAILED);
    for (size_t i = 0; i < n; i++)
        trials[i] = only != NULL ? parse(only) : choose(seed, i);
    run_trials(trials, reports, n);
    if (only == NULL)
        fill_gaps(trials, reports, n);
    for (size_t i = 0; i < n; i++) {
        told += reports[i].n_told > 0;
        verified += reports[i].n_verified;
        for (uint32_t p = 0; p < scenes[trials[i].fact->scene].n_parties; p++)
            outcomes[reports[i].statuses[p]] += p != trials[i].lie.liar;
        const char *problem = reports[i].problem;
        if (problem[0] == '\0' && only == NULL && i < n_facts && reports[i].n_told == 0)
            problem = "nothing was changed";
        if (problem[0] != '\0' && ++problems <= 40)
            describe(&trials[i], seed, problem);
    }
    print_message("%zu types of messages in %zu scenes; %zu runs with seed %llu, %zu with a lie\n",
                  n_facts, joint_scenes_count, n, (unsigned long long)seed, told);
    print_message("honest parties: %zu ended well, %zu blamed a peer, %zu infeasible; "
                  "%zu releases verified\n",
                  outcomes[KITH_OK], outcomes[KITH_PEER], outcomes[KITH_INFEASIBLE], verified);
    free(trials);
    munmap(reports, n * sizeof *reports);
    assert_int_equal(problems, 0);
}

static int open_scenes(void **state)
{
    if (scratch_setup(state) != 0 || joint_scenes_count > MAX_SCENES)
        return -1;
    const char *only = getenv("KITH_LIES_SCENE");
    for (uint32_t i = 0; i < joint_scenes_count; i++) {
        joint_scene_open(&scenes[i], &joint_scenes[i]);
        if (only == NULL || strstr(joint_scenes[i].name, only) != NULL)
            list_facts(i);
    }
    qsort(facts, n_facts, sizeof *facts, by_name);
    if (getenv("KITH_LIES") == NULL)
        keep_types_once();
    return 0;
}

static int close_scenes(void **state)
{
    for (uint32_t i = 0; i < joint_scenes_count; i++)
        joint_scene_close(&scenes[i]);
    return scratch_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(honest_parties_end_well)};
    return cmocka_run_group_tests(tests, open_scenes, close_scenes);
}
