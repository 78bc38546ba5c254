#include "table/dictionary_sort.h"

#include <stdlib.h>
#include <string.h>

/* Below FEW items a comparison sort is faster; texts that agree in DEEP x 8 bytes are left to it,
 * which bounds the recursion. */
enum { FEW = 48, DEEP = 32 };

/* Flipping the sign bit makes negative numbers sort before positive ones. */
uint64_t dictionary_sort_key_whole(int64_t value)
{
    return (uint64_t)value ^ (uint64_t)1 << 63;
}

/* The bits of positive doubles sort like numbers; those of negative ones sort the other way round
 * and are inverted. */
uint64_t dictionary_sort_key_decimal(double value)
{
    uint64_t bits;
    value = value == 0 ? 0 : value; /* -0 is 0 */
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* Radix sort from the lowest byte; bytes in which all keys agree cost one look. */
static void radix(dictionary_sort_item *items, dictionary_sort_item *spare, size_t count)
{
    static const unsigned bytes = sizeof items->key;
    size_t histogram[sizeof items->key][256];
    memset(histogram, 0, sizeof histogram);
    for (size_t i = 0; i < count; i++)
        for (unsigned b = 0; b < bytes; b++)
            histogram[b][items[i].key >> (8 * b) & 255]++;
    dictionary_sort_item *from = items, *to = spare;
    for (unsigned b = 0; b < bytes; b++) {
        size_t *slot = histogram[b], sum = 0;
        if (slot[items[0].key >> (8 * b) & 255] == count)
            continue;
        for (unsigned v = 0; v < 256; v++) {
            size_t here = slot[v];
            slot[v] = sum;
            sum += here;
        }
        for (size_t i = 0; i < count; i++)
            to[slot[from[i].key >> (8 * b) & 255]++] = from[i];
        dictionary_sort_item *swap = from;
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, count * sizeof *items);
}

/* By bytes; a prefix comes first. */
static int by_text(const void *a, const void *b, void *user)
{
    const intern *texts = user;
    uint32_t x = ((const dictionary_sort_item *)a)->code,
             y = ((const dictionary_sort_item *)b)->code;
    size_t m = intern_length(texts, x), n = intern_length(texts, y);
    int sign = memcmp(intern_text(texts, x), intern_text(texts, y), m < n ? m : n);
    return sign != 0 ? sign : (m > n) - (m < n);
}

/* Of several texts of one number the shortest comes first. */
static int by_key(const void *a, const void *b, void *user)
{
    const dictionary_sort_item *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    size_t m = intern_length(user, x->code), n = intern_length(user, y->code);
    return m != n ? (m < n ? -1 : 1) : by_text(a, b, user);
}

/* Eight bytes of a text as a number that sorts like them; what lies behind the end counts as 0,
 * which no text contains. */
static uint64_t eight_bytes(const intern *texts, uint32_t code, size_t from)
{
    size_t length = intern_length(texts, code);
    if (from >= length)
        return 0;
    uint64_t key = 0;
    size_t left = length - from;
    memcpy(&key, intern_text(texts, code) + from, left < 8 ? left : 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    key = __builtin_bswap64(key);
#endif
    return key;
}

/* By eight bytes at a time: texts that agree so far are sorted by the next eight. */
static void order_from(dictionary_sort_item *items, dictionary_sort_item *spare, size_t count,
                       const intern *texts, unsigned depth)
{
    if (count < FEW || depth > DEEP) {
        qsort_r(items, count, sizeof *items, by_text, (void *)texts);
        return;
    }
    for (size_t i = 0; i < count; i++)
        items[i].key = eight_bytes(texts, items[i].code, (size_t)depth * 8);
    radix(items, spare, count);
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && items[next].key == items[first].key; next++)
            ;
        if (next - first > 1)
            order_from(items + first, spare, next - first, texts, depth + 1);
    }
}

void dictionary_sort_by_text(dictionary_sort_item *items, dictionary_sort_item *spare, size_t count,
                             const intern *texts)
{
    order_from(items, spare, count, texts, 0);
}

void dictionary_sort_by_key(dictionary_sort_item *items, dictionary_sort_item *spare, size_t count,
                            const intern *texts)
{
    if (count == 0)
        return;
    radix(items, spare, count);
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && items[next].key == items[first].key; next++)
            ;
        if (next - first > 1)
            qsort_r(items + first, next - first, sizeof *items, by_key, (void *)texts);
    }
}
