#include "smc/lca_level.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret.h"
#include "smc/shared_sum.h"

/* The field: residues modulo the Mersenne prime 2^61 - 1. */
static const uint64_t prime = (UINT64_C(1) << 61) - 1;

static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum = a + b;
    return sum - (prime & (0 - (uint64_t)(sum >= prime)));
}

static uint64_t negate(uint64_t a)
{
    return (prime - a) & (0 - (uint64_t)(a != 0));
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
    __uint128_t product = (__uint128_t)a * b;
    return add((uint64_t)(product & prime), (uint64_t)(product >> 61));
}

static const message_type deal_type = {"level.deal", DISCLOSE_MASKED};
static const message_type open_type = {"level.open", DISCLOSE_MASKED};
static const message_type test_type = {"level.test", DISCLOSE_MASKED};

/* One call: N levels of all queries side by side. */
typedef struct call {
    party *p;
    arena *scratch;
    smc_roles roles;
    uint64_t number;
    size_t levels; /* N */
    uint64_t *own; /* [2N]: my E and F, then my shares of the sums */
    uint64_t *c;   /* [N] the pivot's ancestors; A's and B's shares of them */
    uint64_t *b;   /* [N] what hides E; shares of it */
    uint64_t *w;   /* [N] c times b; shares of it */
} call;

static kith_status check(const uint32_t *depth, const lca_path *path, size_t n, bool is_pivot,
                         kith_error *error)
{
    for (size_t i = 0; i < n; i++) {
        if (path[i].length > depth[i] || (path[i].none && path[i].length > 0))
            return error_set(error, KITH_INVALID, "path %zu is longer than its tree is deep", i);
        if (is_pivot && path[i].none)
            return error_set(error, KITH_INVALID, "the one who asks must have a node (%zu)", i);
        for (uint32_t k = 0; k < path[i].length; k++)
            if (path[i].node[k] >= prime)
                return error_set(error, KITH_INVALID, "a node number of path %zu is too large", i);
    }
    return KITH_OK;
}

/* What this party adds to E and F, per level; and c, which only the pivot's part reads. */
static kith_status contribute(call *x, const uint32_t *depth, const lca_path *path, size_t n,
                              kith_error *error)
{
    uint64_t *e = x->own, *f = x->own + x->levels;
    size_t at = 0;
    prg *coins;
    TRY(prg_new_private(&coins, x->scratch, error));
    TRY(prg_residues64(coins, e, x->levels, prime - 1, error));
    TRY(prg_residues64(coins, f, x->levels, prime, error));
    for (size_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < depth[i]; k++, at++) {
            const bool here = k < path[i].length;
            const uint64_t node = here ? path[i].node[k] : 0, rho = e[at] + 1;
            x->c[at] = node;
            e[at] = here ? rho : 0;
            f[at] = here ? multiply(rho, node) : path[i].none ? 0 : f[at];
        }
    }
    return KITH_OK;
}

/* Streams that A (or B) shares with the pivot: A's shares of b, c and w, B's share of b. */
static kith_status dealt(call *x, uint32_t peer, uint64_t *b, uint64_t *c, uint64_t *w,
                         kith_error *error)
{
    prg *stream;
    TRY(smc_stream(&stream, x->p, x->scratch, peer, "smc level deal", x->number, 0, error));
    TRY(prg_residues64(stream, b, x->levels, prime, error));
    if (c == NULL)
        return KITH_OK;
    TRY(prg_residues64(stream, c, x->levels, prime, error));
    return prg_residues64(stream, w, x->levels, prime, error);
}

/* The pivot deals shares of c, of a random b, and of w = cb: A's from a stream, what is missing to
 * B. */
static kith_status deal(call *x, kith_error *error)
{
    const size_t n = x->levels;
    uint64_t *drawn = TRY_ALLOC(secret_array(x->scratch, 4 * n, sizeof *drawn), error);
    uint64_t *rest = TRY_ALLOC(secret_array(x->scratch, 2 * n, sizeof *rest), error);
    TRY(dealt(x, x->roles.a, drawn, drawn + n, drawn + 2 * n, error));
    TRY(dealt(x, x->roles.b, drawn + 3 * n, NULL, NULL, error));
    for (size_t i = 0; i < n; i++) {
        uint64_t product = multiply(x->c[i], add(drawn[i], drawn[3 * n + i]));
        rest[i] = add(x->c[i], negate(drawn[n + i]));
        rest[n + i] = add(product, negate(drawn[2 * n + i]));
    }
    return smc_send(x->p, x->roles.b, &deal_type, rest, 2 * n * sizeof *rest, error);
}

static kith_status take_dealt(call *x, kith_error *error)
{
    const size_t n = x->levels;
    uint64_t *rest = TRY_ALLOC(secret_array(x->scratch, 2 * n, sizeof *rest), error);
    if (party_self(x->p) == x->roles.a)
        return dealt(x, x->roles.hub, x->b, x->c, x->w, error);
    TRY(dealt(x, x->roles.hub, x->b, NULL, NULL, error));
    TRY(smc_recv(x->p, x->roles.hub, &deal_type, rest, 2 * n * sizeof *rest, error));
    for (size_t i = 0; i < n; i++) {
        x->c[i] = rest[i] % prime;
        x->w[i] = rest[n + i] % prime;
    }
    return KITH_OK;
}

