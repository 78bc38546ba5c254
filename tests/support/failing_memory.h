/* Allocations that fail on purpose. A test that uses this says "wrap: allocations"
 * (tests/CMakeLists.txt), so that all allocations of the library (not those inside other libraries)
 * come through here, from any thread. */
#ifndef SUPPORT_FAILING_MEMORY_H
#define SUPPORT_FAILING_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* In a program of several ranks, only allocations of threads that say so count, and fail. */
extern bool failing_by_thread;
extern _Thread_local bool failing_here;

/* From now on allocation n fails, and all behind it if `from_there_on`; 0: none. */
void failing_begin(size_t n, bool from_there_on);

/* No more; how many blocks were not released. */
size_t failing_end(void);

/* How many allocations there were. */
size_t failing_seen(void);

/* Tests that let one allocation after the other fail take one in `usual`, and all of them in long
 * checks (KITH_EXHAUSTIVE=full). */
size_t failing_stride(size_t usual);

#endif
