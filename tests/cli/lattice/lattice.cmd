# the searched lattice: levels, satisfied, how that is known, loss
(cat $FIXTURES/jobs/people.csv; echo "Zoe,flu,95,55555,z") > d.csv
(cat $FIXTURES/jobs/suppression.yaml; echo "algorithm: breadth-first") > all.yaml
kith anonymize $FIXTURES/jobs/suppression.yaml -i d.csv -o r.csv --lattice l.tsv --quiet; head -n 8 l.tsv; wc -l < l.tsv
kith anonymize all.yaml -i d.csv -o r.csv --lattice all.tsv --quiet --force; head -n 12 all.tsv; cut -f 4 all.tsv | sort | uniq -c
# the same release once more: the lattice that is there is not overwritten
rm r.csv*; kith anonymize all.yaml -i d.csv -o r.csv --lattice all.tsv --quiet; echo "exit $?"; ls
