/* Orders for qsort and bsearch. They compare how an element begins, so that it may be a struct: its
 * first members are then those that the order is named after. Ascending; texts and bytes by the
 * values of their bytes. */
#ifndef CORE_SORT_H
#define CORE_SORT_H

int sort_uint32(const void *a, const void *b);
int sort_uint64(const void *a, const void *b);
int sort_int64(const void *a, const void *b);
int sort_double(const void *a, const void *b);
int sort_text(const void *a, const void *b); /* const char * */
int sort_32_bytes(const void *a, const void *b);

/* By two members, the second of which decides where the first ones agree. */
int sort_uint32_uint32(const void *a, const void *b);
int sort_uint64_uint32(const void *a, const void *b);
int sort_int64_uint32(const void *a, const void *b);
int sort_double_uint32(const void *a, const void *b);
/* The largest first member first. */
int sort_uint32_down_uint32(const void *a, const void *b);
int sort_uint64_down_uint32(const void *a, const void *b);
int sort_double_down_uint32(const void *a, const void *b);

#endif
