# whoever knows of five visits knows that they were for flu
printf 'pid,age,ill\n1,31,flu\n1,31,flu\n1,31,flu\n1,31,flu\n1,31,flu\n2,31,gout\n3,31,cold\n4,31,ache\n5,31,cough\n' >d.csv
cat >s.yaml <<'END'
study: s
columns:
  - {name: pid, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 10]}, domain: {range: [0, 119]}}
  - {name: ill, role: sensitive}
privacy: [{model: l-diversity, l: 2, attribute: ill}, {model: alpha-k, k: 2, alpha: 0.5, attribute: ill}, {model: p-sensitive, k: 2, p: 2, attribute: ill}]
unit: pid
END
cut -d, -f2- d.csv >r.csv
printf 'confidential_row,release_row\n1,1\n2,2\n3,3\n4,4\n5,5\n6,6\n7,7\n8,8\n9,9\n' >m.csv
kith verify s.yaml r.csv --data d.csv --mapping m.csv
