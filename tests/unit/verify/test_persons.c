/* Models that count persons, on random tables of a few rows: what verify finds is what a count by
 * the words of docs/people.md finds, and what the search thinks. */
#include "unit/verify/support.h"

#include <math.h>
#include <stdio.h>

#include "core/rng.h"
#include "search/class_counts.h"
#include "verify/verify.h"

enum { TABLES = 4000, ROWS = 12, PERSONS = 5, CLASSES = 3, VALUES = 3 };

/* Rows of the data. A row of which it is not known whose it is counts as a person of its own, with
 * a number above the others. */
typedef struct sample {
    uint32_t n_rows;
    uint32_t person[ROWS], class[ROWS], value[ROWS];
    uint32_t row[ROWS]; /* of the data from which row i of the release is made */
} sample;

static void draw(sample *s, rng *r)
{
    const uint32_t n_persons = 1 + rng_below(r, PERSONS), n_values = 1 + rng_below(r, VALUES);
    const uint32_t n_classes = 1 + rng_below(r, CLASSES);
    s->n_rows = 1 + rng_below(r, ROWS);
    for (uint32_t i = 0; i < s->n_rows; i++) {
        s->person[i] = rng_below(r, 8) == 0 ? PERSONS + i : rng_below(r, n_persons);
        s->class[i] = rng_below(r, n_classes);
        s->value[i] = rng_below(r, n_values);
        s->row[i] = i;
    }
    for (uint32_t i = s->n_rows; i-- > 1;) {
        const uint32_t j = rng_below(r, i + 1), other = s->row[j];
        s->row[j] = s->row[i];
        s->row[i] = other;
    }
}

/* Different persons with a row in the class (all of them: CLASSES) and with the value (or any). */
static uint32_t persons_of(const sample *s, uint32_t class, uint32_t value)
{
    uint32_t n = 0;
    for (uint32_t person = 0; person < PERSONS + ROWS; person++)
        for (uint32_t i = 0; i < s->n_rows; i++)
            if (s->person[i] == person && (class == CLASSES || s->class[i] == class) &&
                (value == VALUES || s->value[i] == value)) {
                n++;
                break;
            }
    return n;
}

/* All persons of the class show the value, or one has more rows than there are without it. */
static bool is_certain(const sample *s, uint32_t class)
{
    for (uint32_t value = 0; value < VALUES; value++) {
        uint32_t without = 0;
        for (uint32_t i = 0; i < s->n_rows; i++)
            without += s->class[i] == class && s->value[i] != value;
        if (persons_of(s, class, value) == persons_of(s, class, VALUES))
            return true;
        for (uint32_t person = 0; person < PERSONS + ROWS; person++) {
            uint32_t own = 0;
            for (uint32_t i = 0; i < s->n_rows; i++)
                own += s->class[i] == class && s->person[i] == person;
            if (own > without)
                return true;
        }
    }
    return false;
}

static bool naive_holds(const sample *s, const model_spec *m, uint32_t class)
{
    const double size = persons_of(s, class, VALUES), all = persons_of(s, CLASSES, VALUES);
    double most = 0, distinct = 0, gain = 0, change = 0;
    for (uint32_t v = 0; v < VALUES; v++) {
        const double own = persons_of(s, class, v), of_all = persons_of(s, CLASSES, v);
        most = fmax(most, own);
        distinct += own > 0;
        if (of_all == 0)
            continue;
        gain = fmax(gain, own / size / (of_all / all) - 1);
        change = fmax(change, fabs(log(own / size / (of_all / all))));
    }
    switch (m->id) {
    case MODEL_K_ANONYMITY: return size >= m->k;
    case MODEL_ALPHA_K:
        return size >= m->k && most / size <= m->alpha && (m->alpha >= 1 || !is_certain(s, class));
    case MODEL_P_SENSITIVE:
        return size >= m->k && distinct >= m->p && (m->p <= 1 || !is_certain(s, class));
    case MODEL_DELTA_DISCLOSURE: return change < m->delta;
    case MODEL_BETA_LIKENESS: return gain <= m->beta + 1e-9;
    default:
        return (m->variant == VARIANT_FREQUENCY ? size >= m->l * most : distinct >= m->l) &&
               (m->l <= 1 || !is_certain(s, class));
    }
}

