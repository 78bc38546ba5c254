sed /restarts/d $FIXTURES/jobs/study.yaml >study.yaml
kith try study.yaml -i $FIXTURES/jobs/people.csv --set algorithm=weave,mondrian --save 2=m.yaml --seed 1 | tr -s " "
kith anonymize m.yaml -i $FIXTURES/jobs/people.csv -o r.csv --seed 1 | sed "/^time/d"
