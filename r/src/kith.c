/* The calls of R/kith.R. Studies and tables are external pointers, freed by the garbage collector;
 * a call that fails returns a list of class kith_failure. */
#include <string.h>

#define KITH_UNSTABLE_API /* kith_describe */
#include <kith/describe.h>
#include <kith/kith.h>

#define R_NO_REMAP
#include <R_ext/Rdynload.h>
#include <R_ext/Utils.h>
#include <Rinternals.h>

typedef void (*free_fn)(void *);

static void finalize(SEXP pointer)
{
    if (R_ExternalPtrAddr(pointer) != NULL)
        ((free_fn)R_ExternalPtrAddrFn(R_ExternalPtrTag(pointer)))(R_ExternalPtrAddr(pointer));
    R_ClearExternalPtr(pointer);
}

/* A protected place for an object that is about to be made, so that nothing is lost if R leaves the
 * call early. */
static SEXP place_for(free_fn free_it)
{
    SEXP tag = PROTECT(R_MakeExternalPtrFn((DL_FUNC)free_it, R_NilValue, R_NilValue));
    SEXP pointer = R_MakeExternalPtr(NULL, tag, R_NilValue);
    UNPROTECT(1);
    PROTECT(pointer);
    R_RegisterCFinalizerEx(pointer, finalize, TRUE);
    return pointer;
}

#define FREES(name, type)                 \
    static void free_##name(void *object) \
    {                                     \
        type##_free((type *)object);      \
    }
FREES(study, kith_study)
FREES(table, kith_table)
FREES(builder, kith_table_builder)
FREES(document, kith_document)
FREES(hierarchy, kith_hierarchy)

static void *object(SEXP pointer)
{
    return Rf_isNull(pointer) ? NULL : R_ExternalPtrAddr(pointer);
}

static SEXP text(const char *utf8)
{
    return Rf_ScalarString(utf8 == NULL ? NA_STRING : Rf_mkCharCE(utf8, CE_UTF8));
}

/* The SEXP that a call returns: `result`, or why there is none. */
static SEXP answer(kith_status status, const kith_error *error, SEXP result)
{
    const char *names[] = {"message", "call", "status", "hint", ""};
    if (status == KITH_OK)
        return result;
    SEXP failure = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(failure, 0, text(error->message));
    SET_VECTOR_ELT(failure, 2, Rf_ScalarInteger((int)status));
    SET_VECTOR_ELT(failure, 3, text(error->hint));
    Rf_setAttrib(failure, R_ClassSymbol, Rf_mkString("kith_failure"));
    UNPROTECT(1);
    return failure;
}

static const char *string_at(SEXP texts, R_xlen_t i)
{
    return STRING_ELT(texts, i) == NA_STRING ? NULL : CHAR(STRING_ELT(texts, i));
}

static void check_interrupt(void *nothing)
{
    (void)nothing;
    R_CheckUserInterrupt();
}

static bool go_on(void *user, const char *phase, double done)
{
    (void)user;
    (void)phase;
    (void)done;
    return R_ToplevelExec(check_interrupt, NULL) == TRUE;
}

/* `given` has the seed, or NA, and the number of threads. */
static kith_run run_of(SEXP given)
{
    const double seed = REAL(given)[0];
    return (kith_run)KITH_OPTIONS(kith_run, .n_threads = (unsigned)REAL(given)[1],
                                  .seeded = !ISNAN(seed), .seed = ISNAN(seed) ? 0 : (uint64_t)seed,
                                  .progress = go_on);
}

/* From the path of a file or from a text, whichever is not NULL. */
static SEXP study_new(SEXP path, SEXP yaml)
{
    kith_error error;
    kith_study *study = NULL;
    SEXP place = place_for(free_study);
    const char *given = string_at(Rf_isNull(path) ? yaml : path, 0);
    kith_status status = Rf_isNull(path)
                             ? kith_study_parse(&study, given, strlen(given), ".", NULL, &error)
                             : kith_study_read(&study, given, NULL, &error);
    R_SetExternalPtrAddr(place, study);
    UNPROTECT(1);
    return answer(status, &error, place);
}

