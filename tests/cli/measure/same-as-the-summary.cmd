kith anonymize $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv -o r.csv -q --summary s.json
kith measure $FIXTURES/jobs/study.yaml $FIXTURES/jobs/people.csv r.csv -q --summary m.json
for f in s m; do grep -E '"(lm|em|entropy|tree|dm|cm|average_class|objective)"' $f.json > $f.txt; done
cmp s.txt m.txt && echo same
