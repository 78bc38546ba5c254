/* The text is edited by lines: in block style every key of the top level begins a line of its own,
 * and its value ends where the next key begins. All other lines stay as they are, comments
 * included, so that the sites' study differs from the original only in what must change. */
#include "job/simulate/simulate_study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/text_stream.h"
#include "study/yaml_walk.h"

/* A text with the positions of its keys, and the stream for the new text. */
typedef struct editor {
    const char *text;
    size_t length;
    const yaml_walk *walk;
    const yaml_node_t *root;
    FILE *out;
} editor;

/* Bytes of the line break at `at`, 0 if there is none. YAML knows more of them than C. */
static size_t line_break(const char *at, const char *end)
{
    size_t left = (size_t)(end - at);
    if (left >= 2 && at[0] == '\r' && at[1] == '\n')
        return 2;
    if (at[0] == '\r' || at[0] == '\n')
        return 1;
    if (left >= 2 && memcmp(at, "\xc2\x85", 2) == 0)
        return 2;
    if (left >= 3 && (memcmp(at, "\xe2\x80\xa8", 3) == 0 || memcmp(at, "\xe2\x80\xa9", 3) == 0))
        return 3;
    return 0;
}

/* Where a line (from 0) begins; the end of the text if it has fewer. */
static size_t line_start(const editor *c, size_t line)
{
    const char *at = c->text, *end = c->text + c->length;
    while (line > 0 && at < end) {
        size_t wide = line_break(at, end);
        line -= wide > 0;
        at += wide > 0 ? wide : 1;
    }
    return (size_t)(at - c->text);
}

/* The number of keys at the top level. */
static size_t pairs(const editor *c)
{
    return (size_t)(c->root->data.mapping.pairs.top - c->root->data.mapping.pairs.start);
}

static const yaml_node_t *key_of(const editor *c, size_t pair)
{
    ASSERT(pair < pairs(c));
    /* libyaml does not change the document, but its parameter is not const. */
    return yaml_document_get_node((yaml_document_t *)(uintptr_t)&c->walk->document,
                                  c->root->data.mapping.pairs.start[pair].key);
}

/* Number of the pair with this key, or the number of pairs. */
static size_t find_key(const editor *c, const char *name)
{
    size_t i = 0;
    for (; i < pairs(c); i++) {
        const yaml_node_t *key = key_of(c, i);
        if (key->type == YAML_SCALAR_NODE &&
            strcmp((const char *)key->data.scalar.value, name) == 0)
            break;
    }
    return i;
}

/* Any text as a YAML scalar in double quotes. */
static void put_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            fprintf(out, "\\%c", byte);
        else if (byte < 0x20 || byte == 0x7f)
            fprintf(out, "\\x%02x", byte);
        else
            fputc(byte, out);
    }
    fputc('"', out);
}

/* Writes the columns that a site holds. */
static void put_columns(FILE *out, const kith_study *study, const simulate_split *split,
                        uint32_t site)
{
    const char *between = "";
    fputs(", columns: [", out);
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (split->part_of_column[i] == site % split->n_column_parts) {
            fputs(between, out);
            put_quoted(out, study->columns[i].name);
            between = ", ";
        }
    fputc(']', out);
}

/* Writes the new keys at the indentation of the others. */
static void put_keys(const editor *c, const kith_study *study, const simulate_changes *changes)
{
    int indent = (int)c->root->start_mark.column;
    FILE *out = c->out;
    if (find_key(c, "partition") == pairs(c))
        fprintf(out, "%*spartition: %s\n", indent, "",
                options_partition_name(changes->split->partition));
    if (changes->add_id)
        fprintf(out, "%*sids: %s\n", indent, "", SIMULATE_ID);
    if (changes->master != UINT32_MAX)
        fprintf(out, "%*smaster: %s\n", indent, "", changes->parties[changes->master].name);
    if (changes->pkg != NULL) {
        fprintf(out, "%*spkg: ", indent, "");
        put_quoted(out, changes->pkg);
        fputc('\n', out);
    }
    fprintf(out, "%*sparties:\n", indent, "");
    for (uint32_t i = 0; i < changes->n_parties; i++) {
        const simulate_party *p = &changes->parties[i];
        fprintf(out, "%*s  - {name: %s, address: \"%s\", key: \"%s\"", indent, "", p->name,
                p->address, p->pin);
        if (p->holds && changes->split->n_column_parts > 1)
            put_columns(out, study, changes->split, i);
        fputs("}\n", out);
    }
}

/* Copies the original from *done to `to`. */
static void copy_until(const editor *c, size_t *done, size_t to)
{
    if (to > *done)
        fwrite(c->text + *done, 1, to - *done, c->out);
    *done = to > *done ? to : *done;
}

/* A pair ends where the next one begins. */
static size_t pair_end(const editor *c, size_t pair)
{
    return pair + 1 < pairs(c) ? line_start(c, key_of(c, pair + 1)->start_mark.line) : c->length;
}

