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
#include "hierarchy/builders.h"

/* Does a character begin here? Characters are counted, not bytes: a mask must not cut a UTF-8
 * sequence. */
static bool is_start(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

uint32_t build_mask_characters(const char *text, size_t length)
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
        uint32_t count = build_mask_characters(text, length);
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

/* As described above. */
size_t build_mask_label(char out[MASK_TEXT], const hierarchy_spec *spec, uint32_t longest,
                        uint32_t level, const char *text, size_t length)
{
    const uint32_t count = build_mask_characters(text, length), shown = longest - level;
    if (count < shown)
        return 0;
    const size_t cut = byte_of(text, length, spec->mask_left ? count - shown : shown);
    const size_t kept = spec->mask_left ? length - cut : cut;
    memset(out + (spec->mask_left ? 0 : kept), spec->mask_character, level);
    memcpy(out + (spec->mask_left ? level : 0), text + (spec->mask_left ? cut : 0), kept);
    return kept + level;
}

kith_status build_mask(draft *d, const hierarchy_spec *spec, const leaf_source *leaves,
                       kith_findings *findings, kith_error *error)
{
    uint32_t longest_leaf;
    uint32_t longest = longest_value(leaves, &longest_leaf);
    /* The parties of a joint run may have longer values; all must build the same levels. */
    if (longest < spec->mask_length)
        longest = spec->mask_length;
    if (longest + 1 > HIERARCHY_MAX_LEVELS) {
        char shown[80];
        build_leaves_quote(shown, leaves, longest_leaf);
        findings_add(findings, KITH_SEVERITY_PROBLEM, NULL, 0, 0,
                     "'%s' has %u characters: a mask takes values of at most %d", shown, longest,
                     HIERARCHY_MAX_LEVELS - 1);
        return KITH_OK;
    }
    TRY(build_leaves_begin(leaves, d, longest + 1, findings, error));
    for (uint32_t leaf = 0; leaf < build_leaves_count(leaves); leaf++) {
        char buffer[LEAF_TEXT];
        size_t length;
        const char *text = build_leaves_text(leaves, leaf, buffer, &length);
        for (uint32_t level = 1; level < longest; level++) {
            char label[MASK_TEXT];
            size_t size = build_mask_label(label, spec, longest, level, text, length);
            TRY(draft_set(d, leaf, level, size > 0 ? label : text, size > 0 ? size : length,
                          error));
        }
    }
    return KITH_OK;
}
