# The smallest class of each solution of a lattice is that of the release that has its levels.
sed '/algorithm:/d' $FIXTURES/jobs/suppression.yaml >base.yaml
(cat base.yaml; echo "algorithm: breadth-first") >s.yaml
cp $FIXTURES/jobs/people.csv d.csv
kith anonymize s.yaml -i d.csv -o r.csv --lattice l.tsv -q
tail -n +2 l.tsv | while IFS=$'\t' read -r age zip satisfied known loss smallest; do
  [ "$satisfied" = yes ] || continue
  (cat base.yaml; echo "algorithm: flash"; echo "levels: {age: $age, zip: $zip}") >one.yaml
  kith anonymize one.yaml -i d.csv -o one.csv --force --json |
    python3 -c "import json, sys; d = json.load(sys.stdin); print('levels $age $zip:', 'same' if d['smallest_class'] == $smallest else d)"
done
