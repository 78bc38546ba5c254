/* The list of earlier runs: data by their rows and not by their order, lists of earlier versions,
 * and runs that ended after answers were opened. */
#include "unit/job/support.h"

#include <sodium.h>
#include <unistd.h>

#include "crypto/digest.h"
#include "job/history/choice_secret.h"
#include "job/history/run_history.h"
#include "wire/inproc.h"

static const char text[] =
    "study: s\n"
    "columns: [{name: a, role: quasi-identifying}, {name: d, role: sensitive}]\n"
    "privacy: [{model: k-anonymity, k: 2}]\n"
    "partition: horizontal\n";

static const char other_text[] =
    "study: s\n"
    "columns: [{name: a, role: quasi-identifying}, {name: d, role: sensitive}]\n"
    "privacy: [{model: k-anonymity, k: 3}]\n"
    "partition: horizontal\n";

enum { ROWS = 4 };
static const char *const rows[] = {"x", "flu", "y", "hiv", "x", "flu", "z", "flu"};
static const char *const turned[] = {"z", "flu", "x", "flu", "y", "hiv", "x", "flu"};
static const char *const fewer[] = {"x", "flu", "y", "hiv", "z", "flu", "z", "flu"};

/* One party's view of a run: its data, its list. */
typedef struct scene {
    char key[64];
    arena *memory;
    kith_study *study;
    row_order order;
    run_identity id;
    run_history history;
} scene;

static const unsigned char secret[CHOICE_SECRET_BYTES] = {3};

static void set_data(scene *s, const char *const *cells)
{
    kith_table *table = table_of(s->study, cells, ROWS);
    assert_int_equal(row_order_make(&s->order, table, false, s->memory, NULL), KITH_OK);
    run_identity_make(&s->id, s->study, &s->order, NULL);
    s->history = (run_history){s->key, s->study, &s->id, secret};
    kith_table_free(table);
}

static void begin(scene *s, const char *const *cells)
{
    *s = (scene){.memory = arena_new(), .study = study_of(text)};
    snprintf(s->key, sizeof s->key, "/tmp/kith-history-XXXXXX");
    int file = mkstemp(s->key);
    assert_true(file >= 0);
    close(file);
    set_data(s, cells);
}

static const char *list_of(const scene *s)
{
    static char path[80];
    snprintf(path, sizeof path, "%s.runs", s->key);
    return path;
}

static void end(scene *s)
{
    unlink(list_of(s));
    unlink(s->key);
    kith_study_free(s->study);
    arena_free(s->memory);
}

static kith_status check(const scene *s, run_history_past *past, kith_error *error)
{
    return run_history_check(&s->history, past, error);
}

static void rows_in_any_order_are_the_same_data(void **state)
{
    (void)state;
    scene one, other;
    begin(&one, rows);
    begin(&other, turned);
    assert_memory_equal(one.id.data, other.id.data, sizeof one.id.data);
    assert_memory_not_equal(one.id.ordered, other.id.ordered, sizeof one.id.ordered);
    kith_table *table = table_of(one.study, rows, ROWS), *back = table_of(one.study, turned, ROWS);
    const kith_table *sorted, *same;
    assert_int_equal(row_order_apply(&sorted, &one.order, table, one.memory, NULL), KITH_OK);
    assert_int_equal(row_order_apply(&same, &other.order, back, one.memory, NULL), KITH_OK);
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t i = 0; i < table->n_columns; i++) {
            assert_string_equal(kith_table_cell(sorted, row, i), kith_table_cell(same, row, i));
            assert_string_equal(kith_table_cell(sorted, row, i),
                                kith_table_cell(table, sorted->source_rows[row], i));
        }
    set_data(&other, fewer);
    assert_memory_not_equal(one.id.data, other.id.data, sizeof one.id.data);
    assert_int_equal(row_order_make(&one.order, table, true, one.memory, NULL), KITH_OK);
    assert_int_equal(row_order_make(&other.order, back, true, one.memory, NULL), KITH_OK);
    assert_memory_not_equal(one.order.rows, other.order.rows, sizeof one.order.rows);
    kith_table_free(table);
    kith_table_free(back);
    end(&one);
    end(&other);
}

/* A line as the versions before wrote it: a digest of the rows as they stood, under its own domain.
 */
