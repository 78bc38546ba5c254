printf 'Größe;Lohn;Ort\n1,80;1.234,50;Köln\n1,75;2.345,00;Bonn\n1,75;900;Köln\n1,82;2345;Bonn\n' >german.csv
cat >s.yaml <<'END'
study: german
columns:
  - {name: Größe, role: quasi-identifying, type: decimal, decimal: comma, hierarchy: {intervals: [0.05, 0.1]}}
  - {name: Ort, role: insensitive}
  - {name: Lohn, role: insensitive, type: decimal, decimal: comma}
privacy: [{model: k-anonymity, k: 2}]
END
iconv -t WINDOWS-1252 german.csv >w.csv
kith anonymize s.yaml -i w.csv -o - -q --encoding WINDOWS-1252
