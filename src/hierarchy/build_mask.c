/* Masks: values with more and more of their characters hidden, from the right or from the left.
 *
 * Let the longest value have L characters. Level j stands for the first L-j characters (the last
 * L-j, when hiding from the left). A value that is shorter than that is still alone and keeps its
 * own text as label; all others are shown as their L-j characters and j mask characters. So labels
 * of one level are distinct, each group is inside one of the next level, and 123 joins 12345 at
 * 123** and not before. */
#include <string.h>

#include "core/error.h"
#include "core/findings.h"
#include "core/text.h"
#include "hierarchy/builders.h"

/* Does a character begin here? Characters are counted, not bytes: a mask must not cut a UTF-8
 * sequence. */
static bool is_start(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

static uint32_t characters(const char *text, size_t length)
{
    uint32_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += is_start(text[i]);
    return count;
}

/* Byte at which character number `index` begins, or the length. */
static size_t byte_of(const char *text, size_t length, uint32_t index)
{
    for (size_t i = 0; i < length; i++)
        if (is_start(text[i]) && index-- == 0)
            return i;
    return length;
}

/* Characters of the longest value, and which one it is, for messages. */
static uint32_t longest_value(const leaf_source *leaves, uint32_t *longest_leaf)
{
    uint32_t longest = 1;
    *longest_leaf = 0;
    for (uint32_t leaf = 0; leaf < build_leaves_count(leaves); leaf++) {
        char buffer[LEAF_TEXT];
        size_t length;
        const char *text = build_leaves_text(leaves, leaf, buffer, &length);
        uint32_t count = characters(text, length);
        if (count > longest) {
            longest = count;
            *longest_leaf = leaf;
        }
    }
    return longest;
}

uint32_t hierarchy_mask_length(const dictionary *values)
{
    uint32_t leaf;
    const leaf_source leaves = {.values = values, .count = values->count};
    return longest_value(&leaves, &leaf);
}

static void report_too_long(const leaf_source *leaves, uint32_t leaf, uint32_t count,
                            kith_findings *findings)
{
    char buffer[LEAF_TEXT], shown[80];
    size_t length;
    const char *text = build_leaves_text(leaves, leaf, buffer, &length);
    text_quote(shown, sizeof shown, text, length);
    findings_add(findings, KITH_SEVERITY_PROBLEM, NULL, 0, 0,
                 "'%s' has %u characters: a mask takes values of at most %d", shown, count,
                 HIERARCHY_MAX_LEVELS - 1);
}

/* What all labels of a mask share. */
typedef struct masker {
    const hierarchy_spec *spec;
    uint32_t longest;
    char *buffer; /* room for the longest value in bytes and the mask */
} masker;

/* The label of a leaf at a level, as described above. */
static kith_status set_label(const masker *m, draft *d, uint32_t leaf, uint32_t level,
                             const char *text, size_t length, kith_error *error)
{
    uint32_t count = characters(text, length);
    uint32_t shown = m->longest - level;
    if (count < shown)
        return draft_set(d, leaf, level, text, length, error);
    char mask[HIERARCHY_MAX_LEVELS];
    memset(mask, m->spec->mask_character, level);
    size_t cut = byte_of(text, length, m->spec->mask_left ? count - shown : shown);
    size_t kept = m->spec->mask_left ? length - cut : cut;
    memcpy(m->buffer + (m->spec->mask_left ? 0 : kept), mask, level);
    memcpy(m->buffer + (m->spec->mask_left ? level : 0), text + (m->spec->mask_left ? cut : 0),
           kept);
    return draft_set(d, leaf, level, m->buffer, kept + level, error);
}

kith_status build_mask(draft *d, const hierarchy_spec *spec, const leaf_source *leaves,
                       kith_findings *findings, kith_error *error)
{
    uint32_t longest_leaf;
    masker m = {.spec = spec, .longest = longest_value(leaves, &longest_leaf)};
    /* The parties of a joint run may have longer values; all must build the same levels. */
    if (m.longest < spec->mask_length)
        m.longest = spec->mask_length;
    if (m.longest + 1 > HIERARCHY_MAX_LEVELS) {
        report_too_long(leaves, longest_leaf, m.longest, findings);
        return KITH_OK;
    }
    m.buffer = TRY_ALLOC(arena_alloc(d->scratch, (size_t)HIERARCHY_MAX_LEVELS * 5), error);
    TRY(build_leaves_begin(leaves, d, m.longest + 1, findings, error));
    for (uint32_t leaf = 0; leaf < build_leaves_count(leaves); leaf++) {
        char buffer[LEAF_TEXT];
        size_t length;
        const char *text = build_leaves_text(leaves, leaf, buffer, &length);
        for (uint32_t level = 1; level < m.longest; level++)
            TRY(set_label(&m, d, leaf, level, text, length, error));
    }
    return KITH_OK;
}