static void write_old_line(const scene *s)
{
    char hex[5][65];
    unsigned char hash[2][32];
    digest d;
    digest_init(&d, "kith data in the list of runs", 32);
    digest_part(&d, s->id.ordered, 32);
    digest_final(&d, hash[0]);
    digest_init(&d, "kith choices in the list of runs", 32);
    digest_part(&d, secret, 32);
    digest_final(&d, hash[1]);
    const unsigned char *const all[] = {s->id.name, s->id.study, hash[0], s->id.parties, hash[1]};
    for (int i = 0; i < 5; i++)
        sodium_bin2hex(hex[i], sizeof hex[i], all[i], 32);
    FILE *out = fopen(list_of(s), "w");
    assert_non_null(out);
    fprintf(out, "2026-01-02T03:04:05Z %s %s %s %s %s s\n", hex[0], hex[1], hex[2], hex[3], hex[4]);
    assert_int_equal(fclose(out), 0);
}

static void lists_of_earlier_versions_stay_valid(void **state)
{
    (void)state;
    scene s;
    run_history_past past;
    kith_error error;
    unsigned char then[32], now[32];
    begin(&s, rows);
    write_old_line(&s);
    assert_int_equal(check(&s, &past, &error), KITH_OK);
    assert_int_equal(past.before, RUN_HISTORY_PUBLISHED);
    assert_true(past.by_position); /* its choices were those of rows as they stand */
    run_identity_choices(then, &s.id, true, secret);
    run_identity_choices(now, &s.id, false, secret);
    assert_memory_not_equal(then, now, sizeof then);
    assert_int_equal(run_history_add(&s.history, RUN_HISTORY_PUBLISHED, NULL), KITH_OK);
    assert_int_equal(check(&s, &past, &error), KITH_OK);
    assert_true(past.by_position);
    set_data(&s, turned); /* the old line cannot tell that these are the same */
    assert_int_equal(check(&s, &past, &error), KITH_INVALID);
    assert_non_null(strstr(error.message, "with other data"));
    unlink(list_of(&s));
    assert_int_equal(run_history_add(&s.history, RUN_HISTORY_PUBLISHED, NULL), KITH_OK);
    set_data(&s, rows);
    assert_int_equal(check(&s, &past, &error), KITH_OK);
    assert_int_equal(past.before, RUN_HISTORY_PUBLISHED);
    assert_false(past.by_position);
    end(&s);
}

static void other_data_after_answers_are_refused(void **state)
{
    (void)state;
    scene s;
    run_history_past past;
    kith_error error;
    begin(&s, rows);
    assert_int_equal(run_history_add(&s.history, RUN_HISTORY_BEGUN, NULL), KITH_OK);
    set_data(&s, fewer); /* nothing was opened: free */
    assert_int_equal(check(&s, &past, &error), KITH_OK);
    assert_int_equal(past.before, RUN_HISTORY_NEVER);
    set_data(&s, rows);
    assert_int_equal(check(&s, &past, &error), KITH_OK);
    assert_int_equal(past.before, RUN_HISTORY_BEGUN);
    assert_int_equal(run_history_add(&s.history, RUN_HISTORY_OPENED, NULL), KITH_OK);
    set_data(&s, turned);
    assert_int_equal(check(&s, &past, &error), KITH_OK);
    assert_int_equal(past.before, RUN_HISTORY_OPENED);
    set_data(&s, fewer);
    assert_int_equal(check(&s, &past, &error), KITH_INVALID);
    assert_non_null(strstr(error.message, "answers about records had been opened"));
    set_data(&s, rows);
    s.id.parties[0] ^= 1; /* one of them stays away: the difference are its rows */
    assert_int_equal(check(&s, &past, &error), KITH_INVALID);
    assert_non_null(strstr(error.message, "with other parties; that run ended without a release"));
    s.id.parties[0] ^= 1;
    assert_int_equal(run_history_add(&s.history, RUN_HISTORY_PUBLISHED, NULL), KITH_OK);
    assert_int_equal(check(&s, &past, &error), KITH_OK);
    assert_int_equal(past.before, RUN_HISTORY_PUBLISHED);
    set_data(&s, fewer); /* what was published is told first */
    assert_int_equal(check(&s, &past, &error), KITH_INVALID);
    assert_null(strstr(error.message, "answers"));
    end(&s);
}

/* Another name makes no other study of it: a peer that left could have proposed the name. */
static void answers_count_under_another_name(void **state)
{
    (void)state;
    scene s;
    run_history_past past;
    kith_error error;
    begin(&s, rows);
    assert_int_equal(run_history_add(&s.history, RUN_HISTORY_BEGUN, NULL), KITH_OK);
    s.study->name = "renamed";
    set_data(&s, rows); /* nothing was opened: free */
    assert_int_equal(check(&s, &past, &error), KITH_OK);
    assert_int_equal(run_history_add(&s.history, RUN_HISTORY_OPENED, NULL), KITH_OK);
    s.study->name = "renamed again";
    set_data(&s, turned);
    assert_int_equal(check(&s, &past, &error), KITH_INVALID);
    assert_non_null(strstr(error.message, "gave the same data to a study of another name"));
    set_data(&s, fewer); /* other data in another study */
    assert_int_equal(check(&s, &past, &error), KITH_OK);
    end(&s);
}

