# the searched lattice: levels, satisfied, how that is known, loss, smallest class
(cat $FIXTURES/jobs/people.csv; echo "Zoe,flu,95,55555,z") > d.csv
(cat $FIXTURES/jobs/suppression.yaml; echo "algorithm: flash") >s.yaml
kith anonymize s.yaml -i d.csv -o r.csv --lattice l.tsv --quiet
head -n 8 l.tsv
wc -l < l.tsv
