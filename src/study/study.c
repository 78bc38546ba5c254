/* Studies from files and texts: parse, read the schema, load what it names, digest. */
#include "study/study.h"

#include <ctype.h>
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/findings.h"
#include "core/options.h"
#include "protocol/supports.h"
#include "study/study_digest.h"
#include "study/schema/schema.h"
#include "study/edit/study_path.h"

/* Opening a pipe or a device could block for ever, and a study that is being checked may come from
 * another party. */
static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* A study that names a file which is not there is wrong; not so if this machine cannot read it. */
static bool is_there(const char *path)
{
    return access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* Loads the hierarchy file that a column names, or takes a copy of the hierarchy that a program has
 * made. A study with a wrong file is wrong, and the digest covers the contents of the file, not its
 * path. */
static kith_status load_hierarchy(study_draft *d, study_column *c, const kith_hierarchy **loaded,
                                  kith_error *error)
{
    /* Problems inside the file become findings of their own; a file that cannot be opened is an
     * error without a finding, which is added below with the line of the column. */
    kith_error why = {.status = KITH_OK};
    kith_hierarchy *made = NULL;
    size_t before = kith_findings_n_problems(d->walk->findings);
    if (c->hierarchy.made == NULL && is_special(c->hierarchy.path)) {
        findings_add(d->walk->findings, KITH_SEVERITY_PROBLEM, d->walk->file, c->line, 0,
                     "column %s: hierarchy: %s is not a file", c->name, c->hierarchy.path);
        return KITH_OK;
    }
    kith_status status = hierarchy_make(&made, d->walk->memory, &c->hierarchy, &c->domain, NULL,
                                        false, d->walk->findings, &why);
    if (status == KITH_NOMEM)
        return error_nomem(error);
    if (status == KITH_IO && c->hierarchy.made == NULL && is_there(c->hierarchy.path))
        return error_at(error, KITH_IO, d->walk->file, c->line, 0, "column %s: hierarchy: %s",
                        c->name, why.message);
    if (status != KITH_OK && kith_findings_n_problems(d->walk->findings) == before)
        findings_add(d->walk->findings, KITH_SEVERITY_PROBLEM, d->walk->file, c->line, 0,
                     "column %s: hierarchy: %s", c->name, why.message);
    *loaded = c->loaded = made;
    if (c->hierarchy.made != NULL)
        c->hierarchy.made = made;
    return KITH_OK;
}

/* Identifying columns are not read at all, except for those that are released as pseudonyms, and
 * for those that tell persons apart, which are never released: in models that count people, and in
 * earlier releases. */
static bool tells_persons(const kith_study *study, const study_column *c)
{
    for (uint32_t i = 0; i < study->n_models; i++)
        if (study->models[i].person != NULL && strcmp(study->models[i].person, c->name) == 0)
            return true;
    return false;
}

#if KITH_DEBUG
void study_check(const kith_study *study)
{
    uint32_t n_quasi = 0, n_sensitive = 0;
    for (uint32_t i = 0; i < study->n_columns; i++) {
        n_quasi += study->columns[i].role == ROLE_QUASI_IDENTIFYING;
        n_sensitive += study->columns[i].role == ROLE_SENSITIVE;
        for (uint32_t k = 0; k < i; k++)
            ASSERT(strcmp(study->columns[k].name, study->columns[i].name) != 0);
    }
    ASSERT(n_quasi > 0 && study->n_models > 0);
    for (uint32_t i = 0; i < study->n_models; i++)
        ASSERT(study->models[i].attribute == NULL || study->models[i].sensitive < n_sensitive);
    const algorithm *search = search_find(study->algorithm);
    ASSERT(search != NULL && search_minimizes(search, study->measure));
    for (uint32_t i = 0; i < study->n_parties; i++) {
        const study_party *p = &study->parties[i];
        ASSERT(p->name != NULL && p->address != NULL && p->key != NULL);
        for (uint32_t k = 0; k < p->n_columns; k++)
            ASSERT(p->columns[k] < study->n_columns &&
                   (k == 0 || p->columns[k - 1] < p->columns[k]));
    }
}
#endif

static kith_status read_text(kith_study *study, const study_source *from, kith_findings *findings,
                             kith_error *error)
{
    size_t before = kith_findings_n_problems(findings), first = kith_findings_n_listed(findings);
    study_draft d = {.directory = study->directory, .from = from, .study = study};
    const yaml_node_t *root;
    const kith_hierarchy **loaded = NULL;
    TRY(yaml_walk_parse(&d.walk, &root, study->memory, study->path, from->text, from->length,
                        findings, error));
    d.walk->may_read = from->may_read;
    d.walk->user = from->user;
    if (root != NULL) {
        schema_study(&d, root);
        /* Only files are loaded: builders need the data. loaded[i] stays NULL after a problem and
         * for columns without a file. */
        loaded = TRY_ZEROS(loaded, study->memory, study->n_columns, error);
        for (uint32_t i = 0; i < study->n_columns; i++)
            if (d.columns[i].hierarchy.path != NULL || d.columns[i].hierarchy.made != NULL)
                TRY(load_hierarchy(&d, &d.columns[i], &loaded[i], error));
    }
    if (d.walk->nomem)
        return error_nomem(error);
    study_path_tell(findings, first, study->path, study->text);
    TRY(findings_status(findings, before, KITH_INVALID, error));
    /* The columns that are read from a source, in study order. */
    study->read = TRY_ZEROS(study->read, study->memory, study->n_columns, error);
    for (uint32_t i = 0; i < study->n_columns; i++) {
        const study_column *c = &study->columns[i];
        if (c->role != ROLE_IDENTIFYING || tells_persons(study, c) || study_in_unit(study, i) ||
            c->recoding.key_file != NULL)
            study->read[study->n_read++] =
                (kith_column_spec){.name = c->name, .type = c->type, .date_format = c->date_format};
    }
    CHECK(study_check(study));
    return study_digest(study, loaded, error);
}

/* The study lives in an arena of its own, which is freed again if anything is wrong. */
kith_status study_make(kith_study **study, const study_source *from, kith_findings *findings,
                       kith_error *error)
{
    *study = NULL;
    arena *memory = arena_new();
    kith_study *made = memory == NULL ? NULL : arena_zalloc(memory, 1, sizeof *made);
    kith_findings *own = findings == NULL ? kith_findings_new() : NULL;
    kith_status status = KITH_NOMEM;
    if (made != NULL && (findings != NULL || own != NULL)) {
        made->memory = memory;
        made->path = arena_strdup(memory, from->path);
        made->text = arena_strndup(memory, from->text, from->length);
        made->directory = arena_strdup(memory, from->directory != NULL ? from->directory : ".");
        if (made->path != NULL && made->text != NULL && made->directory != NULL)
            status = read_text(made, from, findings != NULL ? findings : own, error);
    }
    kith_findings_free(own);
    if (status == KITH_OK) {
        *study = made;
        return KITH_OK;
    }
    arena_free(memory);
    return status == KITH_NOMEM ? error_nomem(error) : status;
}

kith_status kith_study_parse(kith_study **study, const char *text, size_t length,
                             const char *directory, kith_findings *findings, kith_error *error)
{
    const study_source from = {
        .path = STUDY_IN_MEMORY, .text = text, .length = length, .directory = directory};
    return study_make(study, &from, findings, error);
}

kith_status kith_study_parse_guarded(kith_study **study, const char *text, size_t length,
                                     const char *directory, kith_may_read_fn may_read, void *user,
                                     kith_findings *findings, kith_error *error)
{
    const study_source from = {.path = STUDY_IN_MEMORY,
                               .text = text,
                               .length = length,
                               .directory = directory,
                               .may_read = may_read,
                               .user = user};
    return study_make(study, &from, findings, error);
}

kith_status study_read_file(char **text, size_t *length, const char *path, kith_error *error)
{
    size_t size = (size_t)YAML_WALK_BYTES + 1;
    const bool standard = strcmp(path, "-") == 0;
    FILE *in = standard ? stdin : fopen(path, "rb");
    if (in == NULL)
        return error_errno(error, errno, "open", path);
    *text = malloc(size);
    if (*text != NULL)
        *length = fread(*text, 1, size, in);
    int failed = ferror(in) ? errno : 0;
    if (!standard)
        fclose(in);
    if (*text == NULL)
        return error_nomem(error);
    if (failed == 0)
        return KITH_OK;
    free(*text);
    return error_errno(error, failed, "read", path);
}

kith_status kith_study_read(kith_study **study, const char *path, kith_findings *findings,
                            kith_error *error)
{
    *study = NULL;
    char *text = NULL;
    size_t length = 0;
    TRY(study_read_file(&text, &length, path, error));
    const char *slash = strrchr(path, '/');
    size_t depth = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    char *directory = slash == NULL ? strdup(".") : strndup(path, depth);
    const study_source from = {.path = strcmp(path, "-") == 0 ? "standard input" : path,
                               .text = text,
                               .length = length,
                               .directory = directory};
    kith_status status =
        directory == NULL ? error_nomem(error) : study_make(study, &from, findings, error);
    free(directory);
    free(text);
    return status;
}

kith_status study_parse_as(kith_study **study, const char *path, const char *text,
                           const char *directory, kith_findings *findings, kith_error *error)
{
    const study_source from = {
        .path = path, .text = text, .length = strlen(text), .directory = directory};
    return study_make(study, &from, findings, error);
}

const char *study_made_column(const kith_study *study)
{
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].hierarchy.made != NULL)
            return study->columns[i].name;
    return NULL;
}

