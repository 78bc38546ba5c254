# record 9 is said to have no row, and record 4, which the study drops, to have one
printf 'age,zip,disease\n60-69,1011*,gout\n60-69,1011*,cold\n60-69,1011*,flu\n20-29,8166*,gout\n20-29,8166*,cold\n20-29,8166*,flu\n' >r.csv
printf 'confidential_row,release_row\n1,6\n2,5\n3,4\n4,1\n5,\n6,\n7,3\n8,2\n9,\n10,\n' >m.csv
kith verify $FIXTURES/jobs/drop.yaml r.csv --data $FIXTURES/jobs/gaps.csv --mapping m.csv
