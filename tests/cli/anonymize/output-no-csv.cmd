printf 'a\nx\nx\n' >d.csv
cat >s.yaml <<'END'
study: s
columns: [{name: a, role: quasi-identifying}]
privacy: [{model: k-anonymity, k: 2}]
END
for name in r.sqlite r.Feather r.csv.zip; do
  ! kith anonymize s.yaml -i d.csv -o "$name"
done
trap 'ls -A' EXIT
kith anonymize s.yaml -i d.csv -o r.xlsx --force
