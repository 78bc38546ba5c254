/* The comparisons of IDK 5.3 as printed, and in the two forms between them and ours, put in the
 * place of id_based_gamma. A curious Alice, who follows the protocol and keeps her own plaintexts
 * and exponents, then reads what Bob has:
 *
 * - Z is not raised to a power. Where quasi-identifiers match and the rows are fewer than k, a
 *   gamma decrypts to the very element that she put into Z_(k-y): she reads y, Bob's count. In
 *   phase 1 the product of all lists does the same.
 * - Gammas are not rerandomized. From g^t of the gamma and her own exponents she computes
 *   E^(theta (x - guess)) for any guess of Bob's quasi-identifier, and compares: she finds values
 *   that she does not have herself, and tells Bob's dummies from his values.
 *
 * The same attacks find nothing in the form that the library has. */
/* needs: id-based */
/* wrap: id_based_gamma ibe_powers_make ibe_encrypt */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "protocol/id_based/id_based_gamma.h"
#include "protocol/id_based/id_based_internal.h"
#include "support/id_based_view.h"
#include "support/pairing_plain.h"

enum { K = 5, MAX_ENCRYPTIONS = 256 };

/* --- Bob's comparisons, in the form that a test asks for --- */

static bool raised, rerandomized;

void __real_id_based_gamma(ibe_ciphertext *out, const ibe_recipient *alice,
                           const ibe_powers *x_powers, const ibe_powers *z_powers,
                           const scalar_q *x, bool enough);
void __wrap_id_based_gamma(ibe_ciphertext *out, const ibe_recipient *alice,
                           const ibe_powers *x_powers, const ibe_powers *z_powers,
                           const scalar_q *x, bool enough);
void __real_ibe_powers_make(ibe_powers *out, const ibe_ciphertext *a);
void __wrap_ibe_powers_make(ibe_powers *out, const ibe_ciphertext *a);

static bool is_ours(void)
{
    return raised && rerandomized;
}

/* The other forms work on plain ciphertexts, for which tables of powers have room. */
void __wrap_ibe_powers_make(ibe_powers *out, const ibe_ciphertext *a)
{
    if (is_ours())
        __real_ibe_powers_make(out, a);
    else
        memcpy(out, a, sizeof *a);
}

/* E_A(x, 0). */
static void encrypt_openly(ibe_ciphertext *out, const scalar_q *x)
{
    const scalar_q zero = {{0}};
    g1 g;
    g2 h;
    pairing_g1_generator(&g);
    pairing_g2_generator(&h);
    pairing_e(&out->c1, &g, &h);
    pairing_gt_power(&out->c1, &out->c1, x);
    pairing_g1_multiply(&out->c2, &g, &zero);
    out->c3 = out->c2;
}

/* Z (X / E_A(x, 0))^theta, without Z if Bob has enough rows. */
void __wrap_id_based_gamma(ibe_ciphertext *out, const ibe_recipient *alice,
                           const ibe_powers *x_powers, const ibe_powers *z_powers,
                           const scalar_q *x, bool enough)
{
    ibe_ciphertext list, z, mine;
    scalar_q theta, phi;
    if (is_ours()) {
        __real_id_based_gamma(out, alice, x_powers, z_powers, x, enough);
        return;
    }
    memcpy(&list, x_powers, sizeof list);
    memcpy(&z, z_powers, sizeof z);
    pairing_scalar_random(&theta);
    pairing_scalar_random(&phi);
    encrypt_openly(&mine, x);
    ibe_quotient(out, &list, &mine);
    ibe_power(out, out, &theta);
    if (raised)
        ibe_power(&z, &z, &phi);
    if (!enough)
        ibe_product(out, &z, out);
    if (rerandomized)
        ibe_rerandomize(out, alice, out);
}

/* --- what Alice remembers of her encryptions, in their order --- */

typedef struct secret {
    scalar_q plain, t;
} secret;

static secret own[MAX_ENCRYPTIONS];
static size_t n_own;

void __real_ibe_encrypt(ibe_ciphertext *out, const ibe_recipient *r, const scalar_q *plain);
void __wrap_ibe_encrypt(ibe_ciphertext *out, const ibe_recipient *r, const scalar_q *plain);

