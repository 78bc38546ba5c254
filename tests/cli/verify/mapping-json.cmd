# row 1 of the release is said to be Gus's, and row 3 Ida's; a mapping may name records in any order
printf 'age_released;release_row;confidential_row\nx;1;7\nx;2;8\nx;3;9\nx;4;6\nx;5;5\nx;6;4\nx;7;3\nx;8;2\nx;9;1\n' >m.csv
kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/shuffled.csv --data $FIXTURES/jobs/people.csv --mapping m.csv --json
