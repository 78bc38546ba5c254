/* A name that takes long to look up: the party accepts others meanwhile, heeds its user, and goes
 * on when the answer comes. */
/* wrap: getaddrinfo */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <netdb.h>

#include "core/error.h"
#include "support/loopback.h"

enum { NORTH, SOUTH, EAST, SITES };

int __real_getaddrinfo(const char *host, const char *port, const struct addrinfo *hints,
                       struct addrinfo **found);
int __wrap_getaddrinfo(const char *host, const char *port, const struct addrinfo *hints,
                       struct addrinfo **found);

static atomic_bool answer; /* the name server may answer */

/* Without an answer for ten minutes, there is no such name. */
int __wrap_getaddrinfo(const char *host, const char *port, const struct addrinfo *hints,
                       struct addrinfo **found)
{
    if (strcmp(host, "slow.test") != 0 || (hints->ai_flags & AI_NUMERICHOST) != 0)
        return __real_getaddrinfo(host, port, hints, found);
    for (int i = 0; i < 60000 && !atomic_load(&answer); i++)
        usleep(10000);
    return atomic_load(&answer) ? __real_getaddrinfo("127.0.0.1", port, hints, found) : EAI_NONAME;
}

static const message_type number = {"test.number", DISCLOSE_MASKED};

static kith_status meet(party *p, void *user, kith_error *error)
{
    uint64_t mine = 1, theirs[SITES];
    void *places[SITES] = {&theirs[0], &theirs[1], &theirs[2]};
    (void)user;
    return party_exchange(p, &number, &mine, places, sizeof mine, error);
}

/* At south: lets the name server answer when east's hello has come. */
static bool note_east(void *user, const char *for_whom)
{
    (void)user;
    if (for_whom != NULL && strstr(for_whom, "east") == NULL)
        atomic_store(&answer, true);
    return true;
}

/* South looks for north under a name, and knows north's port. */
static void name_north(loopback *b, tls_peer peers[SITES])
{
    char address[64];
    memcpy(peers, b->peer, SITES * sizeof *peers);
    snprintf(address, sizeof address, "slow.test%s", strrchr(b->peer[NORTH].address, ':'));
    peers[NORTH].address = arena_strdup(b->memory, address);
    b->site[SOUTH].options.peers = peers;
    atomic_store(&answer, false);
}

static void accepts_others_during_a_lookup(void **state)
{
    (void)state;
    loopback b;
    tls_peer peers[SITES];
    loopback_init(&b, SITES, meet);
    name_north(&b, peers);
    b.site[SOUTH].options.waiting = note_east;
    loopback_run(&b);
    for (int i = 0; i < SITES; i++) {
        if (b.site[i].status != KITH_OK)
            print_error("%s: %s\n", b.peer[i].name, b.site[i].error.message);
        assert_int_equal(b.site[i].status, KITH_OK);
    }
    assert_true(atomic_load(&answer));
    loopback_free(&b);
}

static bool stop(void *user, const char *for_whom)
{
    (void)for_whom;
    return ++*(int *)user < 5;
}

/* Without an answer: whoever waits for it can stop. */
static void heeds_its_user_during_a_lookup(void **state)
{
    (void)state;
    for (int own = 0; own < 2; own++) {
        loopback b;
        tls_peer peers[SITES];
        int asked = 0;
        loopback_init(&b, SITES, meet);
        name_north(&b, peers);
        if (own == 1) /* where to listen */
            b.site[SOUTH].options.listen = "slow.test:1";
        b.site[SOUTH].options.waiting = stop;
        b.site[SOUTH].options.user = &asked;
        loopback_thread(&b.site[SOUTH]);
        assert_int_equal(b.site[SOUTH].status, KITH_CANCELLED);
        assert_false(atomic_load(&answer));
        loopback_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_others_during_a_lookup),
        cmocka_unit_test(heeds_its_user_during_a_lookup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
