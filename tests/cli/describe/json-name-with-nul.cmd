printf '{"a\\u0000b": 1, "c": 2}\n' >d.ndjson
kith describe d.ndjson
