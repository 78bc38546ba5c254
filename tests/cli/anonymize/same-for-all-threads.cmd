for t in 1 2 3; do
  kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o r$t.csv --seed 7 --threads $t --quiet
done
cmp r1.csv r2.csv
cmp r2.csv r3.csv
