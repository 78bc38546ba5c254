# the rows of Ada and Dee, who both have flu, show each other's class: without a mapping they only change places
printf 'age,zip,disease\n40-49,9040*,flu\n20-29,8166*,cold\n20-29,8166*,gout\n20-29,8166*,flu\n40-49,9040*,cold\n40-49,9040*,asthma\n60-69,1011*,flu\n60-69,1011*,cold\n60-69,1011*,gout\n' >r.csv
awk 'BEGIN { print "confidential_row,release_row"; for (i = 1; i <= 9; i++) print i "," i }' >m.csv
kith verify $FIXTURES/jobs/study.yaml r.csv --data $FIXTURES/jobs/people.csv | sed -n '/cover/,$p'
kith verify $FIXTURES/jobs/study.yaml r.csv --data $FIXTURES/jobs/people.csv --mapping m.csv
