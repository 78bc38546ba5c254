/* The simulators of IDK Appendix A. Each gets one party's rows, its coins and its output, and makes
 * the messages of the ID-based protocol that this party would receive. Real and simulated views
 * agree in the order and lengths of messages, and in what a party can find out about the contents.
 *
 * Comparisons of sums and their answers are left out: compare.h has its own ideal twin. What
 * differs from Appendix A: lists have k - 1 ciphertexts; and if the table is k-anonymous already,
 * the first message to Bob is simulated from a sigma that is drawn from Alice's rows, which are all
 * in the output. (The paper takes the quasi-identifiers with k rows, and x* is one of them.) */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sodium.h>

#include "protocol/id_based/id_based_internal.h"
#include "support/id_based_check.h"
#include "support/id_based_view.h"

enum { VALUES = 12, MAX_LISTS = 16 };
#define LEAST_P 1e-6

/* How many rows have each value. */
typedef struct counts {
    uint32_t of[VALUES];
} counts;

/* What a simulator knows beside its party's own rows: public values and the output. */
typedef struct known {
    uint32_t k, lists;
    const ibe_recipient *recipient;
    bool already;
    counts kept[2]; /* rows of each party that the release shows */
} known;

static void add_names(id_based_view *v, const bool wanted[VALUES])
{
    id_based_name names[VALUES];
    uint32_t n = 0;
    for (uint32_t value = 0; value < VALUES; value++)
        if (wanted[value])
            id_based_job_name(&names[n++], value);
    id_based_view_add(v, "id.count", &n, sizeof n);
    if (n > 0)
        id_based_view_add(v, "id.names", names, n * sizeof *names);
}

/* Ciphertexts travel in slices. */
static void add_ciphertexts(id_based_view *v, const char *type, const ibe_ciphertext *c, size_t n)
{
    unsigned char bytes[ID_BASED_SLICE * IBE_CIPHERTEXT_BYTES];
    for (size_t done = 0, here; done < n; done += here) {
        here = n - done < ID_BASED_SLICE ? n - done : ID_BASED_SLICE;
        for (size_t i = 0; i < here; i++)
            ibe_ciphertext_format(bytes + i * IBE_CIPHERTEXT_BYTES, &c[done + i]);
        id_based_view_add(v, type, bytes, here * IBE_CIPHERTEXT_BYTES);
    }
}

/* "A random encryption of random cleartext", or of 1. */
static void encrypt(ibe_ciphertext *out, const known *know, bool one)
{
    scalar_q plain = {{0}};
    if (!one)
        pairing_scalar_random(&plain);
    ibe_encrypt(out, know->recipient, &plain);
}

/* --- Alice --- */

/* `left` are her rows without sigma, `all` her rows. */
static id_based_view *simulate_alice(const known *know, const counts *all, const counts *left)
{
    id_based_view *v = calloc(1, sizeof *v);
    ibe_ciphertext products[2], gammas[MAX_LISTS * MAX_LISTS];
    bool frequent[VALUES];
    const uint32_t place = randombytes_uniform(2);
    for (uint32_t i = 0; i < VALUES; i++)
        frequent[i] = know->kept[1].of[i] >= know->k;
    add_names(v, frequent);
    for (uint32_t i = 0; i < 2; i++)
        encrypt(&products[i], know, know->already && i == place);
    add_ciphertexts(v, "id.products", products, 2);
    if (know->already)
        return v;
    /* The i-th list is that of her i-th value. */
    uint32_t list = 0;
    for (uint32_t i = 0; i < know->lists * know->lists; i++)
        encrypt(&gammas[i], know, false);
    for (uint32_t i = 0; i < VALUES; i++) {
        const bool asked = left->of[i] > 0 && left->of[i] < know->k && !frequent[i];
        if (asked && know->kept[0].of[i] > 0)
            encrypt(&gammas[list * know->lists + randombytes_uniform(know->lists)], know, true);
        list += all->of[i] > 0;
    }
    add_ciphertexts(v, "id.gammas", gammas, (size_t)know->lists * know->lists);
    return v;
}

