/* Parts of a program like 'kith' that sends itself a signal at a known point of its work, however
 * fast the machine is; linked with the objects of 'kith' itself. The environment says when:
 *
 * KITH_STRUCK="KILL message 17": before its 17th message to another party is queued.
 * KITH_STRUCK="INT poll 100": the 100th time that it looks at the network, as it does in long work.
 * KITH_STRUCK="TERM search 3": the third time that it tells how far the phase "search" is.
 * KITH_STRUCK="INT try:_1_of_2 1": the first time that it tells "try: 1 of 2".
 * KITH_STRUCK_PARTY=site2: but only if it is this party; of a simulation all have one environment.
 * KITH_STRUCK_STEPS=FILE: it writes into FILE the step of every message to another party, a line
 * each, also of the one at which it is struck.
 *
 * The signals are KILL, STOP, INT and TERM. */
/* wrap: party_queue party_poll context_progress */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/run/context.h"
#include "wire/party_internal.h"

kith_status __real_party_queue(party *p, uint32_t to, const outgoing *o, kith_error *error);
kith_status __wrap_party_queue(party *p, uint32_t to, const outgoing *o, kith_error *error);
kith_status __real_party_poll(party *p, kith_error *error);
kith_status __wrap_party_poll(party *p, kith_error *error);
bool __real_context_progress(context *c, const char *phase, double done);
bool __wrap_context_progress(context *c, const char *phase, double done);

static char signal_name[8], event[32];
static unsigned long wanted;
static atomic_ulong seen;
static FILE *steps; /* NULL: nobody asks for them */

/* Do the arguments of this process contain "--as NAME"? */
static bool is_party(const char *name)
{
    char text[4096] = "";
    FILE *file = fopen("/proc/self/cmdline", "r");
    size_t length = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
    if (file != NULL)
        fclose(file);
    for (const char *at = text; at < text + length; at += strlen(at) + 1)
        if (strcmp(at, "--as") == 0)
            return strcmp(at + strlen(at) + 1, name) == 0;
    return false;
}

static void __attribute__((constructor)) read_plan(void)
{
    const char *plan = getenv("KITH_STRUCK"), *whom = getenv("KITH_STRUCK_PARTY");
    const char *log = getenv("KITH_STRUCK_STEPS");
    if (whom != NULL && !is_party(whom))
        return;
    char number[24] = "", *end = number;
    if (plan != NULL && sscanf(plan, "%7s %31s %23s", signal_name, event, number) == 3)
        wanted = strtoul(number, &end, 10);
    if (plan != NULL && (wanted == 0 || *end != '\0')) {
        fprintf(stderr, "KITH_STRUCK is not 'SIGNAL EVENT NUMBER': %s\n", plan);
        abort();
    }
    if (log != NULL && (steps = fopen(log, "w")) == NULL)
        abort();
}

static void strike(void)
{
    static const struct {
        const char *name;
        int number;
    } signals[] = {{"KILL", SIGKILL}, {"STOP", SIGSTOP}, {"INT", SIGINT}, {"TERM", SIGTERM}};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (strcmp(signal_name, signals[i].name) == 0) {
            kill(getpid(), signals[i].number);
            return;
        }
    abort();
}

static void happens(const char *what)
{
    if (strcmp(what, event) == 0 && atomic_fetch_add(&seen, 1) + 1 == wanted)
        strike();
}

kith_status __wrap_party_queue(party *p, uint32_t to, const outgoing *o, kith_error *error)
{
    if (o->kind == FRAME_DATA && o->first) {
        /* At once: SIGKILL leaves no time for it. */
        if (steps != NULL && (fprintf(steps, "%s\n", p->step) < 0 || fflush(steps) != 0))
            abort();
        happens("message");
    }
    return __real_party_queue(p, to, o, error);
}

kith_status __wrap_party_poll(party *p, kith_error *error)
{
    happens("poll");
    return __real_party_poll(p, error);
}

/* What follows the colon of a phase is a detail, which a plan may name or not; spaces are _ in it.
 */
bool __wrap_context_progress(context *c, const char *phase, double done)
{
    char name[64];
    snprintf(name, sizeof name, "%s", phase);
    for (char *at = strchr(name, ' '); at != NULL; at = strchr(at, ' '))
        *at = '_';
    if (strchr(event, ':') == NULL)
        name[strcspn(name, ":")] = '\0';
    happens(name);
    return __real_context_progress(c, phase, done);
}
