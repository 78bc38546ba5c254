/* What ranks read together is what one process reads: rows, codes, lines and messages. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sqlite3.h>

#include "job/slice/slice_read.h"
#include "table/table_unite.h"
#include "support/scratch.h"
#include "support/thread_ranks.h"

enum { MAX_RANKS = 7, MESSAGE = 1024 };

typedef struct reading {
    const char *uri;
    const kith_table_options *options;
    const kith_table *single; /* NULL: it has failed */
    const char *message;      /* of the single reading */
    bool same[MAX_RANKS];     /* what every rank found */
    char wrong[MAX_RANKS][MESSAGE];
} reading;

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Compares the rows of a rank, and their codes and lines, with those of the whole table. */
static bool same_rows(const reading *r, const kith_table *own, const slice *about)
{
    const kith_table *all = r->single;
    if (all == NULL || about->n_rows != all->n_rows || own->n_columns != all->n_columns)
        return false;
    for (uint32_t i = 0; i < all->n_columns; i++) {
        const column *x = &all->columns[i], *y = &own->columns[i];
        if (strcmp(x->name, y->name) != 0 || x->place != y->place ||
            x->values.count != y->values.count)
            return false;
        for (uint32_t code = 0; code < x->values.count; code++)
            if (!same_text(dictionary_text(&x->values, code), dictionary_text(&y->values, code)))
                return false;
        for (uint32_t row = 0; row < own->n_rows; row++)
            if (x->codes[about->first_row + row] != y->codes[row])
                return false;
    }
    /* Lines are found by reading again: some of many rows are enough. */
    for (uint32_t row = 0; row < own->n_rows; row += own->n_rows / 20 + 1) {
        const uint32_t whole = (uint32_t)about->first_row + row;
        if (table_line(all, whole) != table_line(own, row) ||
            strcmp(table_file(all, whole), table_file(own, row)) != 0)
            return false;
    }
    return true;
}

static kith_status read_united(const reading *r, context *c, bool *same, kith_error *error)
{
    kith_table *own = NULL;
    const kith_table *united = NULL;
    slice about;
    kith_status status = slice_read(&own, &about, r->uri, r->options, c, error);
    if (status == KITH_OK)
        status = table_unite(&united, own, NULL, c, error);
    *same = status == KITH_OK && same_rows(r, united, &about);
    kith_table_free(own);
    return status;
}

static void on_rank(kith_ranks *team, void *user)
{
    reading *r = user;
    const uint32_t rank = ranks_self(team);
    context c;
    kith_error error = {0};
    kith_status status = context_init(&c, NULL, &error);
    c.ranks = team;
    if (status == KITH_OK)
        status = read_united(r, &c, &r->same[rank], &error);
    status = ranks_leave(team, status, &error);
    if (status != KITH_OK)
        r->same[rank] = r->single == NULL && strcmp(error.message, r->message) == 0;
    if (!r->same[rank])
        snprintf(r->wrong[rank], MESSAGE, "%s", error.message);
    context_wipe(&c);
}

static void check(const char *uri, const kith_table_options *options, const char *what)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 7};
    kith_table *single = NULL;
    kith_error error = {0};
    const kith_status status = kith_table_read(&single, uri, options, NULL, &error);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        reading r = {.uri = uri, .options = options, .single = single, .message = error.message};
        thread_ranks_run(sizes[i], on_rank, &r);
        for (uint32_t rank = 0; rank < sizes[i]; rank++)
            if (!r.same[rank])
                fail_msg("rank %u of %u: '%s' instead of '%s' for: %s", rank, sizes[i],
                         r.wrong[rank], status == KITH_OK ? "rows" : error.message, what);
    }
    kith_table_free(single);
}

static void check_text(const char *text, const kith_table_options *options)
{
    scratch_write(scratch_path("x.csv"), text);
    check(scratch_path("x.csv"), options, text);
}

