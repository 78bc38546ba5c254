#include "generate/names.h"

#include <stdio.h>

static const char *const women[] = {"Anna",  "Maria", "Emma", "Lena",   "Julia", "Sophie", "Laura",
                                    "Clara", "Nina",  "Eva",  "Paula",  "Ida",   "Marta",  "Sandra",
                                    "Irene", "Alma",  "Vera", "Helena", "Rosa",  "Yasmin"};
static const char *const men[] = {"Paul",   "Lukas",  "Jonas", "Max",    "Felix", "Anton", "Peter",
                                  "Thomas", "Karl",   "Emil",  "David",  "Simon", "Oskar", "Martin",
                                  "Jakob",  "Stefan", "Omar",  "Viktor", "Hugo",  "Ivan"};
static const char *const families[] = {
    "Berger",  "Keller", "Vogel",    "Brandt",  "Lorenz", "Seidel", "Winter",   "Sommer",
    "Kraus",   "Haas",   "Albrecht", "Busch",   "Horn",   "Pohl",   "Arnold",   "Jansen",
    "Ziegler", "Ritter", "Engel",    "Novak",   "Petrov", "Rossi",  "Dubois",   "Larsen",
    "Silva",   "Kaya",   "Nagy",     "Horvat",  "Costa",  "Moreau", "Lindgren", "Okafor",
    "Haddad",  "Tanaka", "Nguyen",   "Castillo"};
_Static_assert(sizeof women / sizeof *women == NAMES_FIRST, "as the header says");
_Static_assert(sizeof men / sizeof *men == NAMES_FIRST, "as the header says");
_Static_assert(sizeof families / sizeof *families == NAMES_FAMILIES, "as the header says");

/* Codes count through the first names of women, then of men, with all families for each. */
void names_format(uint32_t code, char text[NETWORK_TEXT + 1])
{
    uint32_t first = code / NAMES_FAMILIES;
    snprintf(text, NETWORK_TEXT + 1, "%s %s",
             first < NAMES_FIRST ? women[first] : men[first - NAMES_FIRST],
             families[code % NAMES_FAMILIES]);
}

/* Both parts follow a Zipf law, as names do: the first ones are the most frequent. */
uint32_t names_weigh(const value *v, const value *const *parents)
{
    uint32_t first = v->code / NAMES_FAMILIES, female = first < NAMES_FIRST;
    if (parents[0]->code < 2 && female == parents[0]->code)
        return 0;
    return 6000 / (first % NAMES_FIRST + 3) * (600 / (v->code % NAMES_FAMILIES + 2));
}
