#include "study/holders.h"

#include "core/check.h"

bool holders_release(const kith_study *study, uint32_t number)
{
    ASSERT(number < study->n_columns);
    const role kind = study->columns[number].role;
    return kind == ROLE_QUASI_IDENTIFYING || kind == ROLE_SENSITIVE ||
           (kind == ROLE_INSENSITIVE && study->joint.publish_insensitive);
}

bool holders_leave_out(const kith_study *study, uint32_t number)
{
    return study->columns[number].role == ROLE_INSENSITIVE && !holders_release(study, number);
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