static const char *const nasty[] = {
    "a,b\n1,\"x\ny\"\n2,\"\"\"\n\"\"\"\n3,c\n",
    "a,b\r\n1,\"x\r\n\r\ny\"\r\n2,b\r\n3,c",
    "a,b\r1,x\r2,\"\r\"\r3,c\r",
    "\xef\xbb\xbf"
    "\"a\",b\n1,x\n2,y\n",
    "a,b\n1,x\"y\n2,x\"\"\n3,\"\"\n4,\"a,\"\"\"\n5,\"\"\"\"\"\"\n",
    "a,b\n",
    "a,b",
    "a\n1\n\n2\n\"\"\n",
    "a,b\n1,2\n\n\n\n",
    "a,b\n1,2\n\n\n3,4\n\n5,6\n",
    "a,b\n1,2\n\n\n3,4,5\n",
    "a,b\n1,2\n\n\n\"3\n",
    "a,b\n1,2\n3\n4,5\n",
    "a,b\n1,2\n\"3\"x,4\n5,6\n7,8\n\"9\",9\n",
    "a,b\n1,2\n\"3,4\n5,6\n7,8\n9,10\n",
    "a,b\n1,\"\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\"\n1,\"2\"\n",
    "a, b\n1 , \"x\n y\" \n 2,\t\"\"\"z\" \t\n3, a \"b\n4,\" \" \n",
    "\"a\n\",\"b\"\n\"\",\"\"\n,\n",
    "\n1\n2\n",
    "",
};

static void test_nasty(void **state)
{
    (void)state;
    kith_table_options options = KITH_INIT(kith_table_options);
    for (size_t i = 0; i < sizeof nasty / sizeof *nasty; i++) {
        options.trim = false;
        check_text(nasty[i], &options);
        options.trim = true;
        check_text(nasty[i], &options);
    }
}

static void test_no_header(void **state)
{
    (void)state;
    const kith_csv_options csv = KITH_OPTIONS(kith_csv_options, .no_header = true);
    const kith_table_options options = KITH_OPTIONS(kith_table_options, .csv = &csv);
    for (size_t i = 0; i < sizeof nasty / sizeof *nasty; i++)
        check_text(nasty[i], &options);
}

/* Values that are written in several ways keep their order; a text that is no number has its line.
 */
static void test_types(void **state)
{
    (void)state;
    const kith_column_spec columns[] = {{.name = "n", .type = KITH_TYPE_INTEGER},
                                        {.name = "d", .type = KITH_TYPE_DECIMAL}};
    const char *const none[] = {"", "?"};
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .columns = columns, .n_columns = 2, .missing_values = none,
                     .n_missing_values = 2);
    check_text("d,x,n\n1.5,,7\n1.50,,007\n-0,,-3\n0,,?\n,,07\n2e1,,7\n20,,-03\n", &options);
    check_text("d,x,n\n1.5,,7\n1.50,\"\n\",007\n-0,,-3\n0,,a\n,,07\n2e1,,7\n20,,-03\n", &options);
    check_text("d,x,m\n1.5,,7\n", &options);
}

/* Random texts of the characters that matter. */
static void test_random(void **state)
{
    (void)state;
    static const char *const pieces[] = {"\"", "\"", "\"\"", ",", ",", "\n", "\n", "\r\n",
                                         "\r", " ",  "a",    "b", "c", "\t", "12"};
    uint64_t seed = 7;
    for (int round = 0; round < 400; round++) {
        char text[400] = "a,b\n";
        const kith_table_options options =
            KITH_OPTIONS(kith_table_options, .separator = ',', .trim = round % 2 == 1);
        for (size_t used = strlen(text), n = 0; n < 60; n++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const char *piece = pieces[(seed >> 33) % (sizeof pieces / sizeof *pieces)];
            used += (size_t)snprintf(text + used, sizeof text - used, "%s", piece);
        }
        check_text(text, &options);
    }
}

