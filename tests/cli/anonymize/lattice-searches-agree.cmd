# the optimal searches find the same release
(cat $FIXTURES/jobs/people.csv; echo "Zoe,flu,95,55555,z") > d.csv
for algorithm in flash ola incognito breadth-first depth-first datafly; do
  (cat $FIXTURES/jobs/suppression.yaml; echo "algorithm: $algorithm") > s.yaml
  kith anonymize s.yaml -i d.csv -o r.csv --force --quiet
  sha256sum < r.csv | cut -c 1-12
  kith verify s.yaml r.csv --data d.csv --quiet
done
