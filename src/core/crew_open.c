#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <kith/crew.h>

#include "core/crew.h"
#include "core/error.h"
#include "core/plugin_file.h"

static const char file_name[] = "libkith-mpi.so";
/* Open MPI loads parts of itself later, which need its names. It stays for as long as the program:
 * MPI can be initialised only once. */
static const plugin_file file = {.name = file_name,
                                 .variable = "KITH_MPI",
                                 .below = (const char *const[]){"../" KITH_LIBDIR "/", NULL},
                                 .flags = RTLD_GLOBAL | RTLD_NODELETE};

/* What launchers tell the programs that they start. A rank without a size is that of PMIx. */
static const struct {
    const char *rank;
    const char *size;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, /* mpirun of Open MPI */
    {"PMI_RANK", "PMI_SIZE"},                         /* of MPICH and its relatives */
    {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},            /* srun --mpi=pmix; prterun */
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},         /* srun */
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

bool kith_crew_launched(uint32_t *rank, uint32_t *size)
{
    const char *named = getenv("KITH_MPI");
    if (named != NULL && strcmp(named, "off") == 0)
        return false;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        uint32_t own = 0, all = 0;
        if (!environment_number(launchers[i].rank, &own))
            continue;
        /* A batch script of Slurm has a rank, too, but is no step of several tasks. */
        if (!environment_number(launchers[i].size, &all) &&
            strcmp(launchers[i].rank, "PMIX_RANK") != 0)
            continue;
        if (rank != NULL)
            *rank = own;
        if (size != NULL)
            *size = all;
        return true;
    }
    return false;
}

/* The message of dlopen says what is missing: the plugin, or a library that it needs. */
static kith_status refuse_missing(kith_error *error)
{
    const char *reason = dlerror();
    error_set(error, KITH_INVALID, "started by an MPI launcher, but %s cannot be loaded: %s",
              file_name, reason == NULL ? "it is not there" : reason);
    return error_hint(error, KITH_INVALID,
                      "'make mpi' in Kith's source installs Debian's Open MPI and builds it; "
                      "KITH_MPI=FILE names it; KITH_MPI=off lets every process work alone");
}

static kith_status load(crew_transport *transport, kith_error *error)
{
    crew_transport_open_fn *open = NULL;
    void *handle = plugin_file_open(&file);
    if (handle == NULL)
        return refuse_missing(error);
    if (!plugin_file_function(handle, CREW_TRANSPORT_OPEN, &open))
        return error_set(error, KITH_INVALID, "KITH_MPI names a library that is no %s", file_name);
    const char *problem = open(transport, CREW_TRANSPORT_VERSION);
    return problem == NULL ? KITH_OK : error_set(error, KITH_INVALID, "%s: %s", file_name, problem);
}

kith_status kith_crew_open(kith_crew **opened, kith_error *error)
{
    uint32_t size = 0;
    crew_transport transport;
    *opened = NULL;
    if (!kith_crew_launched(NULL, &size))
        return KITH_OK;
    const kith_status status = load(&transport, error);
    if (status != KITH_OK)
        return size == 1 ? KITH_OK : status;
    *opened = crew_new(&transport);
    return *opened == NULL ? error_nomem(error) : KITH_OK;
}

void kith_crew_close(kith_crew *c)
{
    crew_free(c);
}

uint32_t kith_crew_rank(const kith_crew *c)
{
    return crew_rank(c);
}

uint32_t kith_crew_size(const kith_crew *c)
{
    return crew_size(c);
}

kith_status kith_crew_agree(kith_crew *c, kith_status status, kith_error *error)
{
    return crew_leave(c, status, error);
}

bool kith_crew_speaks(const kith_crew *c)
{
    return crew_speaks(c);
}
