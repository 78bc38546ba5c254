# every value of every column is its own root: the rows are a class, none of them is suppressed
printf 'a,b\nx,m\nx,m\nx,m\nx,m\nx,m\nx,m\n' > d.csv
printf 'x;x\n' > a.csv
printf 'm;m\n' > b.csv
cp $FIXTURES/roots/study.yaml .
kith anonymize study.yaml -i d.csv -o r.csv
kith verify study.yaml r.csv --data d.csv
