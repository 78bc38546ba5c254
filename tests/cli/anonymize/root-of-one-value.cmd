# a hierarchy of one value that is its own root: the rows of the column b are not suppressed for it
printf 'a,b\nx,m\nx,m\nx,m\nx,m\nx,m\ny,m\ny,m\ny,m\ny,m\ny,m\nz,m\n' > d.csv
printf 'm;m\n' > b.csv
cp $FIXTURES/roots/a.csv $FIXTURES/roots/study.yaml .
kith anonymize study.yaml -i d.csv -o r.csv
cat r.csv
kith verify study.yaml r.csv --data d.csv