/* The encryption of ibe.h with an exponent that she keeps. */
void __wrap_ibe_encrypt(ibe_ciphertext *out, const ibe_recipient *r, const scalar_q *plain)
{
    unsigned char bytes[IBE_PUBLIC_BYTES];
    gt a;
    g1 u;
    secret *s = &own[n_own++];
    assert_true(n_own <= MAX_ENCRYPTIONS);
    s->plain = *plain;
    pairing_scalar_random(&s->t);
    ibe_recipient_format(bytes, r);
    assert_true(pairing_gt_parse(&a, bytes) && pairing_g1_parse(&u, bytes + GT_BYTES));
    encrypt_openly(out, plain);
    pairing_gt_power(&a, &a, &s->t);
    pairing_gt_multiply(&out->c1, &out->c1, &a);
    pairing_g1_generator(&out->c2);
    pairing_g1_multiply(&out->c2, &out->c2, &s->t);
    pairing_g1_multiply(&out->c3, &u, &s->t);
}

/* --- the attacks --- */

static void power_of_e(gt *out, const scalar_q *exponent)
{
    ibe_ciphertext c;
    encrypt_openly(&c, exponent);
    *out = c.c1;
}

static bool is_zero(const scalar_q *s)
{
    const scalar_q zero = {{0}};
    return memcmp(s, &zero, sizeof zero) == 0;
}

/* Bob's count if one of the ciphertexts decrypts to one of the list's own random elements. */
static uint32_t read_count(const ibe_ciphertext *received, size_t n, const secret *list,
                           const ibe_reader *reader)
{
    for (uint32_t j = 1; j < K; j++) {
        gt z, plain;
        if (is_zero(&list[j].plain))
            continue;
        power_of_e(&z, &list[j].plain);
        for (size_t i = 0; i < n; i++) {
            ibe_decrypt(&plain, reader, &received[i]);
            if (pairing_gt_equal(&plain, &z))
                return K - j;
        }
    }
    return 0;
}

/* Whether a gamma may be that of the guess with this Z: with P = z E^(theta (x - guess)) and
 * c2 = g^(t_z + t_x theta), (P / z)^t_x = e(c2 / g^t_z, h)^(x - guess). */
static bool guess_fits(const ibe_ciphertext *gamma, const gt *plain, const secret *x,
                       const secret *z, const scalar_q *guess)
{
    scalar_q difference;
    gt left, right;
    g1 point;
    g2 h;
    pairing_g1_generator(&point);
    pairing_g1_multiply(&point, &point, &z->t);
    pairing_g1_negate(&point, &point);
    pairing_g1_add(&point, &point, &gamma->c2);
    pairing_g2_generator(&h);
    pairing_e(&right, &point, &h);
    pairing_scalar_negate(&difference, guess);
    pairing_scalar_add(&difference, &difference, &x->plain);
    pairing_gt_power(&right, &right, &difference);
    power_of_e(&left, &z->plain);
    pairing_gt_invert(&left, &left);
    pairing_gt_multiply(&left, &left, plain);
    pairing_gt_power(&left, &left, &x->t);
    return pairing_gt_equal(&left, &right);
}

/* Bob's count of a value, if the guess fits. */
static uint32_t test_guess(const ibe_ciphertext *gammas, size_t n, const secret *list,
                           const ibe_reader *reader, uint32_t value)
{
    id_based_name name;
    scalar_q guess;
    id_based_job_name(&name, value);
    id_based_exponent(&guess, &name);
    for (size_t i = 0; i < n; i++) {
        gt plain;
        ibe_decrypt(&plain, reader, &gammas[i]);
        for (uint32_t j = 1; j < K; j++)
            if (guess_fits(&gammas[i], &plain, &list[0], &list[j], &guess))
                return K - j;
    }
    return 0;
}

/* How many of the gammas are those of Bob's dummy, which have no Z. */
static size_t count_dummies(const ibe_ciphertext *gammas, size_t n, const secret *list,
                            const ibe_reader *reader)
{
    const secret no_z = {{{0}}, {{0}}};
    scalar_q dummy;
    size_t count = 0;
    id_based_dummy(&dummy, true);
    for (size_t i = 0; i < n; i++) {
        gt plain;
        ibe_decrypt(&plain, reader, &gammas[i]);
        count += guess_fits(&gammas[i], &plain, &list[0], &no_z, &dummy);
    }
    return count;
}

/* --- tests --- */