kith_status study_made_hierarchies(kith_column_hierarchy **list, size_t *count,
                                   const kith_study *study, arena *memory, kith_error *error)
{
    *count = 0;
    *list = TRY_ARRAY(*list, memory, study->n_columns, error);
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].hierarchy.made != NULL)
            (*list)[(*count)++] =
                (kith_column_hierarchy){study->columns[i].name, study->columns[i].hierarchy.made};
    return KITH_OK;
}

kith_status study_parse_like(kith_study **study, const kith_study *base, const char *text,
                             kith_findings *findings, kith_error *error)
{
    *study = NULL;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    kith_column_hierarchy *made = NULL;
    study_source from = {.path = STUDY_IN_MEMORY,
                         .text = text,
                         .length = strlen(text),
                         .directory = base->directory};
    TRY(study_made_hierarchies(&made, &from.n_hierarchies, base, scratch, error));
    from.hierarchies = made;
    return study_make(study, &from, findings, error);
}

const char *study_directory_of(const char *path, arena *memory)
{
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    if (slash == NULL)
        return ".";
    return arena_strndup(memory, path, slash == path ? 1 : (size_t)(slash - path));
}

bool study_is_party_name(const char *text)
{
    enum { NAME_BYTES = 63 };
    if (text[0] == '\0' || strlen(text) > NAME_BYTES || text[0] == '.' || text[0] == '-')
        return false;
    for (; *text != '\0'; text++)
        if (!isalnum((unsigned char)*text) && strchr("-_.", *text) == NULL)
            return false;
    return true;
}

