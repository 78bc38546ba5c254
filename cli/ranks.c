/* Processes that an MPI launcher has started together: one of them prints. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What a stream of a silent rank was, and what is written to it now. */
typedef struct muted {
    int stream;
    int original;
    int kept;
} muted;

static struct {
    kith_ranks *joined;
    bool ended;
    bool is_mute;
    muted streams[2];
} ranks = {.streams = {{.stream = STDOUT_FILENO}, {.stream = STDERR_FILENO}}};

kith_ranks *ranks_joined(void)
{
    return ranks.joined;
}

bool ranks_first(void)
{
    return kith_ranks_self(ranks.joined) == 0;
}

/* Without MPI the ranks cannot agree on who speaks: rank 0 does. If nobody knows how many there are
 * rank 0 may believe that it is alone: rank 1 speaks, too. Open MPI's launcher ends all ranks when
 * one fails, and that should be the one that has spoken: the others wait for it. Launchers that do
 * not end them, as srun and that of MPICH, should not take long. */
static int refuse(uint32_t rank, uint32_t size, const kith_error *error)
{
    enum { LONG_ENOUGH_SECONDS = 20, SHORT_SECONDS = 2 };
    if (rank == 0 || (rank == 1 && size == 0))
        return report_error(error);
    sleep(getenv("OMPI_COMM_WORLD_RANK") != NULL ? LONG_ENOUGH_SECONDS : SHORT_SECONDS);
    return EXIT_BAD_INPUT;
}

static int refuse_command(uint32_t rank, uint32_t size, const char *command)
{
    kith_error error = {.status = KITH_INVALID,
                        .hint = "start it once, without the launcher; KITH_MPI=off lets every "
                                "process work alone"};
    if (size > 0)
        snprintf(error.message, sizeof error.message,
                 "kith %s cannot share its work between %u ranks of an MPI launcher", command,
                 size);
    else
        snprintf(error.message, sizeof error.message,
                 "kith %s cannot share its work between ranks of an MPI launcher", command);
    return refuse(rank, size, &error);
}

static bool mute(muted *m)
{
    m->original = dup(m->stream);
    m->kept = memfd_create("kith", MFD_CLOEXEC);
    return m->original >= 0 && m->kept >= 0 && dup2(m->kept, m->stream) >= 0;
}

/* Copies what was kept to where it would have gone. */
static void unmute(muted *m, bool speaks)
{
    char bytes[4096];
    ssize_t n;
    dup2(m->original, m->stream);
    lseek(m->kept, 0, SEEK_SET);
    while (speaks && (n = read(m->kept, bytes, sizeof bytes)) > 0)
        if (write(m->stream, bytes, (size_t)n) != n)
            break;
    close(m->original);
    close(m->kept);
}

/* A command that leaves by exit(), for lack of memory, must not let the others wait. */
static void end_at_exit(void)
{
    if (!ranks.ended)
        ranks_end(EXIT_LOCAL);
}

bool ranks_begin(const char *command, bool shares_work, int *status)
{
    uint32_t rank, size;
    kith_error error = {0};
    if (!kith_ranks_launched(&rank, &size) || (size == 1 && !shares_work))
        return true;
    if (!shares_work) {
        *status = refuse_command(rank, size, command);
        return false;
    }
    if (kith_ranks_open(&ranks.joined, &error) != KITH_OK) {
        *status = refuse(rank, size, &error);
        return false;
    }
    if (kith_ranks_count(ranks.joined) > 1)
        atexit(end_at_exit);
    if (!ranks_first())
        ranks.is_mute = mute(&ranks.streams[0]) && mute(&ranks.streams[1]);
    return true;
}

static kith_status status_of(int exit_status)
{
    switch (exit_status) {
    case EXIT_DONE:
    case EXIT_NO: return KITH_OK;
    case EXIT_PEER: return KITH_PEER;
    case EXIT_INFEASIBLE: return KITH_INFEASIBLE;
    case EXIT_LOCAL: return KITH_IO;
    case EXIT_INTERRUPTED: return KITH_CANCELLED;
    case EXIT_BUG: return KITH_BUG;
    default: return KITH_INVALID;
    }
}

int ranks_end(int status)
{
    ranks.ended = true;
    if (ranks.joined == NULL)
        return status;
    kith_error error = {.status = status_of(status), .message = "another rank has failed"};
    fflush(stdout);
    const kith_status agreed = kith_ranks_agree(ranks.joined, error.status, &error);
    for (int i = 0; ranks.is_mute && i < 2; i++)
        unmute(&ranks.streams[i], agreed != KITH_OK && kith_ranks_reports(ranks.joined));
    kith_ranks_close(ranks.joined);
    ranks.joined = NULL;
    return agreed == KITH_OK ? status : report_exit_status(agreed);
}
