#include "table/file_kind.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"

typedef struct file_kind {
    const char *bytes; /* with which a file of this kind begins */
    size_t length;
    bool binary;      /* the bytes are letters: a control character must follow */
    const char *what; /* "an Excel file" */
    const char *hint; /* a %s is the file's name */
} file_kind;

#define BYTES(text) text, sizeof(text) - 1

static const char as_csv[] = "convert it to CSV first; pandas, DuckDB and R can";
static const char save_csv[] = "save it as CSV (UTF-8), and read that";
static const char unpack[] =
    "unpack it first; of compressed files only gzip and zstd are read as they are";

static const file_kind kinds[] = {
    {BYTES("SQLite format 3\0"), false, "an SQLite database",
     "name a table of it: sqlite:%s?table=NAME"},
    {BYTES("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), false, "an Excel file (or another one of Office)",
     save_csv},
    {BYTES("PAR1"), true, "a Parquet file", "Parquet is told by the name: call it NAME.parquet"},
    {BYTES("ARROW1"), true, "an Arrow file", as_csv},
    {BYTES("FEA1"), true, "a Feather file", as_csv},
    {BYTES("\x89HDF\r\n\x1a\n"), false, "an HDF5 file", as_csv},
    {BYTES("$FL2@(#)"), false, "an SPSS file", as_csv},
    {BYTES("<stata_dta>"), false, "a Stata file", as_csv},
    {BYTES("RDX2\n"), false, "an R data file", as_csv},
    {BYTES("RDX3\n"), false, "an R data file", as_csv},
    {BYTES("BZh91AY&SY"), false, "a bzip2 file", unpack},
    {BYTES("\xfd"
           "7zXZ\0"),
     false, "an xz file", unpack},
    {BYTES("7z\xbc\xaf\x27\x1c"), false, "a 7z archive", unpack},
    {BYTES("%PDF-"), false, "a PDF file", "a table is read from CSV or a database"},
    {BYTES("<!DOCTYPE html"), false, "an HTML page",
     "is it what a failed download left, or a spreadsheet saved as a web page?"},
    {BYTES("<html"), false, "an HTML page",
     "is it what a failed download left, or a spreadsheet saved as a web page?"},
};

static kith_status add_hint(const char *hint, const char *name, kith_status status,
                            kith_error *error)
{
    const char *place = strstr(hint, "%s");
    if (place == NULL)
        return error_hint(error, status, "%s", hint);
    return error_hint(error, status, "%.*s%s%s", (int)(place - hint), hint, name, place + 2);
}

static kith_status file_kind_refuse_feature(const char *name, const char *what, const char *hint,
                                            kith_error *error)
{
    error_set(error, KITH_DATA, "%s is %s, not CSV text", name, what);
    return add_hint(hint, name, KITH_DATA, error);
}

/* A control character that no text has. */
static bool binary_at(const char *head, size_t length, size_t at)
{
    return at < length && (unsigned char)head[at] < 0x20 && head[at] != '\t' && head[at] != '\r' &&
           head[at] != '\n';
}

kith_status file_kind_refuse(const char *head, size_t length, const char *name, kith_error *error)
{
    if (length >= 4 && memcmp(head, "PK\x03\x04", 4) == 0) {
        /* Spreadsheets are zip archives with certain files in them, one of which usually comes
         * first. */
        if (memmem(head, length, "opendocument.spreadsheet", 24) != NULL)
            return file_kind_refuse_feature(name, "an OpenDocument spreadsheet", save_csv, error);
        if (memmem(head, length, "[Content_Types].xml", 19) != NULL ||
            memmem(head, length, "xl/", 3) != NULL)
            return file_kind_refuse_feature(name, "an Excel file", save_csv, error);
        return file_kind_refuse_feature(name, "a zip archive", unpack, error);
    }
    if (length >= 262 && memcmp(head + 257, "ustar", 5) == 0)
        return file_kind_refuse_feature(name, "a tar archive", unpack, error);
    if (length >= 12 && memcmp(head + 8, "DUCK", 4) == 0 && binary_at(head, length, 13))
        return file_kind_refuse_feature(name, "a DuckDB database",
                                        "name a table of it: duckdb:%s?table=NAME", error);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const file_kind *k = &kinds[i];
        if (length >= k->length && memcmp(head, k->bytes, k->length) == 0 &&
            (!k->binary || binary_at(head, length, k->length)))
            return file_kind_refuse_feature(name, k->what, k->hint, error);
    }
    return KITH_OK;
}

/* What a name promises that CSV is not. */
typedef struct false_ending {
    const char *ending, *what, *hint; /* a %s is the file's name */
} false_ending;

static const char call_csv[] = "call it NAME.csv; spreadsheets open that";
static const char call_parquet[] = "call it NAME.csv or NAME.parquet";
static const char packed[] = "a release is compressed as NAME.csv.gz or NAME.csv.zst";
static const char sqlite_table[] = "name a table of it: sqlite:%s?table=NAME";

static const false_ending endings[] = {
    {"xlsx", "an Excel file", call_csv},
    {"xls", "an Excel file", call_csv},
    {"ods", "an OpenDocument spreadsheet", call_csv},
    {"sqlite", "an SQLite database", sqlite_table},
    {"sqlite3", "an SQLite database", sqlite_table},
    {"db", "an SQLite database", sqlite_table},
    {"duckdb", "a DuckDB database", "name a table of it: duckdb:%s?table=NAME"},
    {"arrow", "an Arrow file", call_parquet},
    {"feather", "a Feather file", call_parquet},
    {"sav", "an SPSS file", call_csv},
    {"dta", "a Stata file", call_csv},
    {"sas7bdat", "a SAS file", call_csv},
    {"rds", "an R data file", call_csv},
    {"zip", "a zip archive", packed},
    {"bz2", "a bzip2 file", packed},
    {"xz", "an xz file", packed},
};

kith_status file_kind_refuse_ending(const char *path, kith_error *error)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot + 1, endings[i].ending) == 0) {
            error_set(error, KITH_INVALID, "%s would be CSV text, not %s", path, endings[i].what);
            return add_hint(endings[i].hint, path, KITH_INVALID, error);
        }
    return KITH_OK;
}
