# Two classes with one mean are one class in the release.
printf '0;even;*\n4;even;*\n1;odd;*\n3;odd;*\n' >h.csv
printf 'n,s\n0,a\n1,a\n3,b\n4,b\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: n, role: quasi-identifying, type: integer, hierarchy: h.csv, microaggregate: mean}
  - {name: s, role: sensitive}
privacy: [{model: k-anonymity, k: 2}, {model: l-diversity, variant: distinct, l: 2}]
levels: {n: 1}
END
kith anonymize s.yaml -i d.csv -o r.csv | grep classes
kith verify s.yaml r.csv --data d.csv
cat r.csv
