# what a lattice search minimizes: dm and arx-loss too, pmi not; without an algorithm flash is taken
for measure in dm arx-loss entropy mi precision pmi cm; do
  sed "s/suppression: 0.15/suppression: 0.15, measure: $measure/" $FIXTURES/jobs/suppression.yaml > s.yaml
  echo "$measure"; kith anonymize s.yaml -i $FIXTURES/jobs/people.csv -o r.csv --force --json | grep '"algorithm"\|"objective"\|"suppressed"'
done
(sed "s/suppression: 0.15/measure: dm/" $FIXTURES/jobs/suppression.yaml; echo "algorithm: mondrian") > s.yaml
kith study check s.yaml
