sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
echo "  - {model: k-anonymity, k: 3}" >> s.yaml
echo "algorithm: mondrian" >> s.yaml
kith anonymize s.yaml -i $FIXTURES/models/people.csv -o r.csv --seed 1 --mapping m.csv
cat m.csv; stat -c %a m.csv
kith anonymize s.yaml -i $FIXTURES/models/people.csv -o other.csv --seed 1 --mapping m.csv; echo "exit $?"; ls
kith anonymize s.yaml -i $FIXTURES/models/people.csv -o other.csv --seed 1 --mapping m.csv --shuffle --force --quiet; echo "exit $?"; wc -l < m.csv
for place in - /dev/null sqlite:m.db?table=m other.csv $FIXTURES/models/people.csv; do
  kith anonymize s.yaml -i $FIXTURES/models/people.csv -o other.csv --mapping $place --force; echo "exit $?"
done
