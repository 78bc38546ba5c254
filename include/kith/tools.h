/* The unstable part of the interface as a whole: a program that defines KITH_UNSTABLE_API before it
 * includes a header of Kith can use what the program and the console are made of, and is compiled
 * anew for every version of the library (docs/versioning.md). */
#ifndef KITH_TOOLS_H
#define KITH_TOOLS_H

#include <kith/application.h>
#include <kith/describe.h>
#include <kith/generate.h>
#include <kith/pkg.h>
#include <kith/query.h>
#include <kith/ranks.h>
#include <kith/report.h>
#include <kith/simulate.h>
#include <kith/smc.h>
#include <kith/try.h>

#endif
