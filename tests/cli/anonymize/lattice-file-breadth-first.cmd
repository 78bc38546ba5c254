(cat $FIXTURES/jobs/people.csv; echo "Zoe,flu,95,55555,z") > d.csv
(cat $FIXTURES/jobs/suppression.yaml; echo "algorithm: breadth-first") > all.yaml
kith anonymize all.yaml -i d.csv -o r.csv --lattice all.tsv --quiet --force
head -n 12 all.tsv
cut -f 4 all.tsv | sort | uniq -c
