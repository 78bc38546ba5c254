sed "s/{model: l-.*/{model: p-sensitive, p: 2, k: 4, attribute: disease}/" $FIXTURES/jobs/study.yaml >s.yaml
kith try s.yaml -i d.csv --set k=2,3
