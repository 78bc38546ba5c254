/* Macros of the public headers: attributes, and how sized structs are initialised. */
#ifndef KITH_MACROS_H
#define KITH_MACROS_H

#ifndef KITH_API
#if defined(__GNUC__)
#define KITH_API __attribute__((visibility("default")))
#else
#define KITH_API
#endif
#endif

#if defined(__GNUC__)
#define KITH_MUST_USE __attribute__((warn_unused_result))
#else
#define KITH_MUST_USE
#endif

/* A struct that callers fill begins with its own size, by which the library knows what the program
 * was compiled with (docs/versioning.md). All members that are not named are zero:
 *
 *   kith_run run = KITH_INIT(kith_run);
 *   kith_run run = KITH_OPTIONS(kith_run, .n_threads = 2);    in C, and in C++ from C++20 on
 *   call(…, &(kith_run)KITH_OPTIONS(kith_run, .n_threads = 2), …);                  in C only */
#ifdef __cplusplus
template <typename kith_sized_struct> inline kith_sized_struct kith_initialised()
{
    kith_sized_struct made = kith_sized_struct();
    made.size = sizeof made;
    return made;
}
#define KITH_INIT(type) kith_initialised<type>()
#else
#define KITH_INIT(type)      \
    {                        \
        .size = sizeof(type) \
    }
#endif
#define KITH_OPTIONS(type, ...)           \
    {                                     \
        .size = sizeof(type), __VA_ARGS__ \
    }

#endif
