/* Kith: joint and single-table anonymization. This header includes the whole public interface.
 *
 * Order of arguments, in every call:
 *   1. outputs: pointers to what the call makes or fills
 *   2. inputs: the object that the call is about, then all others; a length follows its pointer
 *   3. options: a sized struct (macros.h); it may be NULL where the comment says so
 *   4. run: threads, seed, progress; may be NULL
 *   5. findings: a list to which the call adds; may be NULL
 *   6. error: may be NULL
 *
 * Results. Every call that can fail returns a kith_status and fills the caller's kith_error; its
 * outputs are valid after KITH_OK only. The library never prints and never exits.
 *
 * Ownership. What a call makes belongs to the caller: objects are freed by the _free of their type,
 * texts (char **) by kith_free. All of these take NULL. Texts returned as const char * belong to
 * the object that was asked and live as long as it. Inputs and options are borrowed for the time of
 * the call: the library keeps no pointer to them.
 *
 * Threads. Calls on different objects may run at the same time in any threads. Studies, tables,
 * hierarchies and documents do not change once made: any number of threads may use one at the same
 * time, and it is freed after the last use. A kith_findings and a kith_error belong to one call at
 * a time. A long call has threads of its own (kith_run), which end before it returns; it calls
 * kith_run.progress from the thread that made the call, never from another.
 *
 * Environment. KITH_SIMD (portable, avx2, avx512) chooses among the instruction sets; TMPDIR is
 * where simulations keep their private files; KITH_DUCKDB and KITH_MPI name libraries that are
 * loaded at run time. They are read when a call needs them.
 *
 * Names. n_x is a number of x; arrays have plural names. read is from a file or database, parse
 * from a text in memory, write to a file or database, describe into a document. */
#ifndef KITH_KITH_H
#define KITH_KITH_H

#include <kith/anonymize.h>
#include <kith/arrow.h>
#include <kith/document.h>
#include <kith/hierarchy.h>
#include <kith/keys.h>
#include <kith/macros.h>
#include <kith/measure.h>
#include <kith/run.h>
#include <kith/status.h>
#include <kith/study.h>
#include <kith/table.h>
#include <kith/verify.h>
#include <kith/version.h>

#endif