/* The same study with a hierarchy for one column: labels from the leaf to the root, leaf by leaf.
 */
static SEXP study_with(SEXP study, SEXP column, SEXP labels, SEXP shape)
{
    kith_error error;
    kith_study *changed = NULL;
    kith_hierarchy *hierarchy = NULL;
    const char **all = (const char **)R_alloc((size_t)Rf_xlength(labels) + 1, sizeof *all);
    for (R_xlen_t i = 0; i < Rf_xlength(labels); i++)
        all[i] = string_at(labels, i);
    SEXP place = place_for(free_study);
    kith_status status = kith_hierarchy_from_labels(&hierarchy, all, (size_t)INTEGER(shape)[0],
                                                    (size_t)INTEGER(shape)[1], NULL, &error);
    const kith_column_hierarchy one = {string_at(column, 0), hierarchy};
    const kith_change_options options =
        KITH_OPTIONS(kith_change_options, .hierarchies = &one, .n_hierarchies = 1);
    if (status == KITH_OK)
        status = kith_study_change(&changed, object(study), &options, NULL, &error);
    kith_hierarchy_free(hierarchy);
    R_SetExternalPtrAddr(place, changed);
    UNPROTECT(1);
    return answer(status, &error, place);
}

/* The names of a study's columns, the numbers of their types, and their formats. */
static SEXP study_columns(SEXP study)
{
    const char *names[] = {"names", "types", "formats", ""};
    kith_error error;
    kith_table_options o = KITH_INIT(kith_table_options);
    kith_status status = kith_study_table_options(&o, object(study), &error);
    SEXP made = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(made, 0, Rf_allocVector(STRSXP, (R_xlen_t)o.n_columns));
    SET_VECTOR_ELT(made, 1, Rf_allocVector(INTSXP, (R_xlen_t)o.n_columns));
    SET_VECTOR_ELT(made, 2, Rf_allocVector(STRSXP, (R_xlen_t)o.n_columns));
    for (R_xlen_t i = 0; i < (R_xlen_t)o.n_columns; i++) {
        SET_STRING_ELT(VECTOR_ELT(made, 0), i, STRING_ELT(text(o.columns[i].name), 0));
        INTEGER(VECTOR_ELT(made, 1))[i] = (int)o.columns[i].type;
        SET_STRING_ELT(VECTOR_ELT(made, 2), i, STRING_ELT(text(o.columns[i].date_format), 0));
    }
    UNPROTECT(1);
    return answer(status, &error, made);
}

/* Codes count from 1 in R, and NA is the smallest integer. */
static kith_status add_column(kith_table_builder *builder, size_t which, SEXP codes, SEXP values,
                              kith_error *error)
{
    const size_t n_rows = (size_t)Rf_xlength(codes), n_values = (size_t)Rf_xlength(values);
    const void *before = vmaxget();
    uint32_t *from_0 = (uint32_t *)R_alloc(n_rows + 1, sizeof *from_0);
    const char **texts = (const char **)R_alloc(n_values + 1, sizeof *texts);
    for (size_t i = 0; i < n_rows; i++)
        from_0[i] =
            INTEGER(codes)[i] == NA_INTEGER ? KITH_CODE_MISSING : (uint32_t)INTEGER(codes)[i] - 1;
    for (size_t i = 0; i < n_values; i++)
        texts[i] = string_at(values, (R_xlen_t)i);
    kith_status status =
        kith_table_builder_add_codes(builder, which, from_0, n_rows, texts, NULL, n_values, error);
    vmaxset(before);
    return status;
}

