sed 's/,/|/g' $FIXTURES/hierarchy/people.csv > bars.csv
kith hierarchy build '{intervals: [2.5]}' -i bars.csv --column income --separator '|'
