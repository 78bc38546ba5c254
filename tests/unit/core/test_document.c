#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/document.h"

static void check_json(const kith_document *d, const char *expected)
{
    char *json = kith_document_json(d, false);
    assert_string_equal(json, expected);
    kith_free(json);
}

static kith_document *example(void)
{
    kith_document *d = document_new();
    document_node *root = document_root(d);
    document_put_text(d, root, "study", "cardio");
    document_node *loss = document_object(d, root, "loss");
    document_put_number(d, loss, "lm", 0.25);
    document_node *models = document_array(d, root, "models");
    for (int i = 0; i < 12; i++) {
        document_node *m = document_object(d, models, NULL);
        document_put_count(d, m, "k", (uint64_t)i);
        document_put_flag(d, m, "holds", i % 2 == 0);
    }
    document_put_null(d, root, "seed");
    return d;
}

static void values_by_path(void **state)
{
    (void)state;
    kith_document *d = example();
    assert_string_equal(kith_document_text(d, "study", "?"), "cardio");
    assert_true(kith_document_number(d, "loss.lm", 9) == 0.25);
    assert_true(kith_document_number(d, "models.11.k", 99) == 11);
    assert_true(kith_document_flag(d, "models.0.holds", false));
    assert_false(kith_document_flag(d, "models.1.holds", true));
    assert_int_equal(kith_document_n_items(d, "models"), 12);
    assert_int_equal(kith_document_n_items(d, ""), 4);
    assert_int_equal(kith_document_n_items(d, "study"), 0);
    assert_true(kith_document_has(d, "seed"));
    assert_string_equal(kith_document_key(d, "", 1), "loss");
    assert_string_equal(kith_document_key(d, "models.3", 1), "holds");
    kith_document_free(d);
}

static void values_are_copied(void **state)
{
    (void)state;
    kith_document *from = example(), *d = document_new();
    document_node *root = document_root(d);
    document_copy(d, root, "name", from, "study");
    document_copy(d, root, "last", from, "models.11");
    document_copy(d, root, "none", from, "models.12");
    kith_document_free(from);
    check_json(d, "{\"name\":\"cardio\",\"last\":{\"k\":11,\"holds\":false},\"none\":null}");
    kith_document_free(d);
}

static void missing_paths_yield_the_fallback(void **state)
{
    (void)state;
    kith_document *d = example();
    static const char *const paths[] = {"x",
                                        "loss.x",
                                        "models.12",
                                        "models.-1",
                                        "models.a",
                                        "models. 1",
                                        "study.x",
                                        "study.0",
                                        "seed.x",
                                        "loss.lm.x",
                                        "models.99999999999999999999",
                                        "models.0x",
                                        "models."};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        assert_true(kith_document_number(d, paths[i], -7) == -7);
        assert_string_equal(kith_document_text(d, paths[i], "none"), "none");
    }
    assert_true(kith_document_number(d, "study", -7) == -7); /* another type */
    assert_null(kith_document_text(d, "loss", NULL));
    assert_true(kith_document_flag(d, "loss.lm", true));
    assert_null(kith_document_key(d, "", 4));
    assert_null(kith_document_key(d, "models", 0));
    assert_null(kith_document_key(d, "", SIZE_MAX));
    char endless[600];
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_false(kith_document_has(d, endless));
    assert_false(kith_document_has(NULL, "x"));
    assert_null(kith_document_json(NULL, true));
    kith_document_free(d);
    kith_document_free(NULL);
}

static void json_escapes(void **state)
{
    (void)state;
    kith_document *d = document_new();
    document_node *root = document_root(d);
    document_put_text(d, root, "a\"b", "quote \" slash \\ tab \t bell \x07 euro \xe2\x82\xac");
    document_put_text(d, root, "bad", "x\xff\xc3y\xc3");
    document_put_text(d, root, "none", NULL);
    assert_int_equal(document_status(d, NULL), KITH_OK);
    check_json(d, "{\"a\\\"b\":\"quote \\\" slash \\\\ tab \\t bell \\u0007 euro \xe2\x82\xac\","
                  "\"bad\":\"x\xef\xbf\xbd\xef\xbf\xbdy\xef\xbf\xbd\",\"none\":null}");
    kith_document_free(d);
}

