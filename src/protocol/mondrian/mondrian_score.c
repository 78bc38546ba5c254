/* The score with sites, DMV equation (3).
 *
 * The entropy of a split, equation (2), is that of the sites in its halves, weighted by their
 * records: twice W. Each site adds up what it can compute alone, since the size N of the part is
 * public: site i with n_ig records in child g contributes phi(2 n_ig / N), phi(p) = -p log2 p. Over
 * all sites that is 2 W + 2 H - 2, where H is the entropy of the children's sizes, which no party
 * may know. For two children with shares s and 1 - s it is at least 2 min(s, 1 - s), so 2 - 4
 * min(s, 1 - s) is added, that is, the larger of 2 - 4 s and 2 - 4 (1 - s): a split has two scores,
 * linear in the sites' counts, of which the larger one counts. What remains is a bonus of at most
 * 0.65 bits for uneven halves, and none for even ones or nearly empty ones. A split into c > 2
 * children has 2 log2(c / 2) subtracted, which c even children have more than two.
 *
 * The maximum of the entropy is taken as 2 log2 m. So scores are linear in the sites' summands, and
 * the larger score of one attribute is at least that of another if for each score of the other one
 * there is one of its own that is at least as high: one bit is opened, and not which it was. */
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "protocol/mondrian/mondrian_internal.h"

enum {
    SUMMAND_BITS = 16, /* of the fraction of a site's summand */
    WEIGHT_BITS = 20   /* of the fraction of the weight of entropies */
};
static const int64_t MAX_SCORE = INT64_C(1) << 44;

/* Of attributes a and b: for each score of b, one of the two of a is at least as high. */
static const compare_block pair[] = {{2, 1}, {2, 1}};
enum { PAIR_SUMS = 4 };

static int64_t summand(uint32_t count, uint64_t size)
{
    const double p = 2.0 * count / (double)size;
    return count == 0 ? 0 : llround(-p * log2(p) * (1 << SUMMAND_BITS));
}

/* What half `count` of a part adds to 4 s, weighted. */
static int64_t uneven(uint32_t count, uint64_t size, double weight)
{
    return llround(ldexp(weight * 4.0 * count / (double)size, SUMMAND_BITS + WEIGHT_BITS));
}

/* This party's summands of the two scores of a candidate; the public part is added by party 0. */
static kith_status score_of(int64_t scores[2], mondrian_run *r, const mondrian_part *part,
                            const mondrian_candidate *c, double max_width, kith_error *error)
{
    const uint32_t n = mondrian_parts_n_children(r, part, c), width = r->conditions.rules.width;
    const double weight = (1 - r->alpha) / (2 * log2(r->conditions.rules.n_parties));
    const double range = r->alpha * c->width / max_width;
    const double bias = n == 2 ? -2 * weight : weight * 2 * log2(n / 2.0);
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    uint32_t *tallies = TRY_ALLOC(arena_zalloc(scratch, (size_t)n * width, sizeof *tallies), error);
    mondrian_parts_tally(r, part, c, tallies);
    int64_t entropy = 0;
    for (uint32_t g = 0; g < n; g++) /* the score is about records also where persons count */
        tallies[g] = joint_tree_rules_records(&r->conditions.rules, tallies + (size_t)g * width);
    for (uint32_t g = 0; g < n; g++)
        entropy += summand(tallies[g], part->size);
    for (uint32_t v = 0; v < 2; v++) {
        scores[v] = entropy * llround(weight * (1 << WEIGHT_BITS));
        if (n == 2)
            scores[v] -= uneven(tallies[v], part->size, weight);
        if (r->conditions.rules.self == 0)
            scores[v] += llround(ldexp(range - bias, SUMMAND_BITS + WEIGHT_BITS));
    }
    return KITH_OK;
}

/* Sorts the candidates of a part; bits says for each pair a < b whether a scores at least as high.
 */
