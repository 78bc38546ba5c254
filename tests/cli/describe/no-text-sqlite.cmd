printf 'SQLite format 3\0\20\0' >clinic.db
kith describe clinic.db