/* Random tables that are right, with quotes wherever they may be. */
static void test_random_tables(void **state)
{
    (void)state;
    static const char *const cells[] = {"a",          "\"b\"",    "\"x,\n\"\"y\"", "",      "\"\"",
                                        "c\"d",       "\"\r\n\"", "\"\"\"\"",      " e ",   "12",
                                        "\"\n\n\n\"", "f\"\"",    "\",\"",         "\"q \""};
    uint64_t seed = 11;
    for (int round = 0; round < 150; round++) {
        static char text[1 << 14];
        size_t used = (size_t)snprintf(text, sizeof text, "a,b,c\n");
        for (int n = 0; n < 3 * (round % 40); n++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const char *cell = cells[(seed >> 33) % (sizeof cells / sizeof *cells)];
            const char *line = round % 3 == 0 ? "\r\n" : "\n";
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", cell,
                                     n % 3 == 2 ? line : ",");
        }
        const kith_table_options options =
            KITH_OPTIONS(kith_table_options, .separator = ',', .trim = round % 2 == 1);
        check_text(text, &options);
    }
}

/* Blocks of the scan end anywhere. */
static void test_large(void **state)
{
    (void)state;
    FILE *file = fopen(scratch_path("x.csv"), "wb");
    const kith_table_options options = KITH_OPTIONS(kith_table_options, .trim = true);
    assert_non_null(file);
    fputs("a;b\n", file);
    for (int row = 0; row < 20000; row++)
        fprintf(file, "%d;   \"x;\n\"\"%d\"  \n", row % 1000, row % 77);
    fclose(file);
    kith_table *single;
    kith_error error;
    assert_int_equal(kith_table_read(&single, scratch_path("x.csv"), &options, NULL, &error),
                     KITH_OK);
    assert_int_equal(single->n_rows, 20000);
    kith_table_free(single);
    check(scratch_path("x.csv"), &options, "large");
}

static void test_several_files(void **state)
{
    (void)state;
    const kith_table_options options = KITH_INIT(kith_table_options);
    scratch_write(scratch_path("1.csv"), "a,b\n1,\"x\n\"\n2,y\n\n\n");
    scratch_write(scratch_path("2.csv"), "a,b\n");
    scratch_write(scratch_path("3.csv"), "\xef\xbb\xbf"
                                         "a,b\r\n3,z\r\n4,\"\"\r\n\r\n");
    scratch_write(scratch_path("4.csv"), "a,b\n5,5\n6,6\n7,7\n8,8\n9,9");
    check(scratch_path("*.csv"), &options, "files");
    check(scratch_directory, &options, "directory");
    scratch_write(scratch_path("5.csv"), "a,c\n");
    check(scratch_path("*.csv"), &options, "another header");
    check(scratch_path("*.tsv"), &options, "no file");
    char command[1024];
    snprintf(command, sizeof command, "rm %s && gzip %s", scratch_path("5.csv"),
             scratch_path("3.csv"));
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c,concurrency-mt-unsafe) */
    check(scratch_path("*.csv*"), &options, "one is compressed");
}

