/* libkith-mpi.so: moves the bytes between ranks (src/core/run/ranks_transport.h) by MPI.
 *
 * Operations are started without blocking and then waited for here, so that a wait can be stopped.
 * Every operation of the ranks begins with `share`, where a rank may have to wait long for a slow one:
 * it sleeps instead of keeping a processor busy. After that all ranks are there, and messages of
 * many parts move on only when somebody looks: nobody sleeps. */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/run/ranks_transport.h"

/* The largest message, in bytes: MPI counts with an int. */
enum { LARGEST = 1 << 30 };
/* How often a wait looks before it begins to sleep, how long it sleeps at most, and how often it
 * looks before it asks whether to go on. */
enum { LOOKS_AWAKE = 2000, LONGEST_SLEEP_NS = 200000, LOOKS_BETWEEN_QUESTIONS = 100 };

/* How many bytes are broadcast at a time. MPI may write to what the sender broadcasts (MPICH does,
 * the same bytes), which may be constants: it gets a copy. */
enum { LARGEST_COPY = 1 << 22 };
enum { MOST_REQUESTS = 2 }; /* that are waited for together */

typedef struct mpi_transport {
    MPI_Comm comm;
    int rank;
    int size;
    int largest; /* LARGEST, or less in tests */
    char *copy;  /* [LARGEST_COPY] */
    bool (*stop)(void *object);
    void *object;
    bool stopped; /* while it waited */
    char problem[MPI_MAX_ERROR_STRING];
} mpi_transport;

/* Whether the program is within MPI. MPICH ends a program by exit() when another rank has aborted,
 * and what then runs at exit must not call MPI again. */
static bool inside;
static const char ended[] = "MPI ends this program";

static bool enter(void)
{
    const bool entered = !inside;
    inside = true;
    return entered;
}

static const char *leave(const char *problem)
{
    inside = false;
    return problem;
}

static const char *explain(mpi_transport *m, int code)
{
    int length;
    if (code == MPI_SUCCESS)
        return NULL;
    if (MPI_Error_string(code, m->problem, &length) != MPI_SUCCESS)
        return "MPI failed";
    return m->problem;
}

static const char *wait_for(mpi_transport *m, MPI_Request *requests, int n, bool sleeps)
{
    struct timespec sleep = {.tv_nsec = 1000};
    for (unsigned long looks = 1;; looks++) {
        int done;
        MPI_Status statuses[MOST_REQUESTS]; /* gcc warns of MPICH's MPI_STATUSES_IGNORE */
        const char *problem = explain(m, MPI_Testall(n, requests, &done, statuses));
        if (problem != NULL || done)
            return problem;
        if (looks < LOOKS_AWAKE)
            continue;
        if (looks % LOOKS_BETWEEN_QUESTIONS == 0 && m->stop != NULL && m->stop(m->object)) {
            m->stopped = true;
            return RANKS_TRANSPORT_STOPPED;
        }
        if (!sleeps) {
            sched_yield(); /* there may be more ranks than processors */
            continue;
        }
        nanosleep(&sleep, NULL);
        sleep.tv_nsec = sleep.tv_nsec < LONGEST_SLEEP_NS / 2 ? 2 * sleep.tv_nsec : LONGEST_SLEEP_NS;
    }
}

/* Waits for what was started with `code`. */
static const char *finish(mpi_transport *m, int code, MPI_Request *request, bool sleeps)
{
    const char *problem = explain(m, code);
    return problem != NULL ? problem : wait_for(m, request, 1, sleeps);
}

static int next_part(const mpi_transport *m, size_t left)
{
    return left < (size_t)m->largest ? (int)left : m->largest;
}

static void watch(void *user, bool (*stop)(void *object), void *object)
{
    mpi_transport *m = user;
    m->stop = stop;
    m->object = object;
}

static const char *share(void *user, const void *own, size_t n_bytes, void *all)
{
    mpi_transport *m = user;
    if (!enter())
        return ended;
    MPI_Request request;
    const int code =
        MPI_Iallgather(own, (int)n_bytes, MPI_BYTE, all, (int)n_bytes, MPI_BYTE, m->comm, &request);
    return leave(finish(m, code, &request, true));
}

static const char *sum(void *user, uint64_t *values, size_t n)
{
    mpi_transport *m = user;
    if (!enter())
        return ended;
    const char *problem = NULL;
    const size_t most = (size_t)m->largest / sizeof *values;
    for (size_t done = 0; problem == NULL && done < n; done += most) {
        MPI_Request request;
        const size_t part = n - done < most ? n - done : most;
        const int code = MPI_Iallreduce(MPI_IN_PLACE, values + done, (int)part, MPI_UINT64_T,
                                        MPI_SUM, m->comm, &request);
        problem = finish(m, code, &request, false);
    }
    return leave(problem);
}

static const char *broadcast(void *user, uint32_t from, void *bytes, size_t n_bytes)
{
    mpi_transport *m = user;
    if (!enter())
        return ended;
    const char *problem = NULL;
    const bool sends = (int)from == m->rank;
    for (size_t done = 0; problem == NULL && done < n_bytes;) {
        MPI_Request request;
        const size_t left = n_bytes - done;
        const int part = next_part(m, left < LARGEST_COPY ? left : LARGEST_COPY);
        char *at = sends ? m->copy : (char *)bytes + done;
        if (sends)
            memcpy(m->copy, (const char *)bytes + done, (size_t)part);
        const int code = MPI_Ibcast(at, part, MPI_BYTE, (int)from, m->comm, &request);
        problem = finish(m, code, &request, false);
        done += (size_t)part;
    }
    return leave(problem);
}