/* What the search sees of a class. */
static bool search_holds(const sample *s, const model_spec *m, uint32_t class, arena *memory)
{
    uint32_t pair[ROWS], value_of[(PERSONS + ROWS) * VALUES], overall[VALUES], members[ROWS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_rows; i++) {
        pair[i] = s->person[i] * VALUES + s->value[i];
        value_of[pair[i]] = s->value[i];
        if (s->class[i] == class)
            members[n++] = i;
    }
    for (uint32_t v = 0; v < VALUES; v++)
        overall[v] = persons_of(s, CLASSES, v);
    const sensitive_attribute a = {.values = s->value,
                                   .count = VALUES,
                                   .pair = pair,
                                   .n_pairs = (PERSONS + ROWS) * VALUES,
                                   .value_of_pair = value_of};
    const problem p = {.n_records = s->n_rows,
                       .unit = s->person,
                       .n_units = PERSONS + ROWS,
                       .n_sensitive = 1,
                       .sensitive = &a};
    const model_facts facts = {
        .n_records = persons_of(s, CLASSES, VALUES), .n_values = VALUES, .overall = overall};
    model_spec bound = *m;
    class_counts counts;
    bound.facts = &facts;
    bound.by_units = true;
    assert_int_equal(class_counts_init(&counts, &p, NULL, memory, NULL), KITH_OK);
    class_counts_add(&counts, members, n);
    const class_view view = class_counts_view(&counts, NULL, members, n);
    return model_holds(&bound, &view);
}

/* Two columns that are numbers, and which together tell persons apart; a 7 may be written as 07. */
static kith_table *write_data(const sample *s)
{
    static char text[2 * ROWS][16];
    const char *cells[2 * ROWS];
    for (uint32_t i = 0; i < s->n_rows; i++) {
        const uint32_t person = s->person[i];
        snprintf(text[2 * i], sizeof *text, "%0*u", 1 + (int)(i % 3), person % 2);
        snprintf(text[2 * i + 1], sizeof *text, "%u", person / 2);
        cells[2 * i] = person >= PERSONS && i % 2 == 0 ? NULL : text[2 * i];
        cells[2 * i + 1] = person >= PERSONS && i % 2 == 1 ? NULL : text[2 * i + 1];
    }
    return texts(cells, s->n_rows, 2);
}

static kith_table *write_release(const sample *s)
{
    static const char *const words[] = {"a", "b", "c"};
    const char *cells[2 * ROWS];
    for (uint32_t i = 0; i < s->n_rows; i++) {
        cells[2 * i] = words[s->class[s->row[i]]];
        cells[2 * i + 1] = words[s->value[s->row[i]]];
    }
    return texts(cells, s->n_rows, 2);
}

static verify_model in_words_of_verify(const model_spec *m, const verify_values *values)
{
    verify_model v = {.values = values, .k = m->k};
    switch (m->id) {
    case MODEL_K_ANONYMITY: v.kind = VERIFY_K_ANONYMITY, v.need = m->k; break;
    case MODEL_ALPHA_K: v.kind = VERIFY_SHARE, v.need = m->alpha; break;
    case MODEL_P_SENSITIVE: v.kind = VERIFY_L_DISTINCT, v.need = m->p; break;
    case MODEL_DELTA_DISCLOSURE: v.kind = VERIFY_DISCLOSURE, v.need = m->delta; break;
    case MODEL_BETA_LIKENESS: v.kind = VERIFY_LIKENESS, v.need = m->beta; break;
    default:
        v.kind = m->variant == VARIANT_FREQUENCY ? VERIFY_L_FREQUENCY : VERIFY_L_DISTINCT;
        v.k = 0;
        v.need = m->l;
    }
    return v;
}

