/* ARX files: what is read, and every complaint. */
#include "unit/hierarchy/fixture.h"

static kith_status parse(fixture *f, const char *text)
{
    return parse_text(&f->h, f->memory, text, 0, f->findings);
}

/* The text is refused with exactly this one problem. */
static void refused(fixture *f, const char *text, const char *finding)
{
    assert_int_equal(parse(f, text), KITH_DATA);
    assert_string_equal(finding_text(f->findings, 0), finding);
    assert_int_equal(kith_findings_n_listed(f->findings), 1);
}

static void reads_a_plain_file(void **state)
{
    fixture *f = *state;
    assert_int_equal(parse(f, "a;X;*\nb;Y;*\nc;X;*\n"), KITH_OK);
    check_tree(&f->h->tree);
    assert_int_equal(f->h->tree.n_leaves, 3);
    assert_int_equal(f->h->tree.n_levels, 3);
    assert_int_equal(f->h->tree.n_nodes, 6);
    /* depth first: c comes to its sibling a */
    assert_string_equal(f->h->label[0], "a");
    assert_string_equal(f->h->label[1], "c");
    assert_string_equal(f->h->label[2], "b");
    assert_string_equal(path_of(f->h, "c"), "c > X > *");
    assert_int_equal(f->h->missing_leaf, UINT32_MAX);
    assert_int_equal(f->h->n_file_rows, 3);
    assert_string_equal(f->h->file, "h.csv");
}

static void detects_separators(void **state)
{
    fixture *f = *state;
    assert_int_equal(parse(f, "a,X,*\nb,Y,*\n"), KITH_OK);
    assert_string_equal(path_of(f->h, "b"), "b > Y > *");
    assert_int_equal(parse(f, "a\tX\t*\nb\tY\t*\n"), KITH_OK);
    assert_string_equal(path_of(f->h, "b"), "b > Y > *");
    assert_int_equal(parse(f, "1;[0, 5);[0, 10);*\n7;[5, 10);[0, 10);*\n"), KITH_OK);
    assert_string_equal(path_of(f->h, "7"), "7 > [5, 10) > [0, 10) > *");
    assert_int_equal(parse(f, "a,x;y,*\nb,z,*\n"), KITH_OK);
    assert_string_equal(path_of(f->h, "a"), "a > x;y > *");
}

static void takes_a_given_separator(void **state)
{
    fixture *f = *state;
    assert_int_equal(parse_text(&f->h, f->memory, "a;b|*\nc|*\n", '|', f->findings), KITH_OK);
    assert_string_equal(path_of(f->h, "a;b"), "a;b > *");
}

static void reads_quotes_breaks_and_marks(void **state)
{
    fixture *f = *state;
    assert_int_equal(parse(f, "\xef\xbb\xbf\"a;1\";\"say \"\"X\"\"\";*\r\n\r\n\"b\nc\";Y;*"),
                     KITH_OK);
    assert_string_equal(path_of(f->h, "a;1"), "a;1 > say \"X\" > *");
    assert_string_equal(path_of(f->h, "b\nc"), "b\nc > Y > *");
}

static void warns_of_repetitions(void **state)
{
    fixture *f = *state;
    assert_int_equal(parse(f, "a;X;*\nb;X;*\na;X;*\n"), KITH_OK);
    assert_int_equal(f->h->tree.n_leaves, 2);
    assert_int_equal(f->h->n_file_rows, 3);
    assert_int_equal(kith_findings_n_listed(f->findings), 1);
    assert_string_equal(finding_text(f->findings, 0), "warning 3:0: 'a' repeats line 1");
}

static void accepts_unary_chains_and_other_roots(void **state)
{
    fixture *f = *state;
    assert_int_equal(parse(f, "a;X;X;All\nb;X;X;All\nc;c;Y;All\n"), KITH_OK);
    check_tree(&f->h->tree);
    assert_string_equal(f->h->label[tree_root(&f->h->tree)], "All");
}

static void knows_the_missing_value(void **state)
{
    fixture *f = *state;
    assert_int_equal(parse(f, "a;X;*\n;unknown;*\n"), KITH_OK);
    assert_int_equal(f->h->missing_leaf, 1);
}

static void refuses_empty_files(void **state)
{
    refused(*state, "\n\r\n",
            "0:0: the file is empty: expected one row per value, such as 81667;8166*;*");
}

static void refuses_one_column(void **state)
{
    refused(*state, "a\nb\n",
            "1:0: only one column: expected a value and the labels above it up to the root, "
            "separated by ; , or tab");
}

static void refuses_other_widths(void **state)
{
    refused(*state, "a;*\nb;X;*\nc;X;*\n", "1:0: 2 columns, where most rows have 3");
}

static void refuses_too_many_columns(void **state)
{
    char text[200] = "";
    for (int i = 0; i < 70; i++)
        strcat(text, "x;");
    refused(*state, text, "1:0: 71 columns are too many (most: 64)");
}