static void json_numbers(void **state)
{
    (void)state;
    kith_document *d = document_new();
    document_node *list = document_array(d, document_root(d), "n");
    document_put_number(d, list, NULL, 0.1);
    document_put_number(d, list, NULL, NAN);
    document_put_number(d, list, NULL, -INFINITY);
    document_put_count(d, list, NULL, UINT64_MAX);
    document_put_count(d, list, NULL, 1000000000000000000U);
    check_json(d, "{\"n\":[0.1,null,null,18446744073709551615,1000000000000000000]}");
    kith_document_free(d);
}

static void failures_are_remembered(void **state)
{
    (void)state;
    kith_document *d = document_new();
    kith_error e;
    assert_int_equal(document_status(d, &e), KITH_OK);
    document_put_text(d, NULL, "x", "y"); /* as after a failed allocation */
    assert_null(document_object(d, NULL, "x"));
    assert_int_equal(document_status(d, &e), KITH_NOMEM);
    kith_document_free(d);
}

static void files_are_read_back(void **state)
{
    (void)state;
    char path[] = "/tmp/kith-document-XXXXXX";
    int descriptor = mkstemp(path);
    kith_document *d = NULL;
    kith_error e;
    static const char json[] = "{\"a\": {\"b\": [1, 2.5]}}\n";
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, json, sizeof json - 1), sizeof json - 1);
    assert_int_equal(document_read(&d, path, &e), KITH_OK);
    assert_true(kith_document_number(d, "a.b.1", 0) == 2.5);
    kith_document_free(d);
    assert_int_equal(ftruncate(descriptor, 5), 0);
    assert_int_equal(document_read(&d, path, &e), KITH_DATA);
    assert_int_equal(ftruncate(descriptor, 0), 0);
    assert_int_equal(document_read(&d, path, &e), KITH_DATA);
    close(descriptor);
    unlink(path);
    assert_int_equal(document_read(&d, path, &e), KITH_IO);
}

/* Elements by index in any order, also of lists inside lists, and behind the end. */
static void elements_in_any_order(void **state)
{
    (void)state;
    enum { OUTER = 9, INNER = 30 };
    kith_document *d = document_new();
    document_node *lists = document_array(d, document_root(d), "lists");
    char path[64];
    for (unsigned i = 0; i < OUTER; i++) {
        document_node *one = document_object(d, lists, NULL);
        document_node *list = document_array(d, one, "list");
        for (unsigned j = 0; j < INNER; j++)
            document_put_count(d, document_object(d, list, NULL), "n", 100 * i + j);
    }
    for (unsigned step = 0; step < 5000; step++) {
        const unsigned i = step * 7 % (OUTER + 1), j = step * step % (INNER + 2);
        snprintf(path, sizeof path, "lists.%u.list.%u.n", i, j);
        const double expected = i < OUTER && j < INNER ? (double)(100 * i + j) : -1;
        assert_true(kith_document_number(d, path, -1) == expected);
    }
    assert_null(kith_document_key(d, "", 1));
    assert_string_equal(kith_document_key(d, "", 0), "lists");
    kith_document_free(d);
}

/* As many elements as would take hours if each were searched for from the first on. */
static void long_lists_take_one_pass(void **state)
{
    (void)state;
    enum { N = 1000000 };
    kith_document *d = document_new();
    document_node *list = document_array(d, document_root(d), "list");
    char path[64];
    for (unsigned i = 0; i < N; i++)
        document_put_count(d, list, NULL, i);
    for (unsigned i = 0; i < N; i++) {
        snprintf(path, sizeof path, "list.%u", i);
        assert_true(kith_document_number(d, path, -1) == i);
    }
    kith_document_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_by_path),
        cmocka_unit_test(values_are_copied),
        cmocka_unit_test(missing_paths_yield_the_fallback),
        cmocka_unit_test(json_escapes),
        cmocka_unit_test(json_numbers),
        cmocka_unit_test(failures_are_remembered),
        cmocka_unit_test(files_are_read_back),
        cmocka_unit_test(elements_in_any_order),
        cmocka_unit_test(long_lists_take_one_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