/* A and B: open E - b, and compute shares z of cE - F = c (E - b) + w - F, in place of own. */
static kith_status combine(call *x, kith_error *error)
{
    const size_t n = x->levels, bytes = n * sizeof(uint64_t);
    const bool is_a = party_self(x->p) == x->roles.a;
    const uint32_t other = is_a ? x->roles.b : x->roles.a;
    uint64_t *mine = TRY_ALLOC(secret_array(x->scratch, n, sizeof *mine), error);
    uint64_t *theirs = TRY_ALLOC(arena_array(x->scratch, n + 1, sizeof *theirs), error);
    for (size_t i = 0; i < n; i++)
        mine[i] = add(x->own[i], negate(x->b[i]));
    TRY(smc_send(x->p, other, &open_type, mine, bytes, error));
    TRY(smc_recv(x->p, other, &open_type, theirs, bytes, error));
    for (size_t i = 0; i < n; i++) {
        uint64_t e = add(mine[i], theirs[i] % prime);
        x->own[i] = add(add(multiply(x->c[i], e), x->w[i]), negate(x->own[n + i]));
    }
    return KITH_OK;
}

/* A: r z + s. B: -r z + s. Equal exactly if z is zero; r and s from a stream of A and B. */
static kith_status disguise(call *x, kith_error *error)
{
    const bool is_a = party_self(x->p) == x->roles.a;
    const size_t n = x->levels;
    uint64_t *r = secret_array(x->scratch, 2 * n, sizeof *r);
    prg *stream;
    TRY_ALLOC(r, error);
    TRY(smc_stream(&stream, x->p, x->scratch, is_a ? x->roles.b : x->roles.a, "smc level test",
                   x->number, 0, error));
    TRY(prg_residues64(stream, r, n, prime - 1, error)); /* r - 1: never zero */
    TRY(prg_residues64(stream, r + n, n, prime, error));
    for (size_t i = 0; i < n; i++) {
        uint64_t z = is_a ? x->own[i] : negate(x->own[i]);
        r[i] = add(multiply(r[i] + 1, z), r[n + i]);
    }
    return smc_send(x->p, x->roles.hub, &test_type, r, n * sizeof *r, error);
}

/* The pivot: down its path as long as all agree. */
static kith_status judge(call *x, uint32_t *common, const uint32_t *depth, const lca_path *path,
                         size_t n, kith_error *error)
{
    const size_t bytes = x->levels * sizeof(uint64_t);
    TRY(smc_recv(x->p, x->roles.a, &test_type, x->own, bytes, error));
    TRY(smc_recv(x->p, x->roles.b, &test_type, x->own + x->levels, bytes, error));
    size_t at = 0;
    for (size_t i = 0; i < n; at += depth[i++]) {
        common[i] = 0;
        while (common[i] < path[i].length &&
               x->own[at + common[i]] == x->own[x->levels + at + common[i]])
            common[i]++;
    }
    return KITH_OK;
}

static kith_status run(call *x, uint32_t *common, const uint32_t *depth, const lca_path *path,
                       size_t n, kith_error *error)
{
    const uint32_t self = party_self(x->p);
    for (size_t i = 0; i < n; i++)
        x->levels += depth[i];
    x->own = TRY_ALLOC(secret_array(x->scratch, 2 * x->levels, sizeof *x->own), error);
    x->c = TRY_ALLOC(secret_array(x->scratch, x->levels, sizeof *x->c), error);
    x->b = TRY_ALLOC(secret_array(x->scratch, x->levels, sizeof *x->b), error);
    x->w = TRY_ALLOC(secret_array(x->scratch, x->levels, sizeof *x->w), error);
    TRY(contribute(x, depth, path, n, error));
    TRY(shared_sum(x->p, x->own, x->own, 2 * x->levels, prime, x->roles, x->number, error));
    if (self == x->roles.hub) {
        TRY(deal(x, error));
        return judge(x, common, depth, path, n, error);
    }
    if (self == x->roles.a || self == x->roles.b) {
        TRY(take_dealt(x, error));
        TRY(combine(x, error));
        TRY(disguise(x, error));
    }
    return party_flush(x->p, error);
}

kith_status lca_level(party *p, uint32_t *common, const uint32_t *depth, const lca_path *path,
                      size_t n, uint32_t pivot, kith_error *error)
{
    const uint64_t number = party_next_call(p, "lca");
    if (party_count(p) < 3 || pivot >= party_count(p))
        return error_set(error, KITH_INVALID, "the level test needs three parties, one to ask");
    TRY(check(depth, path, n, party_self(p) == pivot, error));
    arena *scratch = TRY_ALLOC(arena_new(), error);
    call x = {.p = p, .scratch = scratch, .roles = smc_assign(p, pivot), .number = number};
    kith_status status = run(&x, common, depth, path, n, error);
    arena_free(scratch);
    if (status == KITH_OK && party_self(p) == pivot)
        party_learns(p, DISCLOSE_AGGREGATE, "lca", n);
    return status;
}
