/* The text is edited by keys: in block style every key of the top level begins a line of its own,
 * and its value ends where the next key begins. All other lines stay as they are, comments
 * included, so that the sites' study differs from the original only in what must change. */
#include "job/rehearse/simulate_study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/system/text_stream.h"
#include "study/edit/study_editor.h"
#include "study/edit/study_path.h"
#include "study/yaml/yaml_text.h"

/* Parses the text once more, for the places of its keys. */
static kith_status open_text(study_editor *e, const yaml_node_t **root, arena *memory,
                             const kith_study *study, kith_error *error)
{
    *e = (study_editor){.memory = memory, .text = study->text, .path = ""};
    TRY(study_editor_parse(e, root, error));
    if ((*root)->data.mapping.style != YAML_FLOW_MAPPING_STYLE)
        return KITH_OK;
    error_at(error, KITH_INVALID, study->path, yaml_walk_line(*root), 0,
             "the study is written as one {…}: its parties cannot be replaced");
    return error_hint(error, KITH_INVALID, "write each key of the top level on a line of its own");
}

kith_status simulate_study_keys(simulate_keys *keys, arena *memory, const kith_study *study,
                                kith_error *error)
{
    study_editor e;
    const yaml_node_t *root;
    TRY(open_text(&e, &root, memory, study, error));
    keys->partition = study_path_value(e.walk, root, "partition", 9, NULL) != NULL;
    keys->protocol = study_path_value(e.walk, root, "protocol", 8, NULL) != NULL;
    keys->ids = study_path_value(e.walk, root, "ids", 3, NULL) != NULL;
    return KITH_OK;
}

/* Closes the stream; what was written to it lives as long as `memory`. */
static kith_status take_text(const char **text, FILE *out, char **written, arena *memory,
                             kith_error *error)
{
    TRY(text_stream_close(out, written, error));
    *text = *written;
    return arena_defer(memory, free, *written) ? KITH_OK : error_nomem(error);
}

/* Where the line begins on which a pair does; the end of the text after the last one. */
static size_t pair_begin(const study_editor *e, const yaml_node_t *root, size_t pair)
{
    const yaml_node_t *key, *value;
    if (pair == yaml_walk_pairs(e->walk, root, "the study"))
        return strlen(e->text);
    yaml_walk_pair(e->walk, root, pair, &key, &value);
    return study_editor_byte(e->text, key->start_mark.index - key->start_mark.column);
}

static bool is_dropped(const study_editor *e, const yaml_node_t *root, size_t pair,
                       const char *const *dropped)
{
    const yaml_node_t *key, *value;
    yaml_walk_pair(e->walk, root, pair, &key, &value);
    for (; *dropped != NULL; dropped++)
        if (key->type == YAML_SCALAR_NODE &&
            strcmp((const char *)key->data.scalar.value, *dropped) == 0)
            return true;
    return false;
}

kith_status simulate_study_variant(const char **text, arena *memory, const kith_study *study,
                                   const char *const *dropped, const char *lines, kith_error *error)
{
    study_editor e;
    const yaml_node_t *root;
    char *written = NULL;
    size_t size = 0;
    TRY(open_text(&e, &root, memory, study, error));
    FILE *out = TRY_ALLOC(open_memstream(&written, &size), error);
    const size_t n_pairs = yaml_walk_pairs(e.walk, root, "the study");
    fwrite(e.text, 1, pair_begin(&e, root, 0), out);
    /* At the indentation of the other keys. */
    for (const char *end; *lines != '\0'; lines = end) {
        end = strchrnul(lines, '\n');
        end += *end == '\n';
        fprintf(out, "%*s%.*s", (int)root->start_mark.column, "", (int)(end - lines), lines);
    }
    for (size_t i = 0; i < n_pairs; i++) {
        const size_t begin = pair_begin(&e, root, i), end = pair_begin(&e, root, i + 1);
        if (!is_dropped(&e, root, i, dropped))
            fwrite(e.text + begin, 1, end - begin, out);
    }
    return take_text(text, out, &written, memory, error);
}

/* A party, with the columns that it holds where these are split. */
static void put_party(FILE *out, const kith_study *study, const simulate_changes *changes,
                      uint32_t number)
{
    const simulate_party *p = &changes->parties[number];
    const simulate_split *split = changes->split;
    const char *between = "";
    fprintf(out, "  - {name: %s, address: \"%s\", key: \"%s\"", p->name, p->address, p->pin);
    if (p->holds && split->n_column_parts > 1) {
        fputs(", columns: [", out);
        for (uint32_t i = 0; i < study->n_columns; i++)
            if (split->part_of_column[i] == number % split->n_column_parts) {
                fputs(between, out);
                yaml_text_put(out, study->columns[i].name);
                between = ", ";
            }
        fputc(']', out);
    }
    fputs("}\n", out);
}

kith_status simulate_study_text(const char **text, arena *memory, const kith_study *study,
                                const simulate_changes *changes, kith_error *error)
{
    const char *dropped[5] = {"parties"}, *lines;
    char *written = NULL;
    size_t size = 0, n_dropped = 1;
    simulate_keys keys;
    TRY(simulate_study_keys(&keys, memory, study, error));
    FILE *out = TRY_ALLOC(open_memstream(&written, &size), error);
    if (!keys.partition)
        fprintf(out, "partition: %s\n", options_partition_name(changes->split->partition));
    if (changes->add_id) {
        dropped[n_dropped++] = "ids";
        fputs("ids: " SIMULATE_ID "\n", out);
    }
    if (changes->master != UINT32_MAX) {
        dropped[n_dropped++] = "master";
        fprintf(out, "master: %s\n", changes->parties[changes->master].name);
    }
    if (changes->pkg != NULL) {
        dropped[n_dropped++] = "pkg";
        fputs("pkg: ", out);
        yaml_text_put(out, changes->pkg);
        fputc('\n', out);
    }
    fputs("parties:\n", out);
    for (uint32_t i = 0; i < changes->n_parties; i++)
        put_party(out, study, changes, i);
    TRY(take_text(&lines, out, &written, memory, error));
    return simulate_study_variant(text, memory, study, dropped, lines, error);
}
