#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <kith/ranks.h>

#include "core/run/ranks.h"
#include "core/error.h"
#include "core/system/plugin_file.h"

static const char file_name[] = "libkith-mpi.so";
/* Open MPI loads parts of itself later, which need its names. It stays for as long as the program:
 * MPI can be initialised only once. */
static const plugin_file file = {.name = file_name,
                                 .variable = "KITH_MPI",
                                 .below = (const char *const[]){"../" KITH_LIBDIR "/", NULL},
                                 .flags = RTLD_GLOBAL | RTLD_NODELETE};

/* What launchers tell the programs that they start. A rank without a size is that of PMIx. */
typedef struct launcher {
    const char *name;
    const char *rank;
    const char *size;
} launcher;

static const launcher launchers[] = {
    {"Open MPI's launcher", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"a launcher with PMI (MPICH or a relative)", "PMI_RANK", "PMI_SIZE"}, /* srun --mpi=pmi2 */
    {"a launcher with PMIx", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"}, /* srun --mpi=pmix; prterun */
    {"srun without PMI and PMIx", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
};

static bool environment_number(const char *name, uint32_t *value)
{
    char *end;
    const char *text = getenv(name);
    if (text == NULL || text[0] == '\0')
        return false;
    const unsigned long number = strtoul(text, &end, 10);
    *value = (uint32_t)number;
    return *end == '\0' && number <= UINT32_MAX;
}

/* The launcher that started this program, and as which rank of how many (0: unknown). NULL if there
 * is none. */
static const launcher *find_launcher(uint32_t *rank, uint32_t *size)
{
    const char *named = getenv("KITH_MPI");
    if (named != NULL && strcmp(named, "off") == 0)
        return NULL;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        *rank = *size = 0;
        if (!environment_number(launchers[i].rank, rank))
            continue;
        /* A batch script of Slurm has a rank, too, but is no step of several tasks. */
        if (environment_number(launchers[i].size, size) ||
            strcmp(launchers[i].rank, "PMIX_RANK") == 0)
            return &launchers[i];
    }
    return NULL;
}

bool kith_ranks_launched(uint32_t *rank, uint32_t *size)
{
    uint32_t own, all;
    if (find_launcher(&own, &all) == NULL)
        return false;
    if (rank != NULL)
        *rank = own;
    if (size != NULL)
        *size = all;
    return true;
}

static kith_status ranks_open_load(ranks_transport *transport, kith_error *error)
{
    ranks_transport_open_fn *open = NULL;
    void *handle = plugin_file_open(&file);
    if (handle == NULL) {
        /* The message of dlopen says what is missing: the plugin, or a library that it needs. */
        const char *reason = dlerror();
        error_set(error, KITH_INVALID, "started by an MPI launcher, but %s cannot be loaded: %s",
                  file_name, reason == NULL ? "it is not there" : reason);
        return error_hint(error, KITH_INVALID,
                          "'make mpi' in Kith's source installs Debian's Open MPI and builds it; "
                          "KITH_MPI=FILE names it; KITH_MPI=off lets every process work alone");
    }
    if (!plugin_file_function(handle, RANKS_TRANSPORT_OPEN, &open))
        return error_set(error, KITH_INVALID, "KITH_MPI names a library that is no %s", file_name);
    const char *problem = open(transport, RANKS_TRANSPORT_VERSION);
    return problem == NULL ? KITH_OK : error_set(error, KITH_INVALID, "%s: %s", file_name, problem);
}

/* An MPI that does not know the launcher takes every process for the only one: each would do all
 * of the work. */
static kith_status refuse_other_mpi(const launcher *by, uint32_t size, const char *mpi,
                                    kith_error *error)
{
    if (size > 1)
        error_set(error, KITH_INVALID,
                  "%s has started %u ranks, but %s (%s) knows of one only: it belongs to another "
                  "launcher",
                  by->name, size, file_name, mpi);
    else
        error_set(error, KITH_INVALID,
                  "%s has started several ranks, but %s (%s) knows of one only: it belongs to "
                  "another launcher",
                  by->name, file_name, mpi);
    return error_hint(error, KITH_INVALID,
                      "use the launcher of that MPI (under Slurm: srun --mpi=pmix for Open MPI, "
                      "--mpi=pmi2 for MPICH), or build the plugin with another one: 'make mpi' or "
                      "'make mpi MPI=mpich'");
}

kith_status kith_ranks_open(kith_ranks **opened, kith_error *error)
{
    uint32_t rank = 0, size = 0;
    ranks_transport transport;
    *opened = NULL;
    const launcher *by = find_launcher(&rank, &size);
    if (by == NULL)
        return KITH_OK;
    const kith_status status = ranks_open_load(&transport, error);
    if (status != KITH_OK)
        return size == 1 ? KITH_OK : status;
    if (transport.size == 1 && (size > 1 || rank > 0)) {
        transport.close(transport.user, false);
        return refuse_other_mpi(by, size, transport.name, error);
    }
    *opened = ranks_new(&transport);
    return *opened == NULL ? error_nomem(error) : KITH_OK;
}

void kith_ranks_close(kith_ranks *ranks)
{
    ranks_free(ranks);
}

uint32_t kith_ranks_self(const kith_ranks *ranks)
{
    return ranks_self(ranks);
}

uint32_t kith_ranks_count(const kith_ranks *ranks)
{
    return ranks_count(ranks);
}

kith_status kith_ranks_agree(kith_ranks *ranks, kith_status status, kith_error *error)
{
    return ranks_leave(ranks, status, error);
}

bool kith_ranks_reports(const kith_ranks *ranks)
{
    return ranks_reports(ranks);
}