static void rank_candidates(mondrian_part *part, const uint64_t *bits, size_t *at,
                            uint32_t *beaten_by, mondrian_candidate *sorted)
{
    const uint32_t n = part->n_candidates;
    memset(beaten_by, 0, n * sizeof *beaten_by);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++)
            beaten_by[smc_bit(bits, (*at)++) ? b : a]++;
    /* Wrong bits of a lying party may give two candidates the same place; then one is lost, and
     * the result is still a valid one. */
    memcpy(sorted, part->candidates, n * sizeof *sorted);
    for (uint32_t a = 0; a < n; a++)
        part->candidates[beaten_by[a]] = sorted[a];
    part->ranked = true;
    part->phase = PART_SEARCH;
}

/* Scores of the candidates of a part, and their differences pair by pair, in the order of `pair`.
 */
static kith_status fill_pairs(mondrian_run *r, mondrian_part *part, int64_t (*scores)[2],
                              int64_t *differences, size_t *at, kith_error *error)
{
    double max_width = 0;
    for (uint32_t a = 0; a < part->n_candidates; a++)
        max_width = part->candidates[a].width > max_width ? part->candidates[a].width : max_width;
    for (uint32_t a = 0; a < part->n_candidates; a++)
        TRY(score_of(scores[a], r, part, &part->candidates[a], max_width, error));
    for (uint32_t a = 0; a < part->n_candidates; a++)
        for (uint32_t b = a + 1; b < part->n_candidates; b++)
            for (uint32_t i = 0; i < PAIR_SUMS; i++)
                differences[(*at)++] = scores[a][i % 2] - scores[b][i / 2];
    return KITH_OK;
}

kith_status mondrian_score(mondrian_run *r, kith_error *error)
{
    bool any = false;
    size_t n_pairs = 0;
    for (size_t i = r->first_open; i < r->n_parts; i++)
        if (r->parts[i].phase == PART_SCORE) {
            any = true;
            n_pairs += (size_t)r->parts[i].n_candidates * (r->parts[i].n_candidates - 1) / 2;
        }
    if (!any)
        return KITH_OK;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    const uint32_t n = r->problem->n_attributes;
    const size_t n_sums = PAIR_SUMS * n_pairs;
    int64_t(*scores)[2] = TRY_ALLOC(arena_array(scratch, n, sizeof *scores), error);
    int64_t *differences = TRY_ALLOC(arena_array(scratch, n_sums, sizeof *differences), error);
    int64_t *zeros = TRY_ALLOC(arena_zalloc(scratch, n_sums, sizeof *zeros), error);
    uint64_t *bits = TRY_ALLOC(arena_zalloc(scratch, smc_words(n_pairs), sizeof *bits), error);
    uint32_t *places = TRY_ALLOC(arena_array(scratch, n, sizeof *places), error);
    mondrian_candidate *sorted = TRY_ALLOC(arena_array(scratch, n, sizeof *sorted), error);
    size_t at = 0;
    for (size_t i = r->first_open; i < r->n_parts; i++)
        if (r->parts[i].phase == PART_SCORE)
            TRY(fill_pairs(r, &r->parts[i], scores, differences, &at, error));
    if (n_pairs > 0) {
        const compare_sums sums = {.values = differences,
                                   .thresholds = zeros,
                                   .n_groups = n_pairs,
                                   .blocks = pair,
                                   .n_blocks = 2,
                                   .bound = MAX_SCORE};
        const smc_output output = {SMC_ALL, "splits score higher"};
        TRY(compare_thresholds(r->party, bits, &sums, output, error)); /* message 5 */
        r->n_questions += n_pairs;
    }
    at = 0;
    for (size_t i = r->first_open; i < r->n_parts; i++)
        if (r->parts[i].phase == PART_SCORE)
            rank_candidates(&r->parts[i], bits, &at, places, sorted);
    return KITH_OK;
}
