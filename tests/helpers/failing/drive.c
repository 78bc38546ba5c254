/* failing_calls NAME [OPTION]… --victim COMMAND…: makes the calls of a program fail one by one, in
 * the working directory, and judges every run.
 *
 *   --library FILE, --state FILE   the library to be preloaded; a scratch file elsewhere
 *   --fault KIND:WHAT:MODE         as in failing.h, without the number; "+" in front of it: must
 * not be noticed
 *   --first N, --more N            the first N calls, and N of the others; 0 and 0: all
 *   --complaints N                 so many bad runs are enough (5)
 *   --statuses DIGITS              that a failed run may have
 *   --varies 'SUFFIX…'             files whose contents differ from run to run
 *   --accounts 'SUFFIX…'           files that say how a run went, also a failed one
 *   --peer NAME                    what a companion's message must name
 *   --victim, --victim-server PORT, --companion PORT, --server PORT   begin a command
 *
 * Prints how many faults were tried; exit status 1 if a run was not as it should be. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drive.h"

enum { MAX_FAULTS = 64 };

typedef struct plan {
    const char *faults[MAX_FAULTS];
    size_t n_faults;
    unsigned long first, more;
    unsigned long complaints; /* after which it stops */
} plan;

static void refuse(const char *text)
{
    fprintf(stderr, "failing_calls: do not understand '%s'\n", text);
    exit(99);
}

static bool begins_command(scene *s, char **argv, int *i)
{
    static const struct {
        const char *name;
        role role;
        bool port;
    } roles[] = {{"--victim", VICTIM, false},
                 {"--victim-server", VICTIM_SERVER, true},
                 {"--companion", COMPANION, true},
                 {"--server", SERVER, true}};
    for (size_t k = 0; k < sizeof roles / sizeof *roles; k++)
        if (strcmp(argv[*i], roles[k].name) == 0) {
            if (s->count == ACTORS)
                refuse(argv[*i]);
            actor *a = &s->actors[s->count++];
            a->role = roles[k].role;
            if (roles[k].port)
                a->port = atoi(argv[*i + 1]);
            argv[*i] = NULL; /* ends the command before it */
            *i += roles[k].port;
            a->command = &argv[*i + 1];
            return true;
        }
    return false;
}

static void parse(scene *s, judge *j, plan *p, int argc, char **argv)
{
    j->name = argv[1];
    j->statuses = "5";
    j->varies = j->accounts = "";
    for (int i = 2; i < argc; i++) {
        if (begins_command(s, argv, &i) || s->count > 0)
            continue;
        const char *option = argv[i], *value = argv[++i];
        if (value == NULL)
            refuse(option);
        else if (strcmp(option, "--library") == 0)
            s->library = value;
        else if (strcmp(option, "--state") == 0)
            s->state_path = value;
        else if (strcmp(option, "--fault") == 0 && p->n_faults < MAX_FAULTS)
            p->faults[p->n_faults++] = value;
        else if (strcmp(option, "--first") == 0)
            p->first = strtoul(value, NULL, 10);
        else if (strcmp(option, "--more") == 0)
            p->more = strtoul(value, NULL, 10);
        else if (strcmp(option, "--complaints") == 0)
            p->complaints = strtoul(value, NULL, 10);
        else if (strcmp(option, "--statuses") == 0)
            j->statuses = value;
        else if (strcmp(option, "--varies") == 0)
            j->varies = value;
        else if (strcmp(option, "--accounts") == 0)
            j->accounts = value;
        else if (strcmp(option, "--peer") == 0)
            j->peer = value;
        else
            refuse(option);
    }
    if (s->count == 0 || s->library == NULL || s->state_path == NULL)
        refuse("no --victim, --library or --state");
}

static failing_kind kind_of(const char *fault)
{
    static const char *const names[FAILING_KINDS] = FAILING_NAMES;
    const size_t length = strcspn(fault, ":");
    for (failing_kind k = 0; k < FAILING_KINDS; k++)
        if (strlen(names[k]) == length && strncmp(names[k], fault, length) == 0)
            return k;
    refuse(fault);
    return FAILING_KINDS;
}

typedef struct tally {
    unsigned long reached, survived, complaints;
} tally;

/* One run with the n-th call failing; false if that call was not reached. */
static bool try_call(scene *s, judge *j, const char *fault, unsigned long n, tally *t)
{
    char text[128];
    const bool gentle = fault[0] == '+';
    snprintf(text, sizeof text, "%s:%lu", fault + gentle, n);
    const bool ended = scene_run(s, text), reached = s->actors[0].state->failed > 0;
    bool good = ended;
    if (!ended)
        printf("FAILED: %s, %s: does not end; said '%s'\n", j->name, text, s->actors[0].output[1]);
    else if (reached)
        good = judge_run(j, s, text, gentle);
    tree_restore(&j->before);
    t->reached += reached;
    t->survived += reached && s->actors[0].status == j->status;
    t->complaints += !good;
    return reached;
}

static void try_fault(scene *s, judge *j, const plan *p, const char *fault, unsigned long total,
                      tally *t)
{
    const bool all = p->first == 0 && p->more == 0;
    unsigned long n = 1;
    uint64_t random = 88172645463325252U;
    while ((all || n <= p->first) && t->complaints < p->complaints && try_call(s, j, fault, n, t))
        n++;
    if (all || n <= p->first || total <= p->first)
        return;
    const unsigned long rest = total - p->first, tries = rest < p->more ? rest : p->more;
    for (unsigned long i = 0; i < tries && t->complaints < p->complaints; i++) {
        random ^= random << 13; /* one call out of each of so many parts of equal length */
        random ^= random >> 7;
        random ^= random << 17;
        const unsigned long low = rest * i / tries, high = rest * (i + 1) / tries;
        try_call(s, j, fault, p->first + 1 + low + random % (high - low), t);
    }
}

int main(int argc, char **argv)
{
    static scene s;
    judge j = {0};
    plan p = {.complaints = 5};
    tally t = {0};
    if (argc < 2)
        refuse("nothing");
    setvbuf(stdout, NULL, _IOLBF, 0);
    parse(&s, &j, &p, argc, argv);
    scene_open(&s);
    j.before = tree_read();
    if (!scene_run(&s, NULL) || !judge_reference(&j, &s))
        return 1;
    j.after = tree_read();
    j.status = s.actors[0].status;
    for (int i = 0; i < 2; i++)
        j.output[i] = strdup(s.actors[0].output[i]);
    unsigned long totals[FAILING_KINDS];
    for (int i = 0; i < FAILING_KINDS; i++)
        totals[i] = s.actors[0].state->seen[i];
    tree_restore(&j.before);
    for (size_t i = 0; i < p.n_faults; i++) {
        const char *fault = p.faults[i];
        try_fault(&s, &j, &p, fault, totals[kind_of(fault + (fault[0] == '+'))], &t);
    }
    printf("%s: %lu faults, %lu of them without effect%s\n", j.name, t.reached, t.survived,
           t.complaints > 0 ? ", FAILED" : "");
    return t.complaints > 0;
}