static void another_attempt_on_the_same_data_is_known(void **state)
{
    (void)state;
    scene s;
    run_history_past past;
    begin(&s, rows);
    assert_int_equal(run_history_add(&s.history, RUN_HISTORY_BEGUN, NULL), KITH_OK);
    kith_study *first = s.study, *second = study_of(other_text);
    s.study = second;
    set_data(&s, rows);
    assert_int_equal(check(&s, &past, NULL), KITH_OK);
    assert_int_equal(past.before, RUN_HISTORY_TRIED);
    set_data(&s, fewer); /* others may have seen answers about the first data */
    assert_int_equal(check(&s, &past, NULL), KITH_OK);
    assert_int_equal(past.before, RUN_HISTORY_NEVER);
    set_data(&s, rows);
    assert_int_equal(run_history_add(&s.history, RUN_HISTORY_BEGUN, NULL), KITH_OK);
    assert_int_equal(check(&s, &past, NULL), KITH_OK);
    assert_int_equal(past.before, RUN_HISTORY_BEGUN);
    s.study = first;
    set_data(&s, rows); /* the line of the other attempt comes later */
    assert_int_equal(check(&s, &past, NULL), KITH_OK);
    assert_int_equal(past.before, RUN_HISTORY_BEGUN);
    kith_study_free(second);
    end(&s);
}

/* --- what the parties say to each other --- */

typedef struct answer {
    const kith_study *study;
    run_history_before before;
} answer;

static kith_status say(party *p, void *user, kith_error *error)
{
    const answer *a = user;
    return run_history_compare(p, a->study, a->before, error);
}

static void all_notice_who_has_other_data(void **state)
{
    (void)state;
    static const struct {
        run_history_before before[3];
        const char *said; /* NULL: the run goes on */
    } cases[] = {
        {{RUN_HISTORY_OPENED, RUN_HISTORY_OPENED, RUN_HISTORY_OPENED}, NULL},
        {{RUN_HISTORY_OPENED, RUN_HISTORY_BEGUN, RUN_HISTORY_OPENED}, NULL},
        {{RUN_HISTORY_OPENED, RUN_HISTORY_PUBLISHED, RUN_HISTORY_OPENED}, NULL},
        {{RUN_HISTORY_BEGUN, RUN_HISTORY_NEVER, RUN_HISTORY_BEGUN}, NULL},
        {{RUN_HISTORY_OPENED, RUN_HISTORY_TRIED, RUN_HISTORY_OPENED}, NULL},
        {{RUN_HISTORY_TRIED, RUN_HISTORY_NEVER, RUN_HISTORY_BEGUN}, NULL},
        {{RUN_HISTORY_OPENED, RUN_HISTORY_NEVER, RUN_HISTORY_TRIED}, "same data as now, but"},
        {{RUN_HISTORY_PUBLISHED, RUN_HISTORY_TRIED, RUN_HISTORY_BEGUN}, "was run before by"},
        {{RUN_HISTORY_OPENED, RUN_HISTORY_NEVER, RUN_HISTORY_OPENED}, "same data as now, but"},
        {{RUN_HISTORY_PUBLISHED, RUN_HISTORY_NEVER, RUN_HISTORY_OPENED}, "was run before by"},
    };
    kith_study *study = study_of(text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        answer answers[3];
        void *users[3];
        kith_error errors[3] = {0};
        for (int p = 0; p < 3; p++) {
            answers[p] = (answer){study, cases[i].before[p]};
            users[p] = &answers[p];
        }
        const kith_status status = inproc_run(3, NULL, NULL, say, users, errors);
        assert_int_equal(status, cases[i].said == NULL ? KITH_OK : KITH_INVALID);
        for (int p = 0; p < 3 && cases[i].said != NULL; p++)
            assert_non_null(strstr(errors[p].message, cases[i].said));
    }
    kith_study_free(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_in_any_order_are_the_same_data),
        cmocka_unit_test(lists_of_earlier_versions_stay_valid),
        cmocka_unit_test(other_data_after_answers_are_refused),
        cmocka_unit_test(answers_count_under_another_name),
        cmocka_unit_test(another_attempt_on_the_same_data_is_known),
        cmocka_unit_test(all_notice_who_has_other_data),
    };
    return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
