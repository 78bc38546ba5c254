#include "study/holders.h"

#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/text.h"

bool holders_release(const kith_study *study, uint32_t number)
{
    ASSERT(number < study->n_columns);
    const role kind = study->columns[number].role;
    return kind == ROLE_QUASI_IDENTIFYING || kind == ROLE_SENSITIVE ||
           (kind == ROLE_INSENSITIVE && study->joint.publish_insensitive);
}

bool holders_is_public(const study_column *c)
{
    return c->domain.kind == DOMAIN_RANGE ||
           (c->hierarchy.kind == HIERARCHY_FILE && c->domain.kind == DOMAIN_HIERARCHY);
}

bool holders_public_values(const kith_study *study, uint32_t number)
{
    const study_column *c = &study->columns[number];
    return c->role == ROLE_QUASI_IDENTIFYING && holders_is_public(c);
}

bool holders_may_miss(const kith_study *study, uint32_t number)
{
    const bool strict = study->missing == MISSING_REJECT || study->missing == MISSING_DROP;
    return holders_release(study, number) &&
           !(strict && study->columns[number].role != ROLE_INSENSITIVE);
}

bool holders_leave_out(const kith_study *study, uint32_t number)
{
    return study->columns[number].role == ROLE_INSENSITIVE && !holders_release(study, number);
}

kith_status holders_find(uint32_t *number, const kith_study *study, const char *name,
                         kith_error *error)
{
    char names[512], quoted[80];
    size_t used = 0;
    if (study->n_parties == 0)
        return error_set(error, KITH_INVALID, "%s: the study has no parties", study->path);
    for (*number = 0; *number < study->n_parties; (*number)++)
        if (strcmp(study->parties[*number].name, name) == 0)
            return KITH_OK;
    for (uint32_t i = 0; i < study->n_parties && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i == 0 ? "" : ", ",
                                 study->parties[i].name);
    text_quote(quoted, sizeof quoted, name, strlen(name));
    return error_set(error, KITH_INVALID, "%s: the study has no party '%s'; it has %s", study->path,
                     quoted, names);
}

bool holders_have(const study_party *p, uint32_t number)
{
    for (uint32_t i = 0; i < p->n_columns; i++)
        if (p->columns[i] == number)
            return true;
    return p->n_columns == 0;
}

bool holders_of_cells(const kith_study *study, uint32_t *holder, uint32_t *one, uint32_t *other)
{
    *holder = HOLDERS_NONE;
    for (uint32_t i = 0; i < study->n_columns; i++) {
        if (!holders_release(study, i) || study->columns[i].role == ROLE_QUASI_IDENTIFYING)
            continue;
        /* The first party that has the column; with vertical data it is the only one. */
        uint32_t at = 0;
        while (at < study->n_parties && !holders_have(&study->parties[at], i))
            at++;
        if (at == study->n_parties)
            continue;
        if (*holder == HOLDERS_NONE) {
            *holder = at;
            *one = i;
        }
        *other = i;
        if (at != *holder)
            return false;
    }
    return true;
}
