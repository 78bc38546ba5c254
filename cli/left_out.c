/* What is left out: the keys `left_out` of dry runs and summaries, and `empty`. */
#include "cli.h"

#include <stdio.h>

void left_out_print(const kith_document *d)
{
    size_t count = kith_document_n_items(d, "left_out");
    for (size_t i = 0; i < count; i++)
        printf("%s%s", i == 0 ? "left out        " : ", ",
               kith_document_text(d, path_at("left_out.%zu", i), ""));
    if (count > 0)
        puts(" (insensitive; publish_insensitive: true releases them)");
}

void empty_print(FILE *out, const kith_document *d)
{
    const double count = kith_document_number(d, "empty", 0);
    if (count > 0)
        fprintf(out, "%s without any value %s left out\n", human_counted(count, "row"),
                count == 1 ? "is" : "are");
}
