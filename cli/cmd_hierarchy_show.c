/* kith hierarchy show: a hierarchy as a tree in the terminal. */
#include "cmd_hierarchy.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 10, PREFIX = 512 };

typedef struct drawing {
    const kith_hierarchy *h;
    size_t lowest; /* level down to which is drawn */
    bool all;
} drawing;

/* Control characters would break the drawing. */
static void print_label(const char *label)
{
    if (label[0] == '\0')
        fputs("(missing)", stdout);
    for (const char *s = label; *s != '\0'; s++)
        putchar((unsigned char)*s < 0x20 || *s == 0x7f ? '?' : *s);
}

/* The children of an inner node are *first … *last. */
static void children(const kith_hierarchy *h, size_t node, size_t *first, size_t *last)
{
    size_t leaves;
    kith_hierarchy_node_leaves(first, &leaves, h, node);
    *last = *first + leaves - 1;
    while (kith_hierarchy_node_parent(h, *first) != node)
        *first = kith_hierarchy_node_parent(h, *first);
    while (kith_hierarchy_node_parent(h, *last) != node)
        *last = kith_hierarchy_node_parent(h, *last);
}

/* A chain of single children with the same label is one thing to the reader. */
static size_t bottom_of_chain(const kith_hierarchy *h, size_t node)
{
    size_t first, last;
    while (kith_hierarchy_node_level(h, node) > 0) {
        children(h, node, &first, &last);
        if (first != last ||
            strcmp(kith_hierarchy_node_label(h, first), kith_hierarchy_node_label(h, node)) != 0)
            break;
        node = first;
    }
    return node;
}

static void draw_children(const drawing *d, size_t node, char prefix[PREFIX], size_t length);

static void draw_node(const drawing *d, size_t node, char prefix[PREFIX], size_t length)
{
    print_label(kith_hierarchy_node_label(d->h, node));
    node = bottom_of_chain(d->h, node);
    size_t first, leaves;
    kith_hierarchy_node_leaves(&first, &leaves, d->h, node);
    if (kith_hierarchy_node_level(d->h, node) > 0)
        printf(" (%s)", human_count((double)leaves));
    putchar('\n');
    if (kith_hierarchy_node_level(d->h, node) > d->lowest)
        draw_children(d, node, prefix, length);
}

/* Every level adds at most five bytes to the prefix, and there are at most 64. */
static void draw_children(const drawing *d, size_t node, char prefix[PREFIX], size_t length)
{
    size_t first, last;
    children(d->h, node, &first, &last);
    size_t count = last - first + 1;
    size_t shown = d->all || count <= SHOWN ? count : SHOWN - 1;
    for (size_t i = 0; i < shown; i++) {
        bool final = i + 1 == count;
        printf("%.*s%s", (int)length, prefix, final ? "└─ " : "├─ ");
        const char *below = final ? "   " : "│  ";
        snprintf(prefix + length, PREFIX - length, "%s", below);
        draw_node(d, first + i, prefix, length + strlen(below));
    }
    if (shown < count)
        printf("%.*s└─ … %s more\n", (int)length, prefix, human_count((double)(count - shown)));
}

static void draw(const kith_hierarchy *h, const char *file, uint64_t depth, bool all)
{
    hierarchy_print_size(file, h);
    size_t n_levels = kith_hierarchy_n_levels(h);
    drawing d = {.h = h, .all = all};
    d.lowest = depth < n_levels ? n_levels - 1 - depth : 0;
    char prefix[PREFIX];
    draw_node(&d, kith_hierarchy_n_nodes(h) - 1, prefix, 0);
}

static int print_json(const kith_hierarchy *h)
{
    kith_document *document;
    kith_error error;
    if (kith_hierarchy_describe(&document, h, &error) != KITH_OK)
        return report_error(&error);
    int status = document_print(document);
    kith_document_free(document);
    return status;
}

static const help_page page = {
    .usage = "kith hierarchy show FILE",
    .text = "Draws a hierarchy as a tree, from the root to the values, with the number of values\n"
            "below each group. Long lists are cut unless --all is given.",
    .example = "  kith hierarchy show hierarchies/age.csv --depth 2",
};

int hierarchy_show_command(int argc, char **argv)
{
    common_options common = {.json = false};
    bool all = false;
    uint64_t depth = UINT64_MAX;
    const option_spec options[] = {
        {"all", 'a', OPTION_FLAG, &all, NULL, "show every value, however long the list"},
        {"depth", 'd', OPTION_COUNT, &depth, "N", "show N levels below the root only"},
        OPTION_SEPARATOR_ROW(&common),
        OPTION_ENCODING_ROW(&common),
        OPTION_JSON_ROW(&common),
        OPTION_END,
    };
    int status;
    if (options_parse(&page, options, argc, argv, 1, 1, &status) < 0)
        return status;
    kith_findings *findings = or_die(kith_findings_new());
    kith_hierarchy *h = NULL;
    kith_error error;
    const kith_hierarchy_options reading = KITH_OPTIONS(
        kith_hierarchy_options, .separator = common.separator, .encoding = common.encoding);
    if (kith_hierarchy_read(&h, argv[1], &reading, findings, &error) != KITH_OK)
        status = hierarchy_report(findings, &error);
    else if (common.json)
        status = print_json(h);
    else {
        draw(h, argv[1], depth, all);
        status = EXIT_DONE;
    }
    kith_findings_free(findings);
    kith_hierarchy_free(h);
    return status;
}
