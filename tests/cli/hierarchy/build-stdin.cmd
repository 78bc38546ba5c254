kith hierarchy build intervals:2.5 -i - --column income --type decimal < $FIXTURES/hierarchy/people.csv
