sed "/restarts/d; /algorithm/d; /l-diversity/d; s/k: 3/k: 2/" $FIXTURES/jobs/study.yaml >s.yaml
cat >>s.yaml <<END
levels: {age: 1, disease: 1, zpi: 2, age: 3, zip: low}
algorithm: weave
END
kith study check s.yaml
