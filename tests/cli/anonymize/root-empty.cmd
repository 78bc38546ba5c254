# an empty label means a missing value in a release, so that no root can have it
printf 'x;\ny;\nz;\n' > a.csv
cp $FIXTURES/roots/b.csv $FIXTURES/roots/study.yaml .
trap 'ls -A' EXIT
kith anonymize study.yaml -i $FIXTURES/roots/people.csv -o r.csv
