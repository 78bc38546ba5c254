/* Groups of n neighbours in sorted order, labelled first..last; a group of one has the label of its
 * leaf. */
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "hierarchy/builders.h"
#include "hierarchy/repeated_findings.h"

/* The label of leaves first … last. */
static kith_status group_label(const leaf_source *leaves, uint32_t first, uint32_t last,
                               arena *scratch, const char **label, size_t *length,
                               kith_error *error)
{
    char low[LEAF_TEXT], high[LEAF_TEXT];
    size_t from_length, to_length;
    const char *from = build_leaves_text(leaves, first, low, &from_length);
    const char *to = build_leaves_text(leaves, last, high, &to_length);
    *length = first == last ? from_length : from_length + 2 + to_length;
    char *text = TRY_ALLOC(arena_alloc(scratch, *length), error);
    memcpy(text, from, from_length);
    if (first != last) {
        text[from_length] = text[from_length + 1] = '.';
        memcpy(text + from_length + 2, to, to_length);
    }
    *label = text;
    return KITH_OK;
}

kith_status build_groups(draft *d, const hierarchy_spec *spec, const leaf_source *leaves,
                         kith_findings *findings, kith_error *error)
{
    repeated_findings shared = {.findings = findings, .severity = KITH_SEVERITY_PROBLEM};
    TRY(build_leaves_begin(leaves, d, spec->count + 2, findings, error));
    for (uint32_t i = 0; i < spec->count; i++) {
        /* One level: groups of so many neighbours; the last group may be smaller. Values that
         * contain dots themselves can make one label for two groups, which would become one. */
        intern level_labels;
        TRY(intern_init(&level_labels, d->scratch, NULL, error));
        uint32_t count = build_leaves_count(leaves);
        for (uint64_t first = 0; first < count; first += spec->groups[i]) {
            uint64_t end = first + spec->groups[i] < count ? first + spec->groups[i] : count;
            const char *label = NULL;
            size_t length = 0;
            uint32_t known = level_labels.count, id;
            TRY(group_label(leaves, (uint32_t)first, (uint32_t)(end - 1), d->scratch, &label,
                            &length, error));
            TRY(intern_add(&level_labels, label, length, &id, error));
            if (id < known) {
                char shown[80];
                text_quote(shown, sizeof shown, label, length);
                repeated_findings_add(&shared, 0, "'%s' would be the label of two groups", shown);
            }
            for (uint64_t leaf = first; leaf < end; leaf++)
                TRY(draft_set(d, (uint32_t)leaf, i + 1, label, length, error));
        }
    }
    repeated_findings_end(&shared, "labels of two groups");
    return KITH_OK;
}
