/* Countries of birth as in the UCI Adult table (its spellings), with parts of the world above. */
#ifndef GENERATE_COUNTRIES_H
#define GENERATE_COUNTRIES_H

#include "generate/network.h"

enum { COUNTRIES = 41 };
extern const value countries_values[COUNTRIES]; /* the United States first */

#endif
