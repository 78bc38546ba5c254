/* Any bytes as the ledger of queries of a site that serves: refused with a line, or read, and then
 * the next query of a querier is allowed now or later, never before now. */
#include "support/fuzz_input.h"

#include "job/query_ledger.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    query_ledger *l = NULL;
    kith_error error = {0};
    arena *memory = arena_new();
    require(memory != NULL);
    const char *path = fuzz_file("asked.jsonl", data, size);
    const kith_status status = query_ledger_open(&l, memory, path, &error);
    require(status == KITH_OK || (status == KITH_DATA && strstr(error.message, path) != NULL));
    if (status == KITH_OK) {
        const time_t now = time(NULL);
        require(query_ledger_next(l, "alice", 0, now) > now);
        require(query_ledger_next(l, "alice", 3, now) >= now);
        require(query_ledger_next(l, "alice", 3, now) == now ||
                query_ledger_next(l, "alice", 2, now) > now);
    }
    arena_free(memory);
    return 0;
}