/* --- Bob --- */

static void add_lists(id_based_view *v, const known *know, uint32_t batch)
{
    ibe_ciphertext lists[MAX_LISTS * MAX_LISTS];
    for (uint32_t done = 0; done < know->lists; done += batch) {
        const uint32_t n = know->lists - done < batch ? know->lists - done : batch;
        for (uint32_t i = 0; i < n * know->k; i++)
            encrypt(&lists[i], know, false);
        add_ciphertexts(v, "id.lists", lists, (size_t)n * know->k);
    }
}

static id_based_view *simulate_bob(const known *know)
{
    id_based_view *v = calloc(1, sizeof *v);
    bool frequent[VALUES], remaining[VALUES];
    const unsigned char answer = know->already;
    counts left = know->kept[0];
    if (know->already) { /* a sigma of his own drawing */
        static bool sigma[ID_BASED_JOB_ROWS];
        id_based_job *j = id_based_job_new(know->k, know->lists);
        j->seed = 77;
        for (uint32_t i = 0; i < VALUES; i++)
            id_based_job_put(j, i, know->kept[0].of[i], 0);
        memset(sigma, 0, sizeof sigma);
        id_based_check_sigma(j, 0, sigma);
        for (uint32_t row = 0; row < j->n_rows[0]; row++)
            left.of[j->value[0][row]] -= sigma[row];
        free(j);
    }
    for (uint32_t i = 0; i < VALUES; i++) {
        frequent[i] = left.of[i] >= know->k;
        remaining[i] = know->kept[0].of[i] > 0;
    }
    add_names(v, frequent);
    for (int family = 0; family < 2; family++)
        add_lists(v, know, ID_BASED_SLICE / know->k);
    id_based_view_add(v, "id.already", &answer, sizeof answer);
    if (!know->already)
        add_lists(v, know, know->lists);
    add_names(v, remaining);
    return v;
}

/* --- scenes --- */

typedef struct scene {
    uint32_t k, lists;
    counts rows[2];
} scene;

/* Values 0 to 2 are infrequent at both and remain, 3 does not; 4 to 6 are sigma. */
static const scene mixed = {
    .k = 3, .lists = 9, .rows = {{{2, 2, 2, 2, 1, 1, 1, 7, 1}}, {{1, 2, 1, 0, 0, 1, 0, 0, 4, 2}}}};
/* Lists and gammas take several messages. */
static const scene longer = {.k = 12, .lists = 9, .rows = {{{9, 20, 12, 8}}, {{4, 3, 0, 2, 1}}}};
/* k-anonymous by condition (a), and by (b): value 0 is x*. */
static const scene by_a = {.k = 2, .lists = 3, .rows = {{{1, 5, 6}}, {{1, 0, 2}}}};
static const scene by_b = {.k = 2, .lists = 3, .rows = {{{3, 9, 0}}, {{1, 0, 0}}}};

static id_based_job *job_of(const scene *s, const id_based_keys *keys)
{
    id_based_job *j = id_based_job_new(s->k, s->lists);
    for (uint32_t i = 0; i < VALUES; i++)
        id_based_job_put(j, i, s->rows[0].of[i], s->rows[1].of[i]);
    id_based_keys_lend(keys, j);
    return j;
}

