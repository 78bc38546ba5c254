/* How much memory is left, so that a table that does not fit is refused with a message instead of
 * being killed half-way by the kernel. */
#ifndef TABLE_MEMORY_BUDGET_H
#define TABLE_MEMORY_BUDGET_H

#include <stdint.h>

#include <kith/status.h>

/* Bytes that this process may still take: the least of the machine's available memory and the
 * limits of its control groups (versions 1 and 2), both without `promised` bytes that it has
 * allocated but not touched, and of its address-space limit. UINT64_MAX if unknown. `root` is put
 * before /proc and /sys; "" but in tests. */
uint64_t memory_budget_available(const char *root, uint64_t promised);

/* A budget watches what one job takes. Allocated pages count before they are touched, since the
 * kernel hands out more than it has. */
typedef struct memory_budget {
    const char *source;   /* named in the message */
    const uint32_t *rows; /* how far the job is, for the message */
    uint64_t earlier;     /* rows that have left memory before them */
    uint64_t granted;     /* asked for and not given back */
    uint64_t unchecked;   /* granted since the kernel was last asked */
    uint64_t resident;    /* bytes of the process when the job began */
} memory_budget;

void memory_budget_init(memory_budget *r, const char *source, const uint32_t *rows);

/* The next three take NULL, too: then nothing is watched, and a failed allocation is a plain
 * KITH_NOMEM.
 *
 * Asks for memory before it is allocated. KITH_NOMEM with a message if there is too little. */
kith_status memory_budget_take(memory_budget *r, uint64_t bytes, kith_error *error);
void memory_budget_give_back(memory_budget *r, uint64_t bytes);
/* The same message after a failed allocation. */
kith_status memory_budget_refuse(const memory_budget *r, uint64_t bytes, kith_error *error);

#endif
