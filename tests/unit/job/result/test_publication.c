/* A publication: what is checked before a release appears, and when it appears. */
#include "unit/job/support.h"

#include "job/result/publication.h"

static const char study_text[] = "study: s\n"
                                 "columns:\n"
                                 "  - {name: age, role: quasi-identifying, type: integer,\n"
                                 "     hierarchy: {intervals: [10]}, domain: {range: [0, 99]}}\n"
                                 "privacy: [{model: k-anonymity, k: 2}]\n";
static const char *const data[] = {"21", "25", "31", "33"};
static const char *const good[] = {"20-29", "20-29", "30-39", "30-39"};
static const char *const swapped[] = {"30-39", "30-39", "20-29", "20-29"};
static const char *const small[] = {"20-29", "20-29", "30-39", "*"};

typedef struct scene {
    place place;
    const char *path, *meta, *extra;
    kith_study *study;
    kith_table *table;
    context context;
    prepared prepared;
    publication publication;
    const char *const *rows;
    const uint32_t *order; /* of shuffled rows; NULL: nobody knows */
    unsigned n_written, n_read;
    kith_error error;
} scene;

static int setup(void **state)
{
    scene *s = calloc(1, sizeof *s);
    place_make(&s->place);
    s->path = place_file(&s->place, "release.csv", NULL);
    s->meta = place_file(&s->place, "release.csv.meta.json", NULL);
    s->extra = place_file(&s->place, "summary.json", NULL);
    s->study = study_of(study_text);
    s->table = table_of(s->study, data, 4);
    assert_int_equal(context_init(&s->context, NULL, &s->error), KITH_OK);
    assert_int_equal(prepare_table(&s->prepared, s->study, s->table, &s->context, &s->error),
                     KITH_OK);
    s->publication = (publication){.context = &s->context};
    s->rows = good;
    *state = s;
    return 0;
}

static int teardown(void **state)
{
    scene *s = *state;
    publication_wipe(&s->publication);
    context_wipe(&s->context);
    kith_table_free(s->table);
    kith_study_free(s->study);
    place_wipe(&s->place);
    free(s);
    return 0;
}

static kith_status write_rows(void *user, table_writer *to, kith_error *error)
{
    scene *s = user;
    for (uint32_t i = 0; i < 4; i++) {
        kith_status status = table_writer_row(to, &s->rows[i], error);
        if (status != KITH_OK)
            return status;
    }
    s->n_written++;
    return KITH_OK;
}

static kith_status read_rows(void *user, kith_table **texts, kith_error *error)
{
    scene *s = user;
    const kith_column_spec spec = {.name = "age"};
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = &spec, .n_columns = 1);
    assert_int_equal(s->n_written, 0); /* before the first row is written */
    s->n_read++;
    return kith_table_from_cells(texts, s->rows, 4, &options, error);
}

