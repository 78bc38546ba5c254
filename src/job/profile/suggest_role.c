/* Which role a column probably has: its name says most, its statistics the rest. Where neither
 * says anything it is quasi-identifying, the careful choice. */
#include "job/profile/profile.h"

#include <string.h>

#include "job/profile/role_words.h"

static void set_role(column_profile *p, role which, const char *why)
{
    p->role = which;
    p->why = why;
}

/* A column that is called a name, and nothing else, or has a word that identifies; not if a word
 * for what others may know stands beside it: the city of an address. */
static bool names_people(const char *name)
{
    static const char *const names[] = {"name", "names", "nom", "nome", "naam", "nombre"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(names[i], name) == 0)
            return true;
    return role_words_has(name, WORD_DIRECT) && !role_words_has(name, WORD_KNOWN);
}

bool profile_tells_persons(const column_profile *p)
{
    const uint32_t n_values = p->n_rows - p->missing;
    return p->type != KITH_TYPE_DATE && p->distinct < n_values &&
           (p->distinct > 20 || p->distinct >= 0.1 * n_values) &&
           role_words_person(p->column->name);
}

/* The order is that of trust: words that name people, then what is private, then what is known, and
 * statistics only where the name says nothing. */
void profile_suggest(column_profile *p, uint32_t n_rows)
{
    const char *name = p->column->name;
    double share = n_rows == 0 ? 0 : (double)p->unique / n_rows;
    /* Values of numbers and dates may all differ and still say nothing but how much, or when. */
    const bool plain_text = p->type == KITH_TYPE_STRING &&
                            (p->spoilers.count == 0 || p->spoilers.type == KITH_TYPE_STRING);
    if (names_people(name))
        set_role(p, ROLE_IDENTIFYING, "its name suggests that it identifies people");
    else if (role_words_has(name, WORD_SENSITIVE))
        set_role(p, ROLE_SENSITIVE, "its name suggests something private");
    else if (role_words_has(name, WORD_KNOWN))
        set_role(p, ROLE_QUASI_IDENTIFYING, "its name suggests something that others may know");
    else if (profile_tells_persons(p))
        set_role(p, ROLE_IDENTIFYING,
                 "its name suggests the number of a person, who may have several rows");
    else if (p->type != KITH_TYPE_DATE && role_words_has(name, WORD_NAMING) &&
             p->distinct >= 0.5 * n_rows && n_rows > 0)
        set_role(p, ROLE_IDENTIFYING,
                 "its name and its many distinct values suggest that it identifies people");
    else if (p->serial)
        set_role(p, ROLE_IDENTIFYING,
                 "all its numbers are different and regular, as serial numbers are");
    else if (n_rows >= 20 && share >= 0.9 && plain_text)
        set_role(p, ROLE_IDENTIFYING, "nearly every value is unique");
    else if (p->distinct <= 1 && p->missing == 0)
        set_role(p, ROLE_INSENSITIVE, "all values are the same");
    else
        set_role(p, ROLE_QUASI_IDENTIFYING,
                 "nothing in its name or values says otherwise, so assume that others may know it");
}
