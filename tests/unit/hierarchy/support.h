/* What the tests of this module share: dictionaries by hand, drafts from memory, and a checker of
 * trees that knows nothing of how they are made. */
#ifndef TEST_HIERARCHY_SUPPORT_H
#define TEST_HIERARCHY_SUPPORT_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/error.h"
#include "core/findings.h"
#include "core/text.h"
#include "hierarchy/arx_read.h"
#include "hierarchy/hierarchy.h"

/* Of "2024-03-13", "2024-03-13 08:15:00" or "08:15:00". */
static inline int64_t seconds_of(const char *text)
{
    int64_t days = 0;
    int hour = 0, minute = 0, second = 0;
    if (strlen(text) >= 10)
        assert_true(text_date(text, 10, &days));
    const char *time = strchr(text, ':');
    if (time != NULL)
        assert_int_equal(sscanf(time - 2, "%d:%d:%d", &hour, &minute, &second), 3);
    return days * 86400 + hour * 3600 + minute * 60 + second;
}

/* A dictionary of texts that are already in order. */
static inline dictionary make_dictionary(arena *memory, kith_type type, const char *const *texts,
                                         uint32_t count)
{
    uint64_t *offsets = arena_array(memory, count + 1, sizeof *offsets);
    int64_t *whole = arena_array(memory, count, sizeof *whole);
    double *decimal = arena_array(memory, count, sizeof *decimal);
    size_t total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += strlen(texts[i]) + 1;
    char *bytes = arena_alloc(memory, total);
    offsets[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t length = strlen(texts[i]);
        memcpy(bytes + offsets[i], texts[i], length + 1);
        offsets[i + 1] = offsets[i] + length + 1;
        if (type == KITH_TYPE_INTEGER)
            assert_true(text_integer(texts[i], length, &whole[i]));
        if (type == KITH_TYPE_DATE)
            whole[i] = seconds_of(texts[i]);
        if (type == KITH_TYPE_DECIMAL)
            assert_true(text_decimal(texts[i], length, &decimal[i]));
    }
    bool has_whole = type == KITH_TYPE_INTEGER || type == KITH_TYPE_DATE;
    return (dictionary){.count = count,
                        .offsets = offsets,
                        .bytes = bytes,
                        .type = type,
                        .whole = has_whole ? whole : NULL,
                        .decimal = type == KITH_TYPE_DECIMAL ? decimal : NULL};
}

#define DICTIONARY(memory, type, ...)                                     \
    make_dictionary((memory), (type), (const char *const[]){__VA_ARGS__}, \
                    sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* Parses a hierarchy file that is in memory. */
static inline kith_status parse_text(kith_hierarchy **h, arena *memory, const char *text,
                                     char separator, kith_findings *findings)
{
    arena *scratch = arena_new();
    draft d;
    kith_error error;
    assert_int_equal(draft_init(&d, memory, scratch, &error), KITH_OK);
    size_t length = strlen(text);
    char *copy = arena_strndup(scratch, text, length);
    size_t before = kith_findings_n_problems(findings);
    kith_status status = arx_read_text(&d, "h.csv", copy, length, separator, findings, &error);
    if (status == KITH_OK)
        status = findings_status(findings, before, KITH_DATA, &error);
    if (status == KITH_OK)
        status = draft_finish(&d, h, &error);
    arena_free(scratch);
    return status;
}

/* "line:column: text" of a finding. */
static inline const char *finding_text(const kith_findings *findings, size_t index)
{
    static char text[1200];
    if (index >= kith_findings_n_listed(findings))
        return "(no such finding)";
    kith_finding f = *findings_item(findings, index);
    snprintf(text, sizeof text, "%s%zu:%zu: %s",
             f.severity == KITH_SEVERITY_WARNING ? "warning " : "", f.line, f.column, f.text);
    return text;
}

/* The labels of a leaf from itself to the root, joined by " > ". */
static inline const char *path_of(const kith_hierarchy *h, const char *leaf_label)
{
    static char text[2048];
    for (uint32_t leaf = 0; leaf < h->tree.n_leaves; leaf++) {
        if (strcmp(h->label[leaf], leaf_label) != 0)
            continue;
        size_t used = 0;
        for (uint32_t level = 0; level < h->tree.n_levels; level++)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%s%s", level == 0 ? "" : " > ",
                                 h->label[tree_up(&h->tree, leaf, level)]);
        return text;
    }
    return "(no such leaf)";
}

/* Every promise of tree.h, checked from parent[] and level[] alone. */
static inline void check_tree(const tree *t)
{
    assert_true(t->n_levels >= 2 && t->n_leaves >= 1);
    assert_int_equal(t->level_start[0], 0);
    assert_int_equal(t->level_start[1], t->n_leaves);
    assert_int_equal(t->level_start[t->n_levels], t->n_nodes);
    assert_int_equal(t->level_start[t->n_levels - 1], t->n_nodes - 1);
    assert_int_equal(t->parent[t->n_nodes - 1], t->n_nodes - 1);
    uint32_t *count = calloc(t->n_nodes, sizeof *count);
    uint32_t *lowest = malloc(t->n_nodes * sizeof *lowest);
    memset(lowest, 0xff, t->n_nodes * sizeof *lowest);
    for (uint32_t leaf = 0; leaf < t->n_leaves; leaf++) {
        uint32_t node = leaf;
        for (uint32_t level = 0; level < t->n_levels; level++) {
            assert_int_equal(t->level[node], level);
            assert_true(t->level_start[level] <= node && node < t->level_start[level + 1]);
            assert_int_equal(tree_up(t, leaf, level), node);
            assert_true(t->first[node] <= leaf && leaf < t->end[node]);
            count[node]++;
            lowest[node] = leaf < lowest[node] ? leaf : lowest[node];
            node = t->parent[node];
        }
    }
    for (uint32_t node = 0; node < t->n_nodes; node++) {
        assert_int_equal(tree_size(t, node), count[node]);
        assert_int_equal(t->first[node], lowest[node]);
        bool same_level = node > 0 && t->level[node - 1] == t->level[node];
        if (same_level)
            assert_int_equal(t->first[node], t->end[node - 1]);
    }
    free(count);
    free(lowest);
}

#endif
