printf '1;low;*\n2;low;*\n2;low;*\n9;high;*\n' > a.csv
cat > s.yaml <<'END'
study: s
columns: [{name: a, role: quasi-identifying, type: integer, hierarchy: a.csv}]
privacy: [{model: k-anonymity, k: 2}]
END
printf 'a\n1\n2\n9\n1\n' > d.csv
kith study check s.yaml d.csv