/* `columns` are lists of codes and values. With a study its missing values and blanks count. */
static SEXP table_new(SEXP study, SEXP names, SEXP types, SEXP formats, SEXP columns)
{
    kith_error error;
    const size_t count = (size_t)Rf_xlength(columns);
    kith_table_options options = KITH_INIT(kith_table_options);
    kith_column_spec *specs = (kith_column_spec *)R_alloc(count + 1, sizeof *specs);
    kith_table_builder *builder = NULL;
    kith_table *table = NULL;
    SEXP builder_place = place_for(free_builder), place = place_for(free_table);
    kith_status status =
        Rf_isNull(study) ? KITH_OK : kith_study_table_options(&options, object(study), &error);
    for (size_t i = 0; i < count; i++)
        specs[i] = (kith_column_spec){string_at(names, (R_xlen_t)i), (kith_type)INTEGER(types)[i],
                                      string_at(formats, (R_xlen_t)i)};
    options.columns = specs;
    options.n_columns = count;
    if (status == KITH_OK)
        status = kith_table_builder_new(&builder, &options, &error);
    R_SetExternalPtrAddr(builder_place, builder);
    for (size_t i = 0; i < count && status == KITH_OK; i++) {
        SEXP column = VECTOR_ELT(columns, (R_xlen_t)i);
        status = add_column(builder, i, VECTOR_ELT(column, 0), VECTOR_ELT(column, 1), &error);
    }
    if (status == KITH_OK)
        status = kith_table_builder_finish(&table, builder, &error);
    R_SetExternalPtrAddr(place, table);
    finalize(builder_place);
    UNPROTECT(2);
    return answer(status, &error, place);
}

/* The names of a table's columns, and their codes and values. */
static SEXP table_columns(SEXP pointer)
{
    const kith_table *table = object(pointer);
    const size_t n_columns = kith_table_n_columns(table), n_rows = kith_table_n_rows(table);
    SEXP columns = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)n_columns));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)n_columns));
    for (size_t i = 0; i < n_columns; i++) {
        SEXP one = Rf_allocVector(VECSXP, 2);
        SET_VECTOR_ELT(columns, (R_xlen_t)i, one);
        SET_STRING_ELT(names, (R_xlen_t)i, STRING_ELT(text(kith_table_column_name(table, i)), 0));
        SET_VECTOR_ELT(one, 0, Rf_allocVector(INTSXP, (R_xlen_t)n_rows));
        const uint32_t *codes = kith_table_codes(table, i);
        int *from_1 = INTEGER(VECTOR_ELT(one, 0));
        for (size_t row = 0; row < n_rows; row++)
            from_1[row] = codes[row] == KITH_CODE_MISSING ? NA_INTEGER : (int)(codes[row] + 1);
        const size_t n_values = kith_table_n_values(table, i);
        SET_VECTOR_ELT(one, 1, Rf_allocVector(STRSXP, (R_xlen_t)n_values));
        for (size_t k = 0; k < n_values; k++)
            SET_STRING_ELT(VECTOR_ELT(one, 1), (R_xlen_t)k,
                           STRING_ELT(text(kith_table_value(table, i, k)), 0));
    }
    Rf_setAttrib(columns, R_NamesSymbol, names);
    UNPROTECT(2);
    return columns;
}

/* A document as JSON. */
static SEXP json(SEXP pointer)
{
    char *printed = kith_document_json(object(pointer), false);
    if (printed == NULL)
        return text(NULL);
    const char *copy = strcpy(R_alloc(strlen(printed) + 1, 1), printed);
    kith_free(printed);
    return text(copy);
}

/* `verb` chooses what is done with a study and one or two tables. The document; of a release, a
 * list of table and document. */
