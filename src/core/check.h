/* Assertions: invariants that debug builds check.
 *
 * KITH_DEBUG is 1 if CMAKE_BUILD_TYPE is Debug (cmake/flags.cmake), otherwise 0. A failed assertion
 * is a bug in Kith, never bad input: input, files and messages of peers are checked in all builds
 * and reported with a kith_status.
 *
 * A type whose header states invariants has a function that checks them all:
 *
 *     #if KITH_DEBUG
 *     void foo_check(const foo *f);
 *     #endif
 *
 * Functions of the module call it at their entrances as CHECK(foo_check(f)), which vanishes in
 * other builds. Neither macro may look at secret values: a branch on a secret is what the
 * constant-time test refuses. Secret arrays may be checked for their length and place only. */
#ifndef CORE_CHECK_H
#define CORE_CHECK_H

#ifndef KITH_DEBUG
#define KITH_DEBUG 0
#endif

#if KITH_DEBUG

#include <stdio.h>
#include <stdlib.h>

/* Prints "file:line: condition" and aborts unless the condition holds. */
#define ASSERT(condition)                                                                     \
    do {                                                                                      \
        if (!(condition)) {                                                                   \
            fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                          \
        }                                                                                     \
    } while (0)
#define CHECK(call) call

#elif defined(__clang_analyzer__)

/* The static analyser takes for granted what callers must see to. */
#define ASSERT(condition)            \
    do {                             \
        if (!(condition))            \
            __builtin_unreachable(); \
    } while (0)
#define CHECK(call) ((void)0)

#else

/* sizeof does not evaluate its operand, but the compiler sees its variables used. */
#define ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#define CHECK(call) ((void)0)

#endif

#endif
