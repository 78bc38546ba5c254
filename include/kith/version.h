/* The version of these headers, and that of the library in use. */
#ifndef KITH_VERSION_H
#define KITH_VERSION_H

#include <kith/macros.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The build takes the project's version from here. */
#define KITH_VERSION_MAJOR 0
#define KITH_VERSION_MINOR 1
#define KITH_VERSION_PATCH 0
#define KITH_VERSION_STRING "0.1.0"

/* KITH_VERSION_STRING of the library that the program runs with. */
KITH_API const char *kith_version(void);

#ifdef __cplusplus
}
#endif
#endif
