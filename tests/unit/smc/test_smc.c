/* Vectors of unknown length arrive piece by piece, behind what is there already. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/error.h"
#include "smc/smc.h"
#include "support/session.h"

enum { BEFORE = 100, LONGEST = 5 * SMC_PIECE + 7 };

static const message_type bytes_type = {"test.bytes", DISCLOSE_MASKED};

static unsigned char sent[LONGEST];

static kith_status append(party *p, arena *memory, size_t length, size_t more, kith_error *error)
{
    unsigned char *bytes = NULL, before[BEFORE];
    memset(before, 0xbe, sizeof before);
    if (length > 0) {
        bytes = TRY_ALLOC(arena_alloc(memory, length), error);
        memcpy(bytes, before, length);
    }
    TRY(smc_recv_append(p, 0, &bytes_type, memory, &bytes, length, more, error));
    if (bytes == NULL || memcmp(bytes, before, length) != 0 ||
        memcmp(bytes + length, sent, more) != 0)
        return error_set(error, KITH_BUG, "%zu bytes behind %zu are others", more, length);
    arena_release(memory, bytes, length + more);
    return KITH_OK;
}

static kith_status exchange(party *p, void *user, kith_error *error)
{
    static const size_t lengths[] = {0,
                                     1,
                                     SMC_PIECE - 1,
                                     SMC_PIECE,
                                     SMC_PIECE + 1,
                                     (size_t)2 * SMC_PIECE,
                                     (size_t)4 * SMC_PIECE + 1,
                                     LONGEST};
    arena *memory = TRY_ALLOC(arena_new(), error);
    kith_status status = KITH_OK;
    (void)user;
    for (size_t i = 0; i < 2 * (sizeof lengths / sizeof *lengths) && status == KITH_OK; i++) {
        const size_t before = i % 2 == 0 ? 0 : BEFORE, more = lengths[i / 2];
        status = party_self(p) == 0 ? smc_send(p, 1, &bytes_type, sent, more, error)
                                    : append(p, memory, before, more, error);
    }
    arena_free(memory);
    return status;
}

static void vectors_arrive_in_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < LONGEST; i++)
        sent[i] = (unsigned char)(i * 31 + i / 257);
    assert_int_equal(session_run(2, exchange, NULL), KITH_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(vectors_arrive_in_pieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
