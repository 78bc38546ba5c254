# the lattice that is there is not overwritten
(cat $FIXTURES/jobs/people.csv; echo "Zoe,flu,95,55555,z") > d.csv
(cat $FIXTURES/jobs/suppression.yaml; echo "algorithm: breadth-first") > all.yaml
echo mine > all.tsv
trap 'cat all.tsv; ls' EXIT
kith anonymize all.yaml -i d.csv -o r.csv --lattice all.tsv --quiet