static void refuses_contradictions(void **state)
{
    refused(*state, "a;X;*\nb;Y;*\na;Y;*\n", "3:0: 'a' is below 'Y' here, but below 'X' in line 1");
}

static void refuses_two_parents(void **state)
{
    refused(*state, "a;X;P;*\nb;X;Q;*\nc;X;Q;*\n",
            "2:0: 'X' is below 'P' in line 1, but below 'Q' here");
}

static void refuses_a_missing_root(void **state)
{
    refused(*state, "a;X\nb;Y\nc;X\n",
            "2:0: no root: the last column must have the same label (such as *) in every row, but "
            "has 2, of them 'X' in line 1 and 'Y' here");
}

static void refuses_an_empty_root(void **state)
{
    refused(*state, "a;*;\nb;*;\n",
            "1:0: the last column is empty: it must hold the root's label, such as * (is there a "
            "separator at the end of the line?)");
}

static void refuses_empty_labels(void **state)
{
    refused(*state, "a;;*\nb;X;*\n",
            "1:0: the label above 'a' is empty, which in a release means a missing value");
}

static void refuses_one_label_for_two_sets(void **state)
{
    refused(*state, "a;b;*\nb;c;*\n",
            "1:0: 'b' stands for 1 value at column 1 (line 2) and for other values at column 2: a "
            "release shows only labels, so each must stand for one set of values");
}

static void refuses_a_leaf_named_like_the_root(void **state)
{
    refused(*state, "a;X;*\n*;X;*\n",
            "1:0: '*' stands for 1 value at column 1 (line 2) and for 2 at column 3: a release "
            "shows only labels, so each must stand for one set of values");
}

static void refuses_broken_quotes(void **state)
{
    fixture *f = *state;
    assert_int_equal(parse(f, "a;X;*\nb;\"X;*\n"), KITH_DATA);
    assert_string_equal(finding_text(f->findings, 0),
                        "2:0: the quote at the beginning of cell 2 is never closed");
}

static void refuses_text_after_quotes(void **state)
{
    refused(*state, "\"a\"b;X;*\n",
            "1:0: cell 1 goes on after its closing quote (a quote inside a quoted cell is written "
            "twice)");
}

static void refuses_other_encodings(void **state)
{
    refused(*state, "a;X;*\nM\xfcnchen;X;*\n",
            "2:0: 'M\\xfcnchen' is not valid UTF-8 (name the encoding of the file, such as "
            "WINDOWS-1252)");
}

static void finds_everything_at_once(void **state)
{
    fixture *f = *state;
    assert_int_equal(parse(f, "a;X;P;*\n"
                              "a;Y;P;*\n" /* contradiction */
                              "b;X;Q;*\n" /* second parent */
                              "c;Z;*\n"   /* width */
                              "Q;Z;R;*\n" /* leaf named like a node */
                              "d;Z;R;all\n" /* root */),
                     KITH_DATA);
    assert_int_equal(kith_findings_n_problems(f->findings), 5);
}

static void tells_ten_and_counts_the_rest(void **state)
{
    fixture *f = *state;
    char text[4000] = "a;X;*\nb;X;*\n";
    for (int i = 0; i < 30; i++)
        strcat(text, "a;X;*\n");
    assert_int_equal(parse(f, text), KITH_OK);
    assert_int_equal(kith_findings_n_listed(f->findings), 11);
    assert_string_equal(finding_text(f->findings, 10), "warning 0:0: … and 20 more repeated rows");
}

static void reports_files_that_cannot_be_read(void **state)
{
    (void)state;
    kith_error error;
    kith_hierarchy *h;
    assert_int_equal(kith_hierarchy_read(&h, "no/such/file", NULL, NULL, &error), KITH_IO);
    assert_string_equal(error.message, "cannot read no/such/file: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(reads_a_plain_file),
        CASE(detects_separators),
        CASE(takes_a_given_separator),
        CASE(reads_quotes_breaks_and_marks),
        CASE(warns_of_repetitions),
        CASE(accepts_unary_chains_and_other_roots),
        CASE(knows_the_missing_value),
        CASE(refuses_empty_files),
        CASE(refuses_one_column),
        CASE(refuses_other_widths),
        CASE(refuses_too_many_columns),
        CASE(refuses_contradictions),
        CASE(refuses_two_parents),
        CASE(refuses_a_missing_root),
        CASE(refuses_an_empty_root),
        CASE(refuses_empty_labels),
        CASE(refuses_one_label_for_two_sets),
        CASE(refuses_a_leaf_named_like_the_root),
        CASE(refuses_broken_quotes),
        CASE(refuses_text_after_quotes),
        CASE(refuses_other_encodings),
        CASE(finds_everything_at_once),
        CASE(tells_ten_and_counts_the_rest),
        CASE(reports_files_that_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
