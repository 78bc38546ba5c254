# records 4, 5, 6 and 10 lack a value and are dropped
printf 'age,zip,disease\n60-69,1011*,gout\n60-69,1011*,cold\n60-69,1011*,flu\n20-29,8166*,gout\n20-29,8166*,cold\n20-29,8166*,flu\n' >r.csv
printf 'confidential_row,release_row\n1,6\n2,5\n3,4\n4,\n5,\n6,\n7,3\n8,2\n9,1\n10,\n' >m.csv
kith verify $FIXTURES/jobs/drop.yaml r.csv --data $FIXTURES/jobs/gaps.csv --mapping m.csv
