/* Any bytes as CSV: parsing must end with a table or a message, and what was read must come out of
 * the accessors. The first byte chooses the options. */
#include <stdlib.h>
#include <string.h>

#include "support/memory_feed.h"
#include "table/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char separators[] = {0, ',', ';', '\t', '|', ' ', 'a', '\0'};

static void use(const kith_table *table)
{
    size_t bytes = 0;
    for (size_t row = 0; row < kith_table_n_rows(table); row++)
        for (size_t i = 0; i < kith_table_n_columns(table); i++) {
            const char *text = kith_table_cell(table, row, i);
            bytes += text == NULL ? 0 : strlen(text);
        }
    for (uint32_t i = 0; i < table->n_columns; i++) {
        const dictionary *d = &table->columns[i].values;
        for (uint32_t code = 1; code < d->count; code++)
            if (d->type == KITH_TYPE_STRING &&
                strcmp(dictionary_text(d, code - 1), dictionary_text(d, code)) >= 0)
                abort();
    }
    if (bytes > (size_t)1 << 60)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const kith_column_spec columns[] = {{.name = "a", .type = KITH_TYPE_INTEGER},
                                               {.name = "b", .type = KITH_TYPE_DECIMAL},
                                               {.name = "c", .type = KITH_TYPE_DATE}};
    kith_table *table = NULL;
    kith_error error = {0};
    if (size == 0)
        return 0;
    kith_table_options options = KITH_OPTIONS(
        kith_table_options, .separator = separators[data[0] & 7], .trim = (data[0] & 8) != 0,
        .columns = (data[0] & 16) != 0 ? columns : NULL, .n_columns = 3);
    source s = {.uri = "fuzz.csv", .name = "fuzz.csv", .options = &options};
    s.memory = arena_new();
    s.scratch = arena_new();
    memory_feed m = {(const char *)data + 1, size - 1, 0};
    kith_status status = csv_source_parse(&s, memory_feed_of(&m), &table, &error);
    if (status == KITH_OK)
        use(table);
    else if (error.message[0] == '\0' || status == KITH_BUG)
        abort();
    arena_free(s.scratch);
    arena_free(s.memory);
    return 0;
}
