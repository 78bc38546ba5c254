/* The key `left_out` of dry runs and summaries. */
#include "cli.h"

#include <stdio.h>

void left_out_print(const kith_document *d)
{
    size_t count = kith_document_n_items(d, "left_out");
    for (size_t i = 0; i < count; i++) {
        char path[32];
        snprintf(path, sizeof path, "left_out.%zu", i);
        printf("%s%s", i == 0 ? "left out        " : ", ", kith_document_text(d, path, ""));
    }
    if (count > 0)
        puts(" (insensitive; publish_insensitive: true releases them)");
}
