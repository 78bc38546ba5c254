#!/usr/bin/env python3
"""duck.py LIBRARY STATEMENT…: runs SQL in DuckDB itself, without Kith, and prints the rows of the answers,
with | between cells and NULL for missing ones. For tests: a witness of what is in a Parquet file."""
import ctypes
import sys


class Result(ctypes.Structure):
    _fields_ = [("counts", ctypes.c_uint64 * 3), ("inside", ctypes.c_void_p * 3)]


def load(path):
    library = ctypes.CDLL(path)
    result = ctypes.POINTER(Result)
    library.duckdb_result_error.restype = ctypes.c_char_p
    library.duckdb_result_error.argtypes = [result]
    for count in (library.duckdb_column_count, library.duckdb_row_count):
        count.restype = ctypes.c_uint64
        count.argtypes = [result]
    library.duckdb_value_varchar.restype = ctypes.c_void_p
    library.duckdb_value_varchar.argtypes = [result, ctypes.c_uint64, ctypes.c_uint64]
    library.duckdb_free.argtypes = [ctypes.c_void_p]
    return library


def cell(library, result, column, row):
    text = library.duckdb_value_varchar(ctypes.byref(result), column, row)
    if not text:
        return "NULL"
    value = ctypes.string_at(text).decode()
    library.duckdb_free(text)
    return value


def main():
    library = load(sys.argv[1])
    database, connection = ctypes.c_void_p(), ctypes.c_void_p()
    if library.duckdb_open(None, ctypes.byref(database)) or library.duckdb_connect(database, ctypes.byref(connection)):
        sys.exit("duck.py: cannot open DuckDB")
    for statement in sys.argv[2:]:
        result = Result()
        if library.duckdb_query(connection, statement.encode(), ctypes.byref(result)):
            sys.exit("duck.py: " + library.duckdb_result_error(ctypes.byref(result)).decode())
        for row in range(library.duckdb_row_count(ctypes.byref(result))):
            print("|".join(cell(library, result, column, row)
                           for column in range(library.duckdb_column_count(ctypes.byref(result)))))
        library.duckdb_destroy_result(ctypes.byref(result))
    library.duckdb_disconnect(ctypes.byref(connection))
    library.duckdb_close(ctypes.byref(database))


main()
