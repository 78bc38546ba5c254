# one column with the root *, one with another: both are the roots of their columns
printf 'x;*\ny;*\nz;*\n' > a.csv
cp $FIXTURES/roots/b.csv $FIXTURES/roots/study.yaml .
kith anonymize study.yaml -i $FIXTURES/roots/people.csv -o - | grep -c '^\*,Alle Länder'
