printf 'admitted,left\n2024-01-01,2024-02-01\n2024-01-05,2024-02-07\n' >d.csv
COLUMNS=50 kith describe d.csv
