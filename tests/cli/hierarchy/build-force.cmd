touch age.csv
kith hierarchy build intervals:5,10 -i $FIXTURES/hierarchy/people.csv --column age -o age.csv --force --quiet
cat age.csv