/* Tables by rows; rank 0 reads what cannot be counted. */
static void test_database(void **state)
{
    (void)state;
    const kith_column_spec columns[] = {{.name = "b", .type = KITH_TYPE_INTEGER}};
    const kith_table_options wrong =
        KITH_OPTIONS(kith_table_options, .columns = columns, .n_columns = 1);
    kith_table *t;
    kith_error error;
    sqlite3 *db;
    const kith_table_options options = KITH_INIT(kith_table_options);
    char uri[600];
    scratch_write(scratch_path("x.csv"), "a,b\n1,1\n2,2\n3,z\n4,\n5,5\n6,x\n7,7\n8,8\n9,9\n");
    snprintf(uri, sizeof uri, "sqlite:%s?table=t", scratch_path("x.db"));
    assert_int_equal(kith_table_read(&t, scratch_path("x.csv"), &options, NULL, &error), KITH_OK);
    assert_int_equal(kith_table_write(t, uri, NULL, &error), KITH_OK);
    kith_table_free(t);
    check(uri, &options, "database");
    check(uri, &wrong, "a wrong cell");
    assert_int_equal(sqlite3_open(scratch_path("x.db"), &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "CREATE VIEW v AS SELECT b FROM t ORDER BY b DESC", NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    snprintf(uri, sizeof uri, "sqlite:%s?table=v", scratch_path("x.db"));
    check(uri, &options, "view");
    check(uri, &wrong, "a wrong cell of a view");
    snprintf(uri, sizeof uri, "sqlite:%s?table=u", scratch_path("x.db"));
    check(uri, &options, "no table");
}

/* Rows whose numbers have gaps, are negative or as large as can be, or hide behind columns; an
 * index that has all columns; rows without numbers. */
static void test_database_numbers(void **state)
{
    (void)state;
    static const char sql[] =
        "CREATE TABLE gaps (a, b); CREATE INDEX i ON gaps (b, a);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)"
        "  INSERT INTO gaps (rowid, a, b) SELECT (i * i * 7919) % 100003 - 50000, i, i % 10 FROM n;"
        "INSERT INTO gaps (rowid, a, b) VALUES (9223372036854775807, 'last', 1),"
        "  (-9223372036854775808, 'first', 2); DELETE FROM gaps WHERE a BETWEEN 100 AND 220;"
        "CREATE TABLE keyed (rowid TEXT, oid TEXT, id INTEGER PRIMARY KEY);"
        "INSERT INTO keyed SELECT b, a, rowid FROM gaps;"
        "CREATE TABLE hidden (rowid TEXT, _rowid_ TEXT, oid TEXT);"
        "INSERT INTO hidden SELECT b, a, b FROM gaps;"
        "CREATE TABLE bare (a, b, PRIMARY KEY (b, a)) WITHOUT ROWID;"
        "INSERT INTO bare SELECT a, b FROM gaps; CREATE TABLE three (a);"
        "INSERT INTO three VALUES (1), (2), (3); CREATE TABLE none (a);";
    static const char *const tables[] = {"gaps", "keyed", "hidden", "bare", "three", "none"};
    const kith_table_options options = KITH_INIT(kith_table_options);
    sqlite3 *db;
    char uri[600];
    assert_int_equal(sqlite3_open(scratch_path("x.db"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        snprintf(uri, sizeof uri, "sqlite:%s?table=%s", scratch_path("x.db"), tables[i]);
        check(uri, &options, tables[i]);
    }
}

/* Parquet and JSON, if DuckDB is there. */
static void test_duckdb(void **state)
{
    (void)state;
    kith_table *t;
    kith_error error;
    kith_table_options options = KITH_INIT(kith_table_options);
    FILE *file = fopen(scratch_path("x.csv"), "wb");
    assert_non_null(file);
    fputs("a,b\n", file);
    for (int row = 0; row < 130000 /* more than a row group */; row++)
        fprintf(file, "%d,%s\n", row * 7 % 5000, row % 3 == 0 ? "x" : "7");
    fclose(file);
    assert_int_equal(kith_table_read(&t, scratch_path("x.csv"), &options, NULL, &error), KITH_OK);
    char database[600];
    snprintf(database, sizeof database, "duckdb:%s?table=t", scratch_path("x.duckdb"));
    const char *const names[] = {"x.parquet", "x.json", "x2.parquet"};
    for (size_t i = 0; i < 3; i++) {
        kith_status status = kith_table_write(t, scratch_path(names[i]), NULL, &error);
        if (status != KITH_OK && strstr(error.message, "needs DuckDB") != NULL) {
            kith_table_free(t);
            skip();
        }
        assert_int_equal(status, KITH_OK);
        check(scratch_path(names[i]), &options, names[i]);
    }
    check(scratch_path("*.parquet"), &options, "two files");
    assert_int_equal(kith_table_write(t, database, NULL, &error), KITH_OK);
    check(database, &options, "a table of DuckDB");
    kith_table_free(t);
    const kith_column_spec columns[] = {{.name = "b", .type = KITH_TYPE_INTEGER}};
    options.columns = columns;
    options.n_columns = 1;
    check(scratch_path("x.parquet"), &options, "a wrong cell");
    check(database, &options, "a wrong cell of DuckDB");
}

/* Tables of a server, if there is one: tests/scripts/postgres_ranks.sh names them, in lines. */
static void test_server(void **state)
{
    (void)state;
    const kith_table_options options = KITH_INIT(kith_table_options);
    const char *given = getenv("KITH_TEST_SHARES"); /* NOLINT(concurrency-mt-unsafe) */
    if (given == NULL)
        skip();
    char *rest = strdup(given), *uri;
    assert_non_null(rest);
    for (char *at = rest; (uri = strsep(&at, "\n")) != NULL;)
        if (uri[0] != '\0')
            check(uri, &options, uri);
    free(rest);
}

/* A column of integers is one of texts at some row. */
static void test_server_wrong(void **state)
{
    (void)state;
    const char *uri = getenv("KITH_TEST_WRONG"); /* NOLINT(concurrency-mt-unsafe) */
    const kith_column_spec columns[] = {{.name = "wrong", .type = KITH_TYPE_INTEGER}};
    const kith_table_options wrong =
        KITH_OPTIONS(kith_table_options, .columns = columns, .n_columns = 1);
    if (uri == NULL)
        skip();
    check(uri, &wrong, "a wrong cell");
}

typedef struct placing {
    uint64_t n_rows[2];
    kith_status status[2];
    slice about[2];
    char message[2][MESSAGE];
} placing;

static void place_many(kith_ranks *team, void *user)
{
    placing *p = user;
    const uint32_t rank = ranks_self(team);
    context c;
    kith_error error = {0};
    kith_status status = context_init(&c, NULL, &error);
    c.ranks = team;
    if (status == KITH_OK)
        status = slice_place(&p->about[rank], p->n_rows[rank], &c, &error);
    p->status[rank] = ranks_leave(team, status, &error);
    snprintf(p->message[rank], MESSAGE, "%s", error.message);
    context_wipe(&c);
}

/* Each rank may have few enough rows, and all together too many. */
static void test_too_many(void **state)
{
    (void)state;
    placing most = {.n_rows = {0x80000000, 0x7ffffffe}};
    placing more = {.n_rows = {0x80000000, 0x7fffffff}};
    thread_ranks_run(2, place_many, &most);
    thread_ranks_run(2, place_many, &more);
    for (uint32_t rank = 0; rank < 2; rank++) {
        assert_int_equal(most.status[rank], KITH_OK);
        assert_int_equal(most.about[rank].n_rows, 0xfffffffe);
        assert_int_equal(most.about[rank].first_row, rank * UINT64_C(0x80000000));
        assert_int_equal(more.status[rank], KITH_DATA);
        assert_string_equal(more.message[rank],
                            "all ranks together have more than 4294967294 rows");
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_setup, scratch_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_nasty),         TEST(test_no_header),
        TEST(test_types),         TEST(test_random),
        TEST(test_random_tables), TEST(test_large),
        TEST(test_several_files), TEST(test_database),
        TEST(test_duckdb),        TEST(test_database_numbers),
        TEST(test_server),        TEST(test_server_wrong),
        TEST(test_too_many),
    };
    if (getenv("KITH_TEST_SHARES") != NULL || getenv("KITH_TEST_WRONG") != NULL)
        cmocka_set_test_filter("test_server*"); /* the others run without a server, once */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
