cp $FIXTURES/jobs/* .
kith try study.yaml -i people.csv --set k=3,99 --seed 1 --csv t.csv -q
sed 's/,[0-9.e-]*,yes,/,TIME,yes,/' t.csv
