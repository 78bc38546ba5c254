# with a study the data is read twice
kith describe - $FIXTURES/study/roles.yaml --exposure --no-progress < $FIXTURES/study/roles.csv
