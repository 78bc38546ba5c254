/* Sized structs of callers (include/kith/macros.h): converts a struct of a program that was
 * compiled against an older or newer header to the struct of this library, and back.
 *
 * Every public function converts each struct once, at its entrance; all other functions see only
 * copies of full size. */
#ifndef CORE_OPTIONS_H
#define CORE_OPTIONS_H

#include <stddef.h>

#include <kith/run.h>
#include <kith/status.h>

/* Fills `mine`, of `size` bytes, from `theirs`, which begins with its own size; `name` is for
 * messages. NULL, and members that a smaller struct does not have, are zero; mine's own size member
 * becomes `size`. KITH_INVALID if theirs ends before `first_size`, the end of the last member in
 * the first version that had the struct, or if it has bytes beyond `size` that are not zero. */
kith_status options_take(void *mine, size_t size, size_t first_size, const void *theirs,
                         const char *name, kith_error *error) KITH_MUST_USE;

/* The other way round: fills `theirs`, whose size the caller has set, from `mine`. Members that
 * theirs does not have are left out, those that only theirs has are zero. */
kith_status options_give(void *theirs, size_t first_size, const void *mine, size_t size,
                         const char *name, kith_error *error) KITH_MUST_USE;

/* Where the first version of a struct ended: behind `last_member`. */
#define OPTIONS_FIRST_SIZE(type, last_member) \
    (offsetof(type, last_member) + sizeof(((type *)NULL)->last_member))

#define OPTIONS_TAKE(type, last_member, mine, theirs, error)                                   \
    options_take((mine), sizeof(type), OPTIONS_FIRST_SIZE(type, last_member), (theirs), #type, \
                 (error))

/* A text that the caller must give: KITH_INVALID if `text` is NULL. */
kith_status options_need(const char *text, const char *member, kith_error *error) KITH_MUST_USE;

kith_status options_take_run(kith_run *mine, const kith_run *theirs,
                             kith_error *error) KITH_MUST_USE;

#endif
