/* Where to cut an ordered attribute: binary searches whose questions are linear in counts, so that
 * each is one comparison of a sum with 0. */
#include "core/check.h"
#include "protocol/mondrian/mondrian_internal.h"

static uint32_t middle(const mondrian_candidate *c)
{
    ASSERT(c->low < c->high);
    return c->low + (c->high - c->low) / 2;
}

int64_t mondrian_search_question(const mondrian_run *r, const mondrian_part *part,
                                 const mondrian_candidate *c)
{
    const uint32_t j = c->attribute;
    const int64_t size = part->end - part->start;
    if (c->phase == CANDIDATE_MEDIAN) /* at least half of the records up to the middle? */
        return 2 * (int64_t)mondrian_parts_left(r, part, j, middle(c)) - size;
    const int64_t with = mondrian_parts_left(r, part, j, c->cut);
    const int64_t below =
        c->cut > part->regions[j].low ? mondrian_parts_left(r, part, j, c->cut - 1) : 0;
    if (c->phase == CANDIDATE_CLOSER) /* 2 with - N <= N - 2 below? */
        return 2 * size - 2 * with - 2 * below;
    ASSERT(c->phase == CANDIDATE_SHARE);
    mondrian_distribution distribution;
    mondrian_rule_distribution(&distribution, &r->choices, part->number);
    rng_wipe(&distribution.choices);
    const int64_t quota = mondrian_rule_quota(&distribution, (uint32_t)(with - below), middle(c));
    return 2 * (below + quota) - size;
}

void mondrian_search_answer(const mondrian_run *r, const mondrian_part *part, mondrian_candidate *c,
                            bool yes)
{
    if (c->phase == CANDIDATE_CLOSER) {
        c->second = yes ? c->cut - 1 : c->cut;
        c->cut = yes ? c->cut : c->cut - 1;
        c->phase = CANDIDATE_READY;
        return;
    }
    if (yes)
        c->high = middle(c);
    else
        c->low = middle(c) + 1;
    if (c->low < c->high)
        return;
    if (c->phase == CANDIDATE_MEDIAN) {
        /* The median cell is known: low = high. */
        const region whole = part->regions[c->attribute];
        c->cut = c->low;
        if (r->spec->relaxed) {
            c->low = 1;
            c->high = MONDRIAN_SHARES;
            c->phase = CANDIDATE_SHARE;
        } else if (c->cut > whole.low && c->cut < whole.high)
            c->phase = CANDIDATE_CLOSER;
        else { /* only one of the two cuts is inside */
            c->cut -= c->cut == whole.high;
            c->phase = CANDIDATE_READY;
        }
        return;
    }
    c->share = c->low;
    c->shared = c->share < MONDRIAN_SHARES;
    c->impossible = !c->shared && c->cut == part->regions[c->attribute].high;
    c->phase = CANDIDATE_READY;
}