bool study_is_plain(const char *text)
{
    for (const unsigned char *s = (const unsigned char *)text; *s != '\0'; s++) {
        const bool c1 = s[0] == 0xc2 && s[1] >= 0x80 && s[1] <= 0x9f;
        if (*s < 0x20 || *s == 0x7f || c1)
            return false;
    }
    return true;
}

/* Everything lives in the study's arena. */
void kith_study_free(kith_study *study)
{
    if (study != NULL)
        arena_free(study->memory);
}

const char *kith_study_name(const kith_study *study)
{
    return study->name;
}

const char *kith_study_text(const kith_study *study)
{
    return study->text;
}

const char *study_wrong_level(const study_column *c, uint32_t n_levels, char text[STUDY_MESSAGE])
{
    bool low = c->min_level >= n_levels;
    if (!low && (c->max_level == STUDY_ANY_LEVEL || c->max_level < n_levels))
        return NULL;
    snprintf(text, STUDY_MESSAGE,
             "column %.150s has no level %u: the levels of its hierarchy are 0 to %u", c->name,
             low ? c->min_level : c->max_level, n_levels - 1);
    return text;
}

uint32_t study_find_column(const kith_study *study, const char *name)
{
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (strcmp(study->columns[i].name, name) == 0)
            return i;
    return UINT32_MAX;
}

bool study_in_unit(const kith_study *study, uint32_t number)
{
    for (uint32_t i = 0; i < study->n_unit; i++)
        if (study->unit[i] == number)
            return true;
    return false;
}

bool study_may_have_unit(const kith_study *study)
{
    const bool joint = study->joint.partition != PARTITION_NONE || study->n_parties > 0;
    return !joint || supports_units(&study->joint);
}

kith_table_options study_table_options(const kith_study *study)
{
    return (kith_table_options)KITH_OPTIONS(
        kith_table_options, .columns = study->read, .n_columns = study->n_read,
        .missing_values = study->missing_values, .n_missing_values = study->n_missing_values,
        .trim = study->trim);
}

kith_status kith_study_table_options(kith_table_options *options, const kith_study *study,
                                     kith_error *error)
{
    const kith_table_options mine = study_table_options(study);
    return options_give(options, OPTIONS_FIRST_SIZE(kith_table_options, n_missing_values), &mine,
                        sizeof mine, "kith_table_options", error);
}

void kith_study_digest(char digest[65], const kith_study *study)
{
    sodium_bin2hex(digest, 65, study->digest, sizeof study->digest);
}
