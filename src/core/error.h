/* Filling the caller's error object, and returning early.
 *
 * TRY is safe because everything that must be released after an early return lives in an arena
 * (arena.h) that the outermost function frees. */
#ifndef CORE_ERROR_H
#define CORE_ERROR_H

#include <stddef.h>

#include <kith/status.h>

#define TRY(call)                         \
    do {                                  \
        kith_status try_status_ = (call); \
        if (try_status_ != KITH_OK)       \
            return try_status_;           \
    } while (0)

/* The pointer that an allocating call returns. If it is NULL, the enclosing function fills `error`
 * and returns KITH_NOMEM:
 *
 *     char *copy = TRY_ALLOC(arena_strdup(memory, text), error);
 */
#define TRY_ALLOC(call, error)                \
    __extension__({                           \
        __typeof__(call) try_block_ = (call); \
        if (try_block_ == NULL)               \
            return error_nomem(error);        \
        try_block_;                           \
    })

/* A new array of an arena, which is put into `array`; TRY_ZEROS clears it:
 *
 *     uint32_t *order = TRY_ARRAY(order, memory, n, error);
 */
#define TRY_ARRAY(array, memory, count, error) \
    TRY_ALLOC(arena_array(memory, count, sizeof *(array)), error)
#define TRY_ZEROS(array, memory, count, error) \
    TRY_ALLOC(arena_zalloc(memory, count, sizeof *(array)), error)

/* Resizes an array of an arena from `old` to `new` elements. If memory runs out, the array stays as
 * it is and the enclosing function returns KITH_NOMEM. */
#define TRY_RESIZE(array, memory, old, new, error) \
    ((array) = TRY_ALLOC(arena_resize_array(memory, array, old, new, sizeof *(array)), error))

/* Makes room for `needed` elements in an array of an arena that holds up to `capacity`. */
#define TRY_GROW(array, capacity, needed, memory, error)              \
    do {                                                              \
        size_t grow_needed_ = (needed);                               \
        if (grow_needed_ > (capacity)) {                              \
            size_t grow_to_ = arena_capacity(capacity, grow_needed_); \
            TRY_RESIZE(array, memory, capacity, grow_to_, error);     \
            (capacity) = (__typeof__(capacity))grow_to_;              \
        }                                                             \
    } while (0)

/* All of these return `status`, so that a caller can `return error_set(…)`; `error` may be NULL.
 * Texts that do not fit are cut at a UTF-8 character border. */
kith_status error_set(kith_error *error, kith_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Message "file:line:column: …"; a line or column of 0 is left out. */
kith_status error_at(kith_error *error, kith_status status, const char *file, size_t line,
                     size_t column, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Adds a hint to an error that has been set and returns its status. */
kith_status error_hint(kith_error *error, kith_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

kith_status error_nomem(kith_error *error);

/* "<path> exists already", with a hint that it can be overwritten; KITH_INVALID. */
kith_status error_exists(kith_error *error, const char *path);

/* "cannot <what> <path>: <strerror>", KITH_IO (KITH_NOMEM for ENOMEM). */
kith_status error_errno(kith_error *error, int errno_value, const char *what, const char *path);

/* The static analyzer looks at one file at a time: it has to be told that these return the status
 * that they are given, and that the last three never return KITH_OK. */
#if defined(__clang_analyzer__) && !defined(CORE_ERROR_C)
#define error_set(error, status, ...) ((void)(error_set)(error, status, __VA_ARGS__), (status))
#define error_at(error, status, ...) ((void)(error_at)(error, status, __VA_ARGS__), (status))
#define error_hint(error, status, ...) ((void)(error_hint)(error, status, __VA_ARGS__), (status))
#define error_nomem(error) ((void)(error_nomem)(error), KITH_NOMEM)
#define error_exists(error, path) ((void)(error_exists)(error, path), KITH_INVALID)
#define error_errno(error, ...) ((void)(error_errno)(error, __VA_ARGS__), KITH_IO)
#endif

#endif
