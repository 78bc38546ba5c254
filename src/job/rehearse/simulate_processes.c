/* One process per party, over TLS on the loopback interface. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/system/output.h"
#include "job/rehearse/simulate.h"
#include "job/rehearse/simulate_children.h"

enum { ARGUMENTS = 32, TICK_MS = 100 };

/* Threads of each party: its share of the processors unless the caller says otherwise. */
static unsigned threads_each(const simulation *s)
{
    if (s->context.run->n_threads > 0)
        return s->context.run->n_threads;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > (long)s->n_parties ? (unsigned)(processors / (long)s->n_parties) : 1;
}

/* "kith party - --as site1 …"
 *
 * A site that ends before it has connected is noticed here, and one that is silent by its peers, so
 * that the wait is only for a busy machine, on which 128 sites take minutes to connect. */
static kith_status fill_arguments(const char **a, const simulation *s, uint32_t i,
                                  kith_error *error)
{
    const kith_simulate_options *o = s->options;
    const simulate_endpoint *endpoint = &s->endpoints[i];
    arena *memory = s->context.memory;
    const char *n_threads = TRY_ALLOC(arena_printf(memory, "%u", threads_each(s)), error);
    const char *delay = TRY_ALLOC(arena_printf(memory, "%ums", (unsigned)o->delay_ms), error);
    const char *seed =
        TRY_ALLOC(arena_printf(memory, "%llu", (unsigned long long)s->context.run->seed), error);
    const char *const named[][2] = {{"--as", s->parties[i].name},
                                    {"--key", endpoint->key},
                                    {"-o", endpoint->directory},
                                    {"--threads", n_threads},
                                    {"--wait", "1h"},
                                    {"-i", endpoint->data},
                                    {"--rows", endpoint->rows},
                                    {"--id-key", endpoint->id_key},
                                    {"--seed", s->context.run->seeded ? seed : NULL},
                                    {"--delay", o->delay_ms > 0 ? delay : NULL}};
    size_t n = 0;
    a[n++] = o->executable;
    a[n++] = "party";
    a[n++] = "-";
    a[n++] = "--force";
    for (size_t k = 0; k < sizeof named / sizeof *named; k++)
        if (named[k][1] != NULL) {
            a[n++] = named[k][0];
            a[n++] = named[k][1];
        }
    if (o->compress)
        a[n++] = "--compress";
    a[n] = NULL;
    return KITH_OK;
}

/* Every party reads the study from its standard input, which is a file here. */
static kith_status start_all(child *children, simulation *s, kith_error *error)
{
    const char *arguments[ARGUMENTS];
    output *out;
    const char *study = TRY_ALLOC(
        arena_printf(s->context.memory, "%s/study.yaml", s->files.private_directory), error);
    TRY(output_open(&out, s->context.memory, study, true, error));
    output_text(out, s->text);
    TRY(output_commit(out, error));
    for (uint32_t i = 0; i < s->n_parties; i++) {
        TRY(fill_arguments(arguments, s, i, error));
        TRY(simulate_children_start(&children[i], arguments, s->study->directory, study, error));
    }
    return KITH_OK;
}

static bool failed(const child *c)
{
    return c->ended && c->wait_status != 0;
}

/* True if the child failed by itself. Exit status 3 says that it failed because of another party.
 */
static bool is_cause(const child *c)
{
    return failed(c) && !(WIFEXITED(c->wait_status) && WEXITSTATUS(c->wait_status) == 3);
}

/* The child that failed first by itself; otherwise the first that failed because of another one;
 * `count` if none has failed. */
static uint32_t find_cause(const child *children, uint32_t count)
{
    uint32_t found = count;
    for (uint32_t i = 0; i < count; i++) {
        if (!failed(&children[i]))
            continue;
        bool better = found == count || (is_cause(&children[i]) && !is_cause(&children[found]));
        bool earlier = found < count && is_cause(&children[i]) == is_cause(&children[found]) &&
                       children[i].ended_at < children[found].ended_at;
        if (better || earlier)
            found = i;
    }
    return found;
}

/* Waits until all have ended, or the cause of a failure is known. If only children have ended so
 * far that blame others, the one that they blame should end within the deadline of a receive; the
 * wait is limited to somewhat more. */
static kith_status wait_for_all(child *children, simulation *s, kith_error *error)
{
    double patience = 2 + 1.5e-3 * s->site_study->timeout_ms, until = 0;
    while (simulate_children_wait(children, s->n_parties, TICK_MS) > 0) {
        const char *phase = children[0].phase; /* the first site's progress stands for all */
        if (!context_progress(&s->context, phase[0] != '\0' ? phase : "joint run", -1))
            return error_set(error, KITH_CANCELLED, "stopped during the run");
        uint32_t first = find_cause(children, s->n_parties);
        if (first == s->n_parties)
            continue;
        if (until == 0)
            until = children[first].ended_at + patience;
        if (is_cause(&children[first]) || context_seconds() > until)
            return KITH_OK;
    }
    return KITH_OK;
}

kith_status simulate_processes(simulation *s, bool *again, kith_error *error)
{
    *again = false;
    child *children = TRY_ZEROS(children, s->context.memory, s->n_parties, error);
    for (uint32_t i = 0; i < s->n_parties; i++)
        children[i].errors = -1;
    kith_status status = start_all(children, s, error);
    if (status == KITH_OK)
        status = wait_for_all(children, s, error);
    /* Looked for before the kill, which would make every child a failed one. */
    uint32_t cause = find_cause(children, s->n_parties);
    simulate_children_kill(children, s->n_parties);
    for (uint32_t i = 0; i < s->n_parties; i++)
        s->endpoints[i].peak_rss_bytes = children[i].peak_rss_bytes;
    if (status != KITH_OK || cause == s->n_parties)
        return status;
    *again = strncmp(children[cause].message, "cannot listen at ", 17) == 0;
    return simulate_children_status(&children[cause], s->parties[cause].name, error);
}
