#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "report/html.h"

/* What a text becomes inside of an element and of an attribute. */
static void check_fill(const char *text, const char *expected)
{
    arena *memory = arena_new();
    html *page = html_new(memory);
    const char *bytes = NULL;
    size_t length = 0;
    html_fill(page, "<a title=\"{}\">", text);
    assert_int_equal(html_finish(&bytes, &length, page, NULL), KITH_OK);
    assert_int_equal(length, strlen("<a title=\"\">") + strlen(expected));
    assert_memory_equal(bytes, "<a title=\"", 10);
    assert_memory_equal(bytes + 10, expected, strlen(expected));
    assert_memory_equal(bytes + length - 2, "\">", 2);
    arena_free(memory);
}

static void texts_are_escaped(void **state)
{
    (void)state;
    check_fill("plain", "plain");
    check_fill("", "");
    check_fill(NULL, "");
    check_fill("<script>alert(\"x\")</script>",
               "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;");
    check_fill("a & b's", "a &amp; b&#39;s");
    check_fill("\"><img src=x onerror=y>", "&quot;&gt;&lt;img src=x onerror=y&gt;");
    check_fill("Größe", "Größe");
}

static void other_bytes_are_replaced(void **state)
{
    (void)state;
    check_fill("a\x01\x7f"
               "b",
               "a\xef\xbf\xbd\xef\xbf\xbd"
               "b");
    check_fill("a\tb\nc", "a b c");
    check_fill("\xff\xc3", "\xef\xbf\xbd\xef\xbf\xbd");
    check_fill("x\xc3<", "x\xef\xbf\xbd&lt;");
}

static void a_hole_in_a_text_stays(void **state)
{
    (void)state;
    arena *memory = arena_new();
    html *page = html_new(memory);
    const char *bytes = NULL;
    size_t length = 0;
    html_fill(page, "{}-{}", "{}", "b");
    html_markup(page, "<br>");
    assert_int_equal(html_finish(&bytes, &length, page, NULL), KITH_OK);
    assert_int_equal(length, 8);
    assert_memory_equal(bytes, "{}-b<br>", 8);
    arena_free(memory);
}

/* Cut between characters, with a sign that it was cut. */
static void long_texts_are_cut(void **state)
{
    (void)state;
    char text[2 * HTML_MAX_TEXT + 2], expected[2 * HTML_MAX_TEXT];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    memset(expected, 'x', sizeof expected);
    strcpy(expected + HTML_MAX_TEXT, "…");
    check_fill(text, expected);
    text[HTML_MAX_TEXT] = '\0'; /* as long as it may be */
    expected[HTML_MAX_TEXT] = '\0';
    check_fill(text, expected);
    for (size_t i = 0; i + 1 < sizeof text; i += 2)
        memcpy(text + i + (i == 0), "ü", 2); /* odd places: the border is inside of a character */
    text[0] = 'x';
    for (size_t i = 1; i + 1 < sizeof text - 1; i += 2)
        memcpy(text + i, "ü", 2);
    text[sizeof text - 2] = '\0';
    memcpy(expected, text, HTML_MAX_TEXT);
    strcpy(expected + HTML_MAX_TEXT - 1, "…");
    check_fill(text, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(other_bytes_are_replaced),
        cmocka_unit_test(a_hole_in_a_text_stays),
        cmocka_unit_test(long_texts_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