/* Runs the protocol; returns what a party got of its messages, and the output. */
static id_based_view *real_view(const scene *s, uint32_t at, const id_based_keys *keys, known *know,
                                counts *left)
{
    static bool sigma[ID_BASED_JOB_ROWS];
    id_based_job *j = job_of(s, keys);
    id_based_view *all = id_based_view_of(j, at), *v = calloc(1, sizeof *v);
    for (size_t i = 0; i < all->count; i++)
        if (strncmp(all->messages[i].type, "id.", 3) == 0)
            id_based_view_add(v, all->messages[i].type, all->messages[i].bytes,
                              all->messages[i].length);
    id_based_view_free(all);
    *know = (known){s->k, s->lists, keys->recipient, j->already[0], {{{0}}, {{0}}}};
    for (uint32_t p = 0; p < 2; p++)
        for (uint32_t i = 0; i < j->n_rows[p]; i++)
            know->kept[p].of[j->value[p][i]] += !j->suppressed[p][i];
    memset(sigma, 0, sizeof sigma);
    id_based_check_sigma(j, 0, sigma);
    *left = s->rows[0];
    for (uint32_t i = 0; i < j->n_rows[0]; i++)
        left->of[j->value[0][i]] -= sigma[i];
    free(j);
    return v;
}

/* --- what is compared --- */

static bool is_secret(const char *type)
{
    return strcmp(type, "id.lists") == 0 || strcmp(type, "id.gammas") == 0 ||
           strcmp(type, "id.products") == 0;
}

/* The same messages in the same order, and the same contents but for ciphertexts. */
static void same_form(const id_based_view *real, const id_based_view *made)
{
    assert_int_equal(real->count, made->count);
    for (size_t i = 0; i < real->count; i++) {
        const id_based_message *a = &real->messages[i], *b = &made->messages[i];
        assert_string_equal(a->type, b->type);
        assert_int_equal(a->length, b->length);
        if (!is_secret(a->type))
            assert_memory_equal(a->bytes, b->bytes, a->length);
    }
}

/* Elements that were seen: none may occur twice. */
enum { MAX_SEEN = 8192 };
typedef struct seen {
    uint64_t hash[MAX_SEEN];
    size_t count;
} seen;

