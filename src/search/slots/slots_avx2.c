/* AVX2: a block is two registers of 16 ids. */
#include "search/slots/slots_kernels.h"

#include <immintrin.h>

/* Scores eight lanes from their costs. Returns the set of lanes whose score is lower than `below`.
 */
static inline uint32_t finish_eight(const cluster_lanes *b, uint64_t lane, __m128i cost,
                                    __m256i below, int32_t *score)
{
    __m256i factor = _mm256_load_si256((const __m256i *)(b->factor + lane));
    __m256i minus = _mm256_load_si256((const __m256i *)(b->minus + lane));
    __m256i plus = _mm256_load_si256((const __m256i *)(b->plus + lane));
    __m256i change = _mm256_sub_epi32(_mm256_cvtepu16_epi32(cost), minus);
    __m256i result = _mm256_add_epi32(_mm256_mullo_epi32(change, factor), plus);
    _mm256_store_si256((__m256i *)score, result);
    __m256i is_below = _mm256_cmpgt_epi32(below, result);
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(is_below));
}

static inline uint32_t score_below(const cluster_lanes *b, uint32_t block, const query *q,
                                   int32_t below, int32_t *score)
{
    const uint32_t count = b->slots->count;
    const __m256i *ids = (const __m256i *)(b->ids + (uint64_t)block * count * LANES_PER_BLOCK);
    __m256i low = _mm256_set1_epi16((short)q->base), high = low;
    for (uint32_t i = 0; i < count; i++, ids += 2) {
        __m256i id = _mm256_set1_epi16((short)q->ids[i]);
        __m256i weight = _mm256_set1_epi16((short)q->weight[i]);
        __m256i kept_low = _mm256_cmpeq_epi16(_mm256_load_si256(ids), id);
        __m256i kept_high = _mm256_cmpeq_epi16(_mm256_load_si256(ids + 1), id);
        low = _mm256_add_epi16(low, _mm256_andnot_si256(kept_low, weight));
        high = _mm256_add_epi16(high, _mm256_andnot_si256(kept_high, weight));
    }
    const uint64_t lane = (uint64_t)block * LANES_PER_BLOCK;
    const __m256i limit = _mm256_set1_epi32(below);
    uint32_t n_lanes = finish_eight(b, lane, _mm256_castsi256_si128(low), limit, score);
    n_lanes |= finish_eight(b, lane + 8, _mm256_extracti128_si256(low, 1), limit, score + 8) << 8;
    n_lanes |= finish_eight(b, lane + 16, _mm256_castsi256_si128(high), limit, score + 16) << 16;
    n_lanes |= finish_eight(b, lane + 24, _mm256_extracti128_si256(high, 1), limit, score + 24)
               << 24;
    return n_lanes;
}

#include "search/slots/slots_scan.h"

const kernels slots_avx2 = {"avx2", scan_score, scan_nearest, scan_find, scan_find_first};
