/* Numbers at which counters, sizes and signs go wrong. */
#ifndef SUPPORT_EXTREMES_H
#define SUPPORT_EXTREMES_H

#include <stdint.h>

static const uint64_t extremes[] = {0,
                                    1,
                                    2,
                                    3,
                                    0x7f,
                                    0xff,
                                    1000,
                                    0xffff,
                                    0x10000,
                                    0x7fffffff,
                                    0x80000000,
                                    0xfffffffe,
                                    0xffffffff,
                                    UINT64_C(1) << 32,
                                    UINT64_C(1) << 61,
                                    INT64_MAX,
                                    UINT64_C(1) << 63,
                                    UINT64_MAX - 1,
                                    UINT64_MAX};
enum { EXTREMES = sizeof extremes / sizeof *extremes };

#endif
