# a hierarchy file is of the texts as they are
cp $FIXTURES/dates.csv .
mkdir hierarchies
tail -n +2 dates.csv | cut -d';' -f2 | sed 's/$/;*/' > hierarchies/birth_day.csv
kith study init dates.csv -o u.yaml
sed -n '/name: birth_day/,/hierarchy/p' u.yaml
kith study check --quiet u.yaml dates.csv
