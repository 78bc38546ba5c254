kith hierarchy build intervals:5,10 -i $FIXTURES/hierarchy/people.csv --column age -o age.csv
cat age.csv
kith hierarchy check age.csv $FIXTURES/hierarchy/people.csv --column age