/* Sends to one rank while another sends here, part by part; either side may be through first. */
static const char *swap(mpi_transport *m, int to, const char *out, size_t n_out, int from, char *in,
                        size_t n_in)
{
    while (n_out > 0 || n_in > 0) {
        int n_requests = 0;
        MPI_Request requests[MOST_REQUESTS];
        const int part_in = next_part(m, n_in), part_out = next_part(m, n_out);
        const char *problem = NULL;
        if (part_in > 0)
            problem = explain(
                m, MPI_Irecv(in, part_in, MPI_BYTE, from, 0, m->comm, &requests[n_requests++]));
        if (problem == NULL && part_out > 0)
            problem = explain(
                m, MPI_Isend(out, part_out, MPI_BYTE, to, 0, m->comm, &requests[n_requests++]));
        if (problem == NULL)
            problem = wait_for(m, requests, n_requests, false);
        if (problem != NULL)
            return problem;
        in += part_in;
        n_in -= (size_t)part_in;
        out += part_out;
        n_out -= (size_t)part_out;
    }
    return NULL;
}

static const char *exchange(void *user, const void *const *out, const size_t *n_out,
                            void *const *in, const size_t *n_in)
{
    mpi_transport *m = user;
    if (!enter())
        return ended;
    const char *problem = NULL;
    for (int step = 1; problem == NULL && step < m->size; step++) {
        const int to = (m->rank + step) % m->size;
        const int from = (m->rank - step + m->size) % m->size;
        problem = swap(m, to, out[to], n_out[to], from, in[from], n_in[from]);
    }
    return leave(problem);
}

static void close_transport(void *user, bool broken)
{
    enum { PEER_FAILED = 3, INTERRUPTED = 130 }; /* as kith exits then */
    mpi_transport *m = user;
    if (broken && enter())
        MPI_Abort(m->comm, m->stopped ? INTERRUPTED : PEER_FAILED);
    if (!inside)
        MPI_Comm_free(&m->comm);
    free(m->copy);
    free(m);
}

static void finalize(void)
{
    int done = 0;
    if (!inside && MPI_Finalized(&done) == MPI_SUCCESS && !done)
        MPI_Finalize();
}

/* MPI ends with the program if it begins here. */
static const char *begin(void)
{
    int begun = 0, level;
    if (MPI_Initialized(&begun) == MPI_SUCCESS && begun)
        return NULL;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
        return "MPI cannot be initialised";
    if (level < MPI_THREAD_FUNNELED)
        return "this MPI is not made for programs with threads";
    return atexit(finalize) == 0 ? NULL : "out of memory";
}

/* KITH_MPI_PART: messages are no larger than so many bytes. */
static int largest_part(void)
{
    const char *text = getenv("KITH_MPI_PART");
    const long wanted = text == NULL ? LARGEST : strtol(text, NULL, 10);
    return wanted >= (long)sizeof(uint64_t) && wanted < LARGEST ? (int)wanted : LARGEST;
}

/* "Open MPI v4.1.4, package: …", "MPICH Version:\t4.0.2\nMPICH Release date: …": up to the first
 * comma or line end, without the word in the middle. */
static const char *library_name(void)
{
    static char name[64];
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, number = 0;
    if (MPI_Get_library_version(text, &length) != MPI_SUCCESS)
        return "MPI";
    text[strcspn(text, ",\n")] = '\0';
    const char *word = strstr(text, " Version:");
    if (word != NULL)
        number = (int)strspn(word, " Version:\t");
    const int head = word == NULL ? (int)strlen(text) : (int)(word - text);
    snprintf(name, sizeof name, "%.*s%s%s", head, text, word == NULL ? "" : " ",
             word == NULL ? "" : word + number);
    return name;
}

__attribute__((visibility("default"))) ranks_transport_open_fn kith_ranks_transport_open;

const char *kith_ranks_transport_open(ranks_transport *transport, uint32_t version)
{
    static mpi_transport first; /* for the words of an error */
    if (version != RANKS_TRANSPORT_VERSION)
        return "it belongs to another version of Kith";
    const char *problem = begin();
    if (problem != NULL)
        return problem;
    mpi_transport *m = calloc(1, sizeof *m);
    char *copy = malloc(LARGEST_COPY);
    if (m == NULL || copy == NULL) {
        free(m);
        free(copy);
        return "out of memory";
    }
    m->copy = copy;
    m->largest = largest_part();
    problem = explain(&first, MPI_Comm_dup(MPI_COMM_WORLD, &m->comm));
    if (problem == NULL)
        problem = explain(&first, MPI_Comm_set_errhandler(m->comm, MPI_ERRORS_RETURN));
    if (problem != NULL) {
        free(copy);
        free(m);
        return problem;
    }
    MPI_Comm_rank(m->comm, &m->rank);
    MPI_Comm_size(m->comm, &m->size);
    *transport = (ranks_transport){.rank = (uint32_t)m->rank,
                                   .size = (uint32_t)m->size,
                                   .name = library_name(),
                                   .user = m,
                                   .watch = watch,
                                   .share = share,
                                   .sum = sum,
                                   .broadcast = broadcast,
                                   .exchange = exchange,
                                   .close = close_transport};
    return NULL;
}
