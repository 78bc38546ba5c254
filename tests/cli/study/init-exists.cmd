echo mine > people.yaml
trap 'cat people.yaml' EXIT
kith study init $FIXTURES/study/init/people.csv -o people.yaml
