/* AVX-512: a block is one register of 32 ids. */
#include "search/slots/slots_kernels.h"

#include <immintrin.h>

static inline uint32_t finish_sixteen(const cluster_lanes *b, uint64_t lane, __m256i cost,
                                      __m512i below, int32_t *score)
{
    __m512i change = _mm512_sub_epi32(_mm512_cvtepu16_epi32(cost),
                                      _mm512_load_si512((const void *)(b->minus + lane)));
    __m512i factor = _mm512_load_si512((const void *)(b->factor + lane));
    __m512i result = _mm512_add_epi32(_mm512_mullo_epi32(change, factor),
                                      _mm512_load_si512((const void *)(b->plus + lane)));
    _mm512_store_si512((void *)score, result);
    return _mm512_cmplt_epi32_mask(result, below);
}

static inline uint32_t score_below(const cluster_lanes *b, uint32_t block, const query *q,
                                   int32_t below, int32_t *score)
{
    const uint32_t count = b->slots->count;
    const uint16_t *ids = b->ids + (uint64_t)block * count * LANES_PER_BLOCK;
    __m512i cost = _mm512_set1_epi16((short)q->base);
    for (uint32_t i = 0; i < count; i++, ids += LANES_PER_BLOCK) {
        __mmask32 lost = _mm512_cmpneq_epi16_mask(_mm512_load_si512((const void *)ids),
                                                  _mm512_set1_epi16((short)q->ids[i]));
        cost = _mm512_mask_add_epi16(cost, lost, cost, _mm512_set1_epi16((short)q->weight[i]));
    }
    const uint64_t lane = (uint64_t)block * LANES_PER_BLOCK;
    const __m512i limit = _mm512_set1_epi32(below);
    uint32_t low = finish_sixteen(b, lane, _mm512_castsi512_si256(cost), limit, score);
    uint32_t high =
        finish_sixteen(b, lane + 16, _mm512_extracti64x4_epi64(cost, 1), limit, score + 16);
    return low | high << 16;
}

#include "search/slots/slots_scan.h"

const kernels slots_avx512 = {"avx512", scan_score, scan_nearest, scan_find, scan_find_first};