/* Writes the new keys first, then the original without the keys that they replace. */
static void write_text(const editor *c, const kith_study *study, const simulate_changes *changes)
{
    size_t none = pairs(c), done = 0;
    const size_t replaced[] = {find_key(c, "parties"), changes->add_id ? find_key(c, "ids") : none,
                               changes->master != UINT32_MAX ? find_key(c, "master") : none,
                               changes->pkg != NULL ? find_key(c, "pkg") : none};
    copy_until(c, &done, line_start(c, key_of(c, 0)->start_mark.line));
    put_keys(c, study, changes);
    for (size_t i = 0; i < none; i++)
        if (i == replaced[0] || i == replaced[1] || i == replaced[2] || i == replaced[3]) {
            copy_until(c, &done, line_start(c, key_of(c, i)->start_mark.line));
            done = pair_end(c, i);
        }
    copy_until(c, &done, c->length);
}

/* Closes the stream and returns what was written to it. */
static kith_status take_text(const char **text, editor *c, char **written, arena *memory,
                             kith_error *error)
{
    TRY(text_stream_close(c->out, written, error));
    *text = arena_strdup(memory, *written);
    free(*written);
    return *text != NULL ? KITH_OK : error_nomem(error);
}

/* Parses the text once more, for the positions of its keys. */
static kith_status open_text(editor *c, arena *memory, const kith_study *study, kith_error *error)
{
    yaml_walk *walk;
    *c = (editor){.text = study->text, .length = strlen(study->text)};
    kith_findings *findings = TRY_ALLOC(kith_findings_new(), error);
    kith_status status =
        yaml_walk_parse(&walk, &c->root, memory, study->path, c->text, c->length, findings, error);
    kith_findings_free(findings);
    TRY(status);
    walk->findings = NULL;
    c->walk = walk;
    if (c->root == NULL || c->root->type != YAML_MAPPING_NODE || pairs(c) == 0)
        return error_set(error, KITH_BUG, "%s cannot be read again", study->path);
    if (c->root->data.mapping.style != YAML_FLOW_MAPPING_STYLE)
        return KITH_OK;
    error_at(error, KITH_INVALID, study->path, c->root->start_mark.line + 1, 0,
             "the study is written as one {…}: its parties cannot be replaced");
    return error_hint(error, KITH_INVALID, "write each key of the top level on a line of its own");
}

kith_status simulate_study_keys(simulate_keys *keys, arena *memory, const kith_study *study,
                                kith_error *error)
{
    editor c;
    TRY(open_text(&c, memory, study, error));
    keys->partition = find_key(&c, "partition") < pairs(&c);
    keys->protocol = find_key(&c, "protocol") < pairs(&c);
    keys->ids = find_key(&c, "ids") < pairs(&c);
    return KITH_OK;
}

kith_status simulate_study_text(const char **text, arena *memory, const kith_study *study,
                                const simulate_changes *changes, kith_error *error)
{
    editor c;
    char *written = NULL;
    size_t size = 0;
    TRY(open_text(&c, memory, study, error));
    c.out = TRY_ALLOC(open_memstream(&written, &size), error);
    write_text(&c, study, changes);
    return take_text(text, &c, &written, memory, error);
}

static bool is_dropped(const editor *c, size_t pair, const char *const *dropped)
{
    for (; *dropped != NULL; dropped++)
        if (find_key(c, *dropped) == pair)
            return true;
    return false;
}

/* Writes lines at the indentation of the other keys. */
static void put_lines(const editor *c, const char *lines)
{
    for (const char *end; *lines != '\0'; lines = end) {
        end = strchrnul(lines, '\n');
        end += *end == '\n';
        fprintf(c->out, "%*s%.*s", (int)c->root->start_mark.column, "", (int)(end - lines), lines);
    }
}

/* Writes as many empty lines as are removed, so that messages name the lines of the original. */
static void leave_blank(const editor *c, size_t from, size_t to)
{
    const char *end = c->text + to;
    for (const char *at = c->text + from; at < end;) {
        size_t wide = line_break(at, end);
        if (wide > 0)
            fputc('\n', c->out);
        at += wide > 0 ? wide : 1;
    }
}

kith_status simulate_study_variant(const char **text, arena *memory, const kith_study *study,
                                   const char *const *dropped, const char *lines, kith_error *error)
{
    editor c;
    char *written = NULL;
    size_t size = 0, done = 0;
    TRY(open_text(&c, memory, study, error));
    c.out = TRY_ALLOC(open_memstream(&written, &size), error);
    for (size_t i = 0; i < pairs(&c); i++)
        if (is_dropped(&c, i, dropped)) {
            copy_until(&c, &done, line_start(&c, key_of(&c, i)->start_mark.line));
            leave_blank(&c, done, pair_end(&c, i));
            done = pair_end(&c, i);
        }
    copy_until(&c, &done, c.length);
    fputc('\n', c.out);
    put_lines(&c, lines);
    return take_text(text, &c, &written, memory, error);
}
