/* From bytes to a document of bounded size without aliases: the entrance of yaml_walk. */
#include "study/yaml/yaml_walk.h"

#include "core/error.h"
#include "core/findings.h"
#include "core/text.h"

static void delete_document(void *document)
{
    yaml_document_delete(document);
}

/* libyaml splits its message into a context ("while parsing a block mapping") and a problem. Where
 * memory is lacking it has no problem, and not always the error for that. */
static void note_problem(yaml_walk *walk, const yaml_parser_t *parser)
{
    walk->nomem = parser->error == YAML_MEMORY_ERROR || parser->problem == NULL;
    if (walk->nomem)
        return;
    if (parser->context != NULL)
        findings_add(walk->findings, KITH_SEVERITY_PROBLEM, walk->file,
                     parser->problem_mark.line + 1, parser->problem_mark.column + 1,
                     "not YAML: %s %s", parser->context, parser->problem);
    else
        findings_add(walk->findings, KITH_SEVERITY_PROBLEM, walk->file,
                     parser->problem_mark.line + 1, parser->problem_mark.column + 1, "not YAML: %s",
                     parser->problem);
}

/* The message for a token that is refused, NULL if the token is allowed; updates the depth of
 * nesting. */
static const char *refuse_token(const yaml_token_t *token, int *depth)
{
    switch (token->type) {
    case YAML_ANCHOR_TOKEN: return "anchors (&) are not supported";
    case YAML_ALIAS_TOKEN: return "aliases (*) are not supported: quote a text that begins with *";
    case YAML_TAG_TOKEN: return "tags (!) are not supported";
    case YAML_TAG_DIRECTIVE_TOKEN:
    case YAML_VERSION_DIRECTIVE_TOKEN: return "directives (%) are not supported";
    case YAML_BLOCK_SEQUENCE_START_TOKEN:
    case YAML_BLOCK_MAPPING_START_TOKEN:
    case YAML_FLOW_SEQUENCE_START_TOKEN:
    case YAML_FLOW_MAPPING_START_TOKEN:
        return ++*depth > YAML_WALK_DEPTH ? "this is nested too deep" : NULL;
    case YAML_BLOCK_END_TOKEN:
    case YAML_FLOW_SEQUENCE_END_TOKEN:
    case YAML_FLOW_MAPPING_END_TOKEN: --*depth; return NULL;
    default: return NULL;
    }
}

/* Looks at the tokens before anything is built of them: libyaml takes quadratic time for deep
 * nesting and for many anchors or directives. False after a problem. */
static bool scan(yaml_walk *walk, yaml_parser_t *parser)
{
    int depth = 0;
    for (bool end = false; !end;) {
        yaml_token_t token;
        if (!yaml_parser_scan(parser, &token)) {
            note_problem(walk, parser);
            return false;
        }
        const char *refused = refuse_token(&token, &depth);
        if (refused != NULL)
            findings_add(walk->findings, KITH_SEVERITY_PROBLEM, walk->file,
                         token.start_mark.line + 1, token.start_mark.column + 1, "%s", refused);
        end = token.type == YAML_STREAM_END_TOKEN;
        yaml_token_delete(&token);
        if (refused != NULL)
            return false;
    }
    return true;
}

/* A second document is most likely a second study that was appended; reading only the first would
 * hide it. */
static void refuse_second(yaml_walk *walk, yaml_parser_t *parser, bool *refused)
{
    yaml_document_t next;
    if (!yaml_parser_load(parser, &next)) {
        note_problem(walk, parser);
        *refused = true;
        return;
    }
    const yaml_node_t *root = yaml_document_get_root_node(&next);
    if (root != NULL) {
        yaml_walk_problem(walk, root, "a second document begins here; only one is allowed");
        *refused = true;
    }
    yaml_document_delete(&next);
}

/* A text that is not YAML is a finding, not an error: *root stays NULL. */
static kith_status load_document(yaml_walk *walk, const yaml_node_t **root, yaml_parser_t *parser,
                                 kith_error *error)
{
    if (!yaml_parser_load(parser, &walk->document)) {
        note_problem(walk, parser);
        return walk->nomem ? error_nomem(error) : KITH_OK;
    }
    TRY_ALLOC(arena_defer(walk->memory, delete_document, &walk->document), error);
    const yaml_node_t *top = yaml_document_get_root_node(&walk->document);
    if (top == NULL) {
        findings_add(walk->findings, KITH_SEVERITY_PROBLEM, walk->file, 1, 1, "this is empty");
        return KITH_OK;
    }
    bool refused = false;
    refuse_second(walk, parser, &refused);
    if (walk->nomem)
        return error_nomem(error);
    *root = refused ? NULL : top;
    return KITH_OK;
}

/* The text was checked to be UTF-8; without a fixed encoding libyaml would look for the mark of
 * UTF-16. */
static bool open_parser(yaml_parser_t *parser, const char *text, size_t length)
{
    if (!yaml_parser_initialize(parser))
        return false;
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(parser, (const unsigned char *)text, length);
    return true;
}

kith_status yaml_walk_parse(yaml_walk **made, const yaml_node_t **root, arena *memory,
                            const char *file, const char *text, size_t length,
                            kith_findings *findings, kith_error *error)
{
    *root = NULL;
    yaml_walk *walk = TRY_ALLOC(*made = arena_zalloc(memory, 1, sizeof *walk), error);
    walk->memory = memory;
    walk->file = file;
    walk->findings = findings;
    if (length > YAML_WALK_BYTES) {
        findings_add(findings, KITH_SEVERITY_PROBLEM, file, 0, 0,
                     "too large for a study (%d MiB): is it the data?", YAML_WALK_BYTES >> 20);
        return KITH_OK;
    }
    size_t bad = text_utf8_error(text, length);
    if (bad < length) {
        size_t line = 1;
        for (size_t i = 0; i < bad; i++)
            line += text[i] == '\n';
        findings_add(findings, KITH_SEVERITY_PROBLEM, file, line, 0, "not UTF-8");
        return KITH_OK;
    }
    yaml_parser_t parser;
    if (!open_parser(&parser, text, length))
        return error_nomem(error);
    /* Two passes with two parsers: libyaml cannot go back. */
    bool fine = scan(walk, &parser);
    yaml_parser_delete(&parser);
    if (!fine)
        return walk->nomem ? error_nomem(error) : KITH_OK;
    if (!open_parser(&parser, text, length))
        return error_nomem(error);
    kith_status status = load_document(walk, root, &parser, error);
    yaml_parser_delete(&parser);
    return status;
}