static SEXP work(SEXP verb, SEXP study, SEXP data, SEXP release, SEXP mapping, SEXP run)
{
    kith_error error;
    kith_status status;
    kith_document *said = NULL;
    kith_table *made = NULL;
    const kith_run how = run_of(run);
    const char which = CHAR(STRING_ELT(verb, 0))[0];
    SEXP place = place_for(free_document), table_place = place_for(free_table);
    if (which == 'a')
        status = kith_anonymize(&said, object(study),
                                &(kith_anonymize_options)KITH_OPTIONS(
                                    kith_anonymize_options, .input = KITH_INPUT_TABLE(object(data)),
                                    .output_table = &made, .keep_order = REAL(run)[2] != 0,
                                    .mapping = Rf_isNull(mapping) ? NULL : string_at(mapping, 0)),
                                &how, &error);
    else if (which == 'v')
        status = kith_verify(&said, object(study),
                             &(kith_verify_options)KITH_OPTIONS(
                                 kith_verify_options, .release = KITH_INPUT_TABLE(object(release)),
                                 .data = KITH_INPUT_TABLE(object(data)),
                                 .mapping = KITH_INPUT_TABLE(object(mapping))),
                             &how, &error);
    else if (which == 'm')
        status =
            kith_measure(&said, object(study),
                         &(kith_measure_options)KITH_OPTIONS(
                             kith_measure_options, .release = KITH_INPUT_TABLE(object(release)),
                             .data = KITH_INPUT_TABLE(object(data)),
                             .mapping = KITH_INPUT_TABLE(object(mapping))),
                         &how, &error);
    else
        status = kith_describe(&said,
                               &(kith_describe_options)KITH_OPTIONS(
                                   kith_describe_options, .data = KITH_INPUT_TABLE(object(data)),
                                   .study = object(study)),
                               &how, &error);
    R_SetExternalPtrAddr(place, said);
    R_SetExternalPtrAddr(table_place, made);
    SEXP result = PROTECT(Rf_allocVector(VECSXP, 2));
    SET_VECTOR_ELT(result, 0, status == KITH_OK ? json(place) : R_NilValue);
    SET_VECTOR_ELT(result, 1, table_place);
    UNPROTECT(3);
    return answer(status, &error, result);
}

/* A row of labels for each leaf, from the leaf to the root. */
static SEXP hierarchy_build(SEXP data, SEXP builder)
{
    kith_error error;
    kith_hierarchy *h = NULL;
    SEXP place = place_for(free_hierarchy), labels = R_NilValue;
    kith_status status =
        kith_hierarchy_build(&h, string_at(builder, 0), object(data), 0, NULL, &error);
    R_SetExternalPtrAddr(place, h);
    const size_t n_leaves = h == NULL ? 0 : kith_hierarchy_n_leaves(h);
    const size_t n_levels = h == NULL ? 0 : kith_hierarchy_n_levels(h);
    labels = PROTECT(Rf_allocMatrix(STRSXP, (int)n_leaves, (int)n_levels));
    for (size_t leaf = 0; leaf < n_leaves; leaf++)
        for (size_t level = 0, node = leaf; level < n_levels; level++) {
            SET_STRING_ELT(labels, (R_xlen_t)(level * n_leaves + leaf),
                           STRING_ELT(text(kith_hierarchy_node_label(h, node)), 0));
            node = kith_hierarchy_node_parent(h, node);
        }
    UNPROTECT(2);
    return answer(status, &error, labels);
}

void R_init_kith(DllInfo *library);
void R_init_kith(DllInfo *library)
{
    static const R_CallMethodDef calls[] = {{"c_study", (DL_FUNC)study_new, 2},
                                            {"c_study_with", (DL_FUNC)study_with, 4},
                                            {"c_study_columns", (DL_FUNC)study_columns, 1},
                                            {"c_table", (DL_FUNC)table_new, 5},
                                            {"c_table_columns", (DL_FUNC)table_columns, 1},
                                            {"c_work", (DL_FUNC)work, 6},
                                            {"c_hierarchy", (DL_FUNC)hierarchy_build, 2},
                                            {NULL, NULL, 0}};
    R_registerRoutines(library, NULL, calls, NULL, NULL);
    R_useDynamicSymbols(library, FALSE);
    R_forceSymbols(library, TRUE);
}
