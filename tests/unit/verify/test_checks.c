/* Three opinions on every model: that of the search (src/model), that of verify, and a naive one.
 * They must agree on more than 10,000 random classes per model, bounds met exactly included. */
#include "unit/verify/support.h"

#include <math.h>
#include <stdio.h>

#include "support/naive_models.h"
#include "verify/verify.h"

enum { TABLES = 700, CLASSES = 15, LARGEST = 9 };

typedef struct sample {
    naive_list all;
    naive_list class[CLASSES];
} sample;

static void draw_sample(sample *s, rng *r)
{
    uint32_t n_values = 1 + rng_below(r, NAIVE_VALUES);
    s->all.size = 0;
    for (uint32_t c = 0; c < CLASSES; c++) {
        naive_fill(&s->class[c], 1 + rng_below(r, LARGEST), n_values, r);
        for (uint32_t i = 0; i < s->class[c].size; i++)
            s->all.value[s->all.size++] = s->class[c].value[i];
    }
}

/* The classes as a release: a quasi-identifier that names the class, and the value. */
static kith_table *write_sample(const sample *s)
{
    static char text[CLASSES + NAIVE_VALUES][8];
    const char *cells[2 * NAIVE_MAX];
    uint32_t n_rows = 0;
    for (uint32_t i = 0; i < CLASSES + NAIVE_VALUES; i++)
        snprintf(text[i], sizeof text[i], "%u", i < CLASSES ? i : i - CLASSES);
    for (uint32_t c = 0; c < CLASSES; c++)
        for (uint32_t i = 0; i < s->class[c].size; i++, n_rows++) {
            cells[2 * n_rows] = text[c];
            cells[2 * n_rows + 1] = text[CLASSES + s->class[c].value[i]];
        }
    return texts(cells, n_rows, 2);
}

/* The model in verify's words. */
static verify_model translate(const model_spec *m, const verify_values *values,
                              const uint8_t *listed)
{
    verify_model v = {.values = values, .listed = listed};
    v.distance = m->variant == VARIANT_ORDERED        ? VERIFY_ORDERED
                 : m->variant == VARIANT_HIERARCHICAL ? VERIFY_HIERARCHICAL
                                                      : VERIFY_EQUAL;
    v.c = m->c;
    v.enhanced = m->variant == VARIANT_ENHANCED;
    bool sized = m->id == MODEL_ALPHA_K || m->id == MODEL_P_SENSITIVE || m->id == MODEL_LKC ||
                 m->id == MODEL_DISSIMILARITY;
    v.k = sized ? m->k : 0;
    switch (m->id) {
    case MODEL_K_ANONYMITY: v.kind = VERIFY_K_ANONYMITY, v.need = m->k; break;
    case MODEL_L_DIVERSITY:
        v.kind = m->variant == VARIANT_FREQUENCY  ? VERIFY_L_FREQUENCY
                 : m->variant == VARIANT_DISTINCT ? VERIFY_L_DISTINCT
                 : m->variant == VARIANT_ENTROPY  ? VERIFY_L_ENTROPY
                                                  : VERIFY_L_RECURSIVE;
        v.need = m->l;
        break;
    case MODEL_T_CLOSENESS: v.kind = VERIFY_T_CLOSENESS, v.need = m->t; break;
    case MODEL_DELTA_PRESENCE: v.kind = VERIFY_PRESENCE, v.need = m->max, v.low = m->min; break;
    case MODEL_ALPHA_K: v.kind = VERIFY_SHARE, v.need = m->alpha; break;
    case MODEL_P_SENSITIVE: v.kind = VERIFY_L_DISTINCT, v.need = m->p; break;
    case MODEL_LKC: v.kind = VERIFY_COMBINATIONS, v.need = m->c, v.known = 1; break;
    case MODEL_DISSIMILARITY:
        v.kind = VERIFY_DISSIMILARITY, v.need = m->delta, v.low = m->epsilon;
        break;
    case MODEL_DELTA_DISCLOSURE: v.kind = VERIFY_DISCLOSURE, v.need = m->delta; break;
    case MODEL_BETA_LIKENESS: v.kind = VERIFY_LIKENESS, v.need = m->beta; break;
    default: v.kind = VERIFY_INVARIANCE, v.need = m->m; break;
    }
    return v;
}

static bool model_says(const model_spec *m, const naive_list *c)
{
    uint32_t counts[NAIVE_VALUES];
    for (uint32_t v = 0; v < NAIVE_VALUES; v++)
        counts[v] = naive_count(c, v);
    histogram h = {counts, NAIVE_VALUES};
    return model_holds(m, &(class_view){.size = c->size, .sensitive = &h});
}

/* Classes that hold, or that do not. */
typedef struct tally {
    uint32_t yes, no;
} tally;

static void compare(uint32_t kind, uint64_t seed, tally *seen)
{
    static const hierarchy_spec pairs = {.kind = HIERARCHY_INTERVALS, .count = 1, .widths = {2}};
    static const domain_spec domain = {.kind = DOMAIN_RANGE, .low = 0, .high = NAIVE_VALUES - 1};
    arena *memory = arena_new();
    rng r;
    rng_init(&r, seed, kind);
    sample s;
    draw_sample(&s, &r);
    model_spec m = naive_draw(kind, &r);
    m.facts = naive_facts(memory, &s.all);
    kith_table *release = write_sample(&s);
    verify_values values;
    const verify_reading reading = {
        .type = KITH_TYPE_INTEGER, .hierarchy = &pairs, .domain = &domain};
    assert_int_equal(values_make(&values, memory, release, 1, &reading, NULL), KITH_OK);
    uint8_t listed[NAIVE_VALUES + 1] = {0};
    for (uint32_t i = 0; i < values.count; i++)
        listed[i] = naive_listed((uint32_t)atoi(dictionary_text(values.texts, i)));
    verify_model check = translate(&m, &values, listed);
    uint32_t bad = 0, n_bad_rows = 0;
    for (uint32_t c = 0; c < CLASSES; c++) {
        bool good = naive_holds(&m, &s.class[c], &s.all);
        if (model_says(&m, &s.class[c]) != good)
            fail_msg("%s %s, seed %u: the search says %d of class %u", model_name(m.id),
                     model_variant_name(m.variant), (unsigned)seed, !good, c);
        bad += !good;
        n_bad_rows += good ? 0 : s.class[c].size;
    }
    verify_report report;
    const uint32_t quasi[] = {0};
    const verify_task task = {
        .release = release, .quasi = quasi, .n_quasi = 1, .models = &check, .n_models = 1};
    assert_int_equal(verify_release(&report, &task, memory, NULL), KITH_OK);
    if (report.verdict[0].n_violating_classes != bad ||
        report.verdict[0].n_violating_rows != n_bad_rows)
        fail_msg("%s %s, seed %u: verify finds %u bad classes, not %u", model_name(m.id),
                 model_variant_name(m.variant), (unsigned)seed,
                 report.verdict[0].n_violating_classes, bad);
    assert_int_equal(report.holds, bad == 0);
    seen->no += bad;
    seen->yes += CLASSES - bad;
    kith_table_free(release);
    arena_free(memory);
}

static void all_opinions_agree(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < NAIVE_KINDS; kind++) {
        tally seen = {0, 0};
        for (uint64_t seed = 0; seed < TABLES; seed++)
            compare(kind, seed, &seen);
        assert_true(seen.yes + seen.no >= 10000);
        assert_true(seen.yes > 200 && seen.no > 200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_opinions_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