static const struct form {
    bool raised, rerandomized;
} forms[] = {{false, false}, {false, true}, {true, false}, {true, true}};

enum { FORMS = sizeof forms / sizeof *forms };

static id_based_view *run(const struct form *form, id_based_job *j, const id_based_keys *keys)
{
    raised = form->raised;
    rerandomized = form->rerandomized;
    n_own = 0;
    id_based_keys_lend(keys, j);
    j->hashing = false;
    return id_based_view_of(j, 0);
}

/* Alice's first list of phase 2 is that of value 0, of which she has two rows. Bob has value 7 too,
 * which she has not. */
static void phase_two(const struct form *form, uint32_t of_bob, const id_based_keys *keys)
{
    const bool printed = !form->raised && !form->rerandomized;
    size_t n;
    id_based_job *j = id_based_job_new(K, 6);
    id_based_job_put(j, 0, 2, of_bob);
    for (uint32_t v = 1; v <= K; v++) /* sigma */
        id_based_job_put(j, v, 1, 0);
    id_based_job_put(j, 7, 0, 3);
    id_based_view *view = run(form, j, keys);
    ibe_ciphertext *gammas = id_based_view_ciphertexts(view, "id.gammas", &n);
    const secret *list = own + (size_t)2 * j->lists * K;
    assert_int_equal(n, j->lists * j->lists);
    assert_int_equal(n_own, 3 * j->lists * K);
    n = j->lists; /* those of the first list */
    assert_int_equal(read_count(gammas, n, list, keys->reader), form->raised ? 0 : of_bob);
    assert_int_equal(test_guess(gammas, n, list, keys->reader, 7), printed ? 3 : 0);
    assert_int_equal(test_guess(gammas, n, list, keys->reader, 8), 0);
    assert_int_equal(count_dummies(gammas, n, list, keys->reader), form->rerandomized ? 0 : n - 2);
    free(gammas);
    id_based_view_free(view);
    free(j);
}

static void gammas_as_printed_tell_counts_and_guesses(void **state)
{
    (void)state;
    id_based_keys *keys = id_based_keys_new();
    phase_two(&forms[0], 1, keys);
    phase_two(&forms[0], 2, keys);
    id_based_keys_free(keys);
}

static void each_half_of_the_correction_alone_is_not_enough(void **state)
{
    (void)state;
    id_based_keys *keys = id_based_keys_new();
    phase_two(&forms[1], 2, keys); /* rerandomized: she reads Bob's count */
    phase_two(&forms[2], 2, keys); /* raised: she reads how many quasi-identifiers he has */
    id_based_keys_free(keys);
}

static void gammas_of_the_library_tell_neither(void **state)
{
    (void)state;
    id_based_keys *keys = id_based_keys_new();
    assert_true(forms[3].raised && forms[3].rerandomized);
    phase_two(&forms[3], 1, keys);
    phase_two(&forms[3], 2, keys);
    id_based_keys_free(keys);
}

/* Both have value 0 only, beside what Alice has k times: in the product of phase 1 all factors but
 * its Z cancel. */
static void phase_one(const struct form *form, uint32_t of_bob, const id_based_keys *keys)
{
    size_t n;
    id_based_job *j = id_based_job_new(K, 2);
    id_based_job_put(j, 0, 2, of_bob);
    id_based_job_put(j, 1, 2 * K, 0);
    id_based_view *view = run(form, j, keys);
    ibe_ciphertext *products = id_based_view_ciphertexts(view, "id.products", &n);
    assert_int_equal(n, 2);
    assert_false(j->already[0]);
    assert_int_equal(read_count(products, n, own, keys->reader), form->raised ? 0 : of_bob);
    free(products);
    id_based_view_free(view);
    free(j);
}

static void products_tell_counts_unless_z_is_raised(void **state)
{
    (void)state;
    id_based_keys *keys = id_based_keys_new();
    for (size_t f = 0; f < FORMS; f++)
        for (uint32_t of_bob = 1; of_bob <= 2; of_bob++)
            phase_one(&forms[f], of_bob, keys);
    id_based_keys_free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gammas_as_printed_tell_counts_and_guesses),
        cmocka_unit_test(each_half_of_the_correction_alone_is_not_enough),
        cmocka_unit_test(gammas_of_the_library_tell_neither),
        cmocka_unit_test(products_tell_counts_unless_z_is_raised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
