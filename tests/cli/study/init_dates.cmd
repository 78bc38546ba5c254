cp $FIXTURES/dates.csv .
kith study init dates.csv -o s.yaml && sed '/^privacy/,$d' s.yaml
kith study check s.yaml dates.csv
# the other reading of the column that could be read both ways fits as well
sed '/name: visited/,/hierarchy/s|format: "%d/%m/%Y"|format: "%m/%d/%Y"|' s.yaml > t.yaml
kith study check --quiet t.yaml dates.csv && echo month first fits
kith anonymize --quiet s.yaml -i dates.csv -o release.csv && kith verify --quiet s.yaml release.csv && echo holds
# a hierarchy file is of the texts as they are
mkdir hierarchies
tail -n +2 dates.csv | cut -d';' -f2 | sed 's/$/;*/' > hierarchies/birth_day.csv
kith study init dates.csv -o u.yaml && sed -n '/name: birth_day/,/hierarchy/p' u.yaml
kith study check --quiet u.yaml dates.csv && echo fits
