# the data is read once, and seen with and without the types of the study
kith describe - $FIXTURES/study/roles.yaml --exposure --seed 1 --no-progress < $FIXTURES/study/roles.csv
