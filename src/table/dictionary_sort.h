/* Putting the codes of a dictionary into the order of their texts or values. */
#ifndef TABLE_DICTIONARY_SORT_H
#define TABLE_DICTIONARY_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "table/intern.h"

typedef struct dictionary_sort_item {
    uint64_t key;
    uint32_t code;
} dictionary_sort_item;

/* Sorts `items` by the bytes of their texts; keys are scratch. `spare` has room for as many. */
void dictionary_sort_by_text(dictionary_sort_item *items, dictionary_sort_item *spare, size_t count,
                             const intern *texts);

/* Sorts `items` by key, equal keys by length of text, then bytes. */
void dictionary_sort_by_key(dictionary_sort_item *items, dictionary_sort_item *spare, size_t count,
                            const intern *texts);

/* Keys that sort like the values. */
uint64_t dictionary_sort_key_whole(int64_t value);
uint64_t dictionary_sort_key_decimal(double value);

#endif