static kith_status open_and_write(scene *s, const char *path, bool shuffled, bool match)
{
    static const char *const names[] = {"age"};
    const publication_rows rows = {write_rows, read_rows, s};
    const publication_check check = {.study = s->study,
                                     .data = &s->prepared,
                                     .reordered = shuffled,
                                     .order = s->order,
                                     .match = match};
    assert_int_equal(
        publication_open(&s->publication, path, ',', false, names, NULL, NULL, 1, &s->error),
        KITH_OK);
    return publication_write(&s->publication, &rows, &check, &s->error);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void all_files_appear_with_the_commit(void **state)
{
    scene *s = *state;
    output *extra = NULL;
    kith_document *document = document_new();
    document_put_text(document, document_root(document), "key", "value");
    assert_int_equal(publication_add(&s->publication, &extra, s->extra, false, &s->error), KITH_OK);
    assert_int_equal(open_and_write(s, s->path, false, false), KITH_OK);
    assert_int_equal(s->n_read, 0); /* the file itself was read back */
    assert_int_equal(s->publication.texts->n_rows, 4);
    assert_true(s->publication.assessment.verified.holds);
    assert_int_equal(s->publication.assessment.cover.check, COVER_IN_ORDER);
    assert_int_equal(publication_document(s->publication.meta, document, &s->error), KITH_OK);
    assert_int_equal(publication_document(extra, document, &s->error), KITH_OK);
    assert_false(exists(s->path) || exists(s->meta) || exists(s->extra));
    assert_int_equal(publication_commit(&s->publication, &s->error), KITH_OK);
    assert_true(exists(s->path) && exists(s->meta) && exists(s->extra));
    kith_document_free(document);
}

static void without_a_commit_nothing_appears(void **state)
{
    scene *s = *state;
    assert_int_equal(open_and_write(s, s->path, false, false), KITH_OK);
    publication_wipe(&s->publication);
    context_wipe(&s->context);
    assert_false(exists(s->path) || exists(s->meta));
}

static void a_broken_model_is_refused(void **state)
{
    scene *s = *state;
    s->rows = small;
    assert_int_equal(open_and_write(s, s->path, false, false), KITH_BUG);
    assert_string_equal(s->error.message,
                        "the release breaks k-anonymity (worst class: 1); nothing is written");
}

static void rows_in_order_must_cover_their_own_records(void **state)
{
    scene *s = *state;
    s->rows = swapped;
    assert_int_equal(open_and_write(s, s->path, false, false), KITH_BUG);
    assert_string_equal(s->error.message,
                        "the release does not cover the data; nothing is written");
}

static void shuffled_rows_may_cover_any_record(void **state)
{
    scene *s = *state;
    s->rows = swapped;
    assert_int_equal(open_and_write(s, s->path, true, true), KITH_OK);
    assert_true(s->publication.assessment.cover.holds);
}

/* Whoever shuffles knows which record each row belongs to. */
static void shuffled_rows_of_known_records_must_cover_them(void **state)
{
    static const uint32_t order[] = {3, 2, 0, 1};
    scene *s = *state;
    s->rows = swapped;
    s->order = order;
    assert_int_equal(open_and_write(s, s->path, true, false), KITH_OK);
    assert_int_equal(s->publication.assessment.cover.check, COVER_IN_ORDER);
    assert_true(s->publication.assessment.cover.holds);
}

static void shuffled_rows_of_other_records_are_refused(void **state)
{
    static const uint32_t order[] = {1, 0, 2, 3};
    scene *s = *state;
    s->rows = swapped;
    s->order = order;
    assert_int_equal(open_and_write(s, s->path, true, false), KITH_BUG);
    assert_string_equal(s->error.message,
                        "the release does not cover the data; nothing is written");
}

/* What cannot be read back is assessed first: a broken release is never written. */
static void a_device_gets_assessed_rows_only(void **state)
{
    scene *s = *state;
    assert_int_equal(open_and_write(s, "/dev/null", false, false), KITH_OK);
    assert_null(s->publication.meta);
    assert_int_equal(s->n_read, 1);
    assert_int_equal(s->n_written, 1);
}

static void a_device_does_not_get_a_broken_release(void **state)
{
    scene *s = *state;
    s->rows = small;
    assert_int_equal(open_and_write(s, "/dev/null", false, false), KITH_BUG);
    assert_int_equal(s->n_written, 0);
}

static void rows_of_one_site_are_not_assessed(void **state)
{
    scene *s = *state;
    const publication_rows rows = {write_rows, read_rows, s};
    const publication_check check = {.study = NULL, .reordered = true};
    s->rows = small;
    assert_int_equal(publication_write(&s->publication, &rows, &check, &s->error), KITH_OK);
    assert_int_equal(s->publication.texts->n_rows, 4);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(all_files_appear_with_the_commit),
        TEST(without_a_commit_nothing_appears),
        TEST(a_broken_model_is_refused),
        TEST(rows_in_order_must_cover_their_own_records),
        TEST(shuffled_rows_may_cover_any_record),
        TEST(shuffled_rows_of_known_records_must_cover_them),
        TEST(shuffled_rows_of_other_records_are_refused),
        TEST(a_device_gets_assessed_rows_only),
        TEST(a_device_does_not_get_a_broken_release),
        TEST(rows_of_one_site_are_not_assessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
