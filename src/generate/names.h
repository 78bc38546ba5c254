/* Invented names of people: a first name that goes with the sex, and a family name. */
#ifndef GENERATE_NAMES_H
#define GENERATE_NAMES_H

#include "generate/network.h"

enum {
    NAMES_FIRST = 20, /* of women, and as many of men */
    NAMES_FAMILIES = 36,
    NAMES = 2 * NAMES_FIRST * NAMES_FAMILIES
};

void names_format(uint32_t code, char text[NETWORK_TEXT + 1]);
/* The first parent's code: 0 for women, 1 for men, anything else for both. */
uint32_t names_weigh(const value *v, const value *const *parents);

#endif