static void see(seen *s, const void *bytes, size_t length)
{
    unsigned char hash[16];
    crypto_generichash(hash, sizeof hash, bytes, length, NULL, 0);
    assert_true(s->count < MAX_SEEN);
    memcpy(&s->hash[s->count++], hash, sizeof *s->hash);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void all_differ(seen *s)
{
    qsort(s->hash, s->count, sizeof *s->hash, by_number);
    for (size_t i = 1; i < s->count; i++)
        assert_true(s->hash[i - 1] != s->hash[i]);
}

/* What Alice finds: where plaintexts are 1, and that nothing else ever repeats. */
typedef struct findings {
    uint64_t place_of_one[MAX_LISTS]; /* in its bin */
    uint64_t ones_of_list[MAX_LISTS];
    uint64_t first_product; /* runs in which the first of both products is 1 */
    uint64_t second_product;
    seen plaintexts, ciphertexts;
} findings;

static void look(findings *f, const id_based_view *v, const known *know, const ibe_reader *reader)
{
    size_t n;
    for (int products = 0; products < 2; products++) {
        ibe_ciphertext *c =
            id_based_view_ciphertexts(v, products ? "id.products" : "id.gammas", &n);
        for (size_t i = 0; i < n; i++) {
            gt plain;
            ibe_decrypt(&plain, reader, &c[i]);
            see(&f->ciphertexts, &c[i].c1, sizeof c[i].c1);
            if (!pairing_gt_is_one(&plain)) {
                see(&f->plaintexts, &plain, sizeof plain);
            } else if (products) {
                *(i == 0 ? &f->first_product : &f->second_product) += 1;
            } else {
                f->place_of_one[i % know->lists]++;
                f->ones_of_list[i / know->lists]++;
            }
        }
        free(c);
    }
}

/* --- tests --- */

/* Real and simulated views of Alice over many runs. */
static void compare_alice(const scene *s, uint32_t n_runs, findings *real, findings *made)
{
    id_based_keys *keys = id_based_keys_new();
    for (uint32_t run = 0; run < n_runs; run++) {
        known know;
        counts left;
        id_based_view *v = real_view(s, 0, keys, &know, &left);
        id_based_view *w = simulate_alice(&know, &s->rows[0], &left);
        same_form(v, w);
        look(real, v, &know, keys->reader);
        look(made, w, &know, keys->reader);
        id_based_view_free(v);
        id_based_view_free(w);
    }
    all_differ(&real->plaintexts);
    all_differ(&real->ciphertexts);
    all_differ(&made->plaintexts);
    all_differ(&made->ciphertexts);
    id_based_keys_free(keys);
}

static void alice_sees_what_her_simulator_makes(void **state)
{
    enum { RUNS = 14 };
    (void)state;
    findings *real = calloc(1, sizeof *real), *made = calloc(1, sizeof *made);
    compare_alice(&mixed, RUNS, real, made);
    uint64_t ones = 0;
    for (uint32_t list = 0; list < mixed.lists; list++) {
        /* The same lists have a 1, in every run exactly one. */
        assert_true(real->ones_of_list[list] == 0 || real->ones_of_list[list] == RUNS);
        assert_int_equal(real->ones_of_list[list], made->ones_of_list[list]);
        ones += real->ones_of_list[list];
    }
    assert_int_equal(ones, 3 * RUNS);
    assert_int_equal(real->first_product + real->second_product, 0);
    assert_true(session_uniform_p(real->place_of_one, 0, mixed.lists - 1) > LEAST_P);
    assert_true(session_same_p(real->place_of_one, made->place_of_one, mixed.lists) > LEAST_P);
    free(real);
    free(made);
}

/* One of the two products is 1, either with probability 1/2, whichever condition holds. */
static void alice_sees_one_product_of_one_if_nothing_is_suppressed(void **state)
{
    enum { RUNS = 25 };
    const scene *const scenes[] = {&by_a, &by_b};
    (void)state;
    for (int i = 0; i < 2; i++) {
        findings *real = calloc(1, sizeof *real), *made = calloc(1, sizeof *made);
        compare_alice(scenes[i], RUNS, real, made);
        assert_int_equal(real->first_product + real->second_product, RUNS);
        assert_int_equal(made->first_product + made->second_product, RUNS);
        /* A fair coin leaves this range in one of 10^6 tests. */
        assert_in_range(real->first_product, 1, RUNS - 1);
        free(real);
        free(made);
    }
}

/* Bob cannot decrypt: what he could compare are bytes. */
static void bob_sees_what_his_simulator_makes(void **state)
{
    const scene *const scenes[] = {&mixed, &longer, &by_a, &by_b};
    (void)state;
    uint64_t real_bytes[256] = {0}, made_bytes[256] = {0};
    seen *ciphertexts = calloc(1, sizeof *ciphertexts);
    id_based_keys *keys = id_based_keys_new();
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        known know;
        counts left;
        id_based_view *v = real_view(scenes[i], 1, keys, &know, &left);
        id_based_view *w = simulate_bob(&know);
        assert_int_equal(know.already, scenes[i]->k == 2);
        same_form(v, w);
        for (size_t m = 0; m < v->count; m++) {
            const id_based_message *a = &v->messages[m], *b = &w->messages[m];
            for (size_t at = 0; is_secret(a->type) && at < a->length; at += IBE_CIPHERTEXT_BYTES) {
                see(ciphertexts, a->bytes + at, IBE_CIPHERTEXT_BYTES);
                see(ciphertexts, b->bytes + at, IBE_CIPHERTEXT_BYTES);
            }
            for (size_t at = 0; is_secret(a->type) && at < a->length; at++) {
                real_bytes[a->bytes[at]]++;
                made_bytes[b->bytes[at]]++;
            }
        }
        id_based_view_free(v);
        id_based_view_free(w);
    }
    all_differ(ciphertexts);
    assert_true(session_same_p(real_bytes, made_bytes, 256) > LEAST_P);
    free(ciphertexts);
    id_based_keys_free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alice_sees_what_her_simulator_makes),
        cmocka_unit_test(alice_sees_one_product_of_one_if_nothing_is_suppressed),
        cmocka_unit_test(bob_sees_what_his_simulator_makes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