/* Counts as verify does it, with persons or, if `known` is false, without. */
static void ask_verify(verify_report *report, const sample *s, const model_spec *m, bool known,
                       arena *memory)
{
    kith_table *data = write_data(s), *release = write_release(s);
    const uint32_t columns[] = {0, 1};
    const verify_reading number = {.type = KITH_TYPE_INTEGER};
    const verify_reading reading[] = {number, number};
    const persons_source from = {data, 2, columns, reading, s->n_rows, s->row};
    verify_persons persons;
    context alone = {.memory = memory};
    verify_values values;
    assert_int_equal(persons_make(&persons, &from, &alone, memory, NULL), KITH_OK);
    assert_int_equal(persons.count, persons_of(s, CLASSES, VALUES));
    const verify_reading plain = {.type = KITH_TYPE_STRING, .persons = known ? &persons : NULL};
    assert_int_equal(values_make(&values, memory, release, 1, &plain, NULL), KITH_OK);
    const verify_model model = in_words_of_verify(m, &values);
    const verify_task task = {.release = release,
                              .quasi = columns,
                              .n_quasi = 1,
                              .models = &model,
                              .n_models = 1,
                              .persons = known ? &persons : NULL,
                              .counts_persons = true};
    assert_int_equal(verify_release(report, &task, memory, NULL), KITH_OK);
    kith_table_free(data);
    kith_table_free(release);
}

static void compare(const model_spec *m, rng *r, uint32_t *yes, uint32_t *no)
{
    sample s;
    verify_report report;
    uint32_t bad = 0, fewest = UINT32_MAX;
    arena *memory = arena_new();
    draw(&s, r);
    for (uint32_t class = 0; class < CLASSES; class ++) {
        const uint32_t size = persons_of(&s, class, VALUES);
        if (size == 0)
            continue;
        const bool holds = naive_holds(&s, m, class);
        if (search_holds(&s, m, class, memory) != holds)
            fail_msg("%s: the search says %d", model_name(m->id), !holds);
        bad += !holds;
        *yes += holds;
        fewest = size < fewest ? size : fewest;
    }
    *no += bad;
    ask_verify(&report, &s, m, true, memory);
    assert_int_equal(report.verdict[0].n_violating_classes, bad);
    assert_int_equal(report.holds, bad == 0);
    assert_false(report.unknown);
    assert_int_equal(report.smallest_persons, fewest);
    ask_verify(&report, &s, m, false, memory);
    assert_true(report.unknown && report.verdict[0].unknown && !report.verdict[0].judged);
    assert_null(report.persons);
    arena_free(memory);
}

static void persons_are_counted(void **state)
{
    (void)state;
    static const model_spec kinds[] = {
        {.id = MODEL_K_ANONYMITY},
        {.id = MODEL_L_DIVERSITY, .variant = VARIANT_FREQUENCY},
        {.id = MODEL_L_DIVERSITY, .variant = VARIANT_DISTINCT},
        {.id = MODEL_ALPHA_K},
        {.id = MODEL_P_SENSITIVE},
        {.id = MODEL_DELTA_DISCLOSURE},
        {.id = MODEL_BETA_LIKENESS, .variant = VARIANT_BASIC},
    };
    static const double alpha[] = {.25, .5, .75, 1}, delta[] = {.5, .75, 1, 2};
    rng r;
    rng_init(&r, 1, 0);
    for (uint32_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        uint32_t yes = 0, no = 0;
        for (uint32_t i = 0; i < TABLES; i++) {
            model_spec m = kinds[kind];
            m.k = 1 + rng_below(&r, 4);
            m.l = m.p = 1 + rng_below(&r, 3);
            m.alpha = alpha[rng_below(&r, 4)];
            m.delta = m.beta = delta[rng_below(&r, 4)];
            compare(&m, &r, &yes, &no);
        }
        assert_true(yes > 200 && no > 200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(persons_are_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
