/* Ranks: processes, on one or many machines, that work on the same data, each on its share. They
 * are started by an MPI launcher ("mpirun -n 4 program", "srun program"), make the same calls in
 * the same order, each with its own kith_ranks object in kith_run. docs/scale.md says which calls
 * share their work; the others ignore the object.
 *
 * A call that fails on one rank fails on all of them, with the same status and message. A
 * kith_ranks object cannot be used any more once a call with it has failed. */
#ifndef KITH_RANKS_H
#define KITH_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/status.h>
#include <kith/unstable.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_ranks kith_ranks;

/* Whether an MPI launcher has started this program, as the environment says; `rank` and `size` (0:
 * unknown) may be NULL. False if the variable KITH_MPI is "off". */
KITH_API bool kith_ranks_launched(uint32_t *rank, uint32_t *size);

/* Joins the ranks that were started with this one; MPI is initialised if the program has not done
 * so, and then ends with the program. *ranks is NULL, which means this process alone, if no launcher
 * started it. MPI comes from the library libkith-mpi.so, which is looked for where KITH_MPI says
 * (its file or directory), beside the program or libkith, and where the system finds libraries:
 * KITH_INVALID if it is not there and there is more than one rank, or if it is made with an MPI to
 * which the launcher does not belong. All calls with this object, and this one, are made from the
 * same thread. */
KITH_API KITH_MUST_USE kith_status kith_ranks_open(kith_ranks **ranks, kith_error *error);

/* All ranks close their objects. A rank whose wait for others was stopped, or that has lost them,
 * ends the others here, and itself. */
KITH_API void kith_ranks_close(kith_ranks *ranks);

KITH_API uint32_t kith_ranks_self(const kith_ranks *ranks);  /* from 0 */
KITH_API uint32_t kith_ranks_count(const kith_ranks *ranks); /* 1 for NULL */

/* Whether all ranks are well, outside of other calls: each gives its own status, with its error
 * unless that is KITH_OK. Returns the same on all of them, with the message of the lowest rank that
 * failed; a call in which other ranks are returns it, too. */
KITH_API KITH_MUST_USE kith_status kith_ranks_agree(kith_ranks *ranks, kith_status status,
                                                    kith_error *error);

/* Whether this rank is the one to report the outcome of the last call: the first one, or the one
 * that failed. */
KITH_API bool kith_ranks_reports(const kith_ranks *ranks);

#ifdef __cplusplus
}
#endif
#endif
