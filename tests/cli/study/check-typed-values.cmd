# Values that a hierarchy lacks are named with the first line that has them, also where columns have types
# and where the study changes their values.
printf '1;low;*\n2;low;*\n3;high;*\n' > number.csv
printf '2020-01-01;*\n' > day.csv
printf '1.5;*\n' > size.csv
printf 'n,day,size,age\n1,2020-01-01,1.5,1\n2,2020-01-02,,3\n,2020-01-02,2.50,9\n7,2020-01-01,2.5,7\n7,2020-01-01,1.50,8\n' > d.csv
cat > s.yaml <<'END'
study: typed
columns:
  - {name: n, role: quasi-identifying, type: integer, hierarchy: number.csv}
  - {name: day, role: quasi-identifying, type: date, hierarchy: day.csv}
  - {name: size, role: quasi-identifying, type: decimal, hierarchy: size.csv}
  - {name: age, role: quasi-identifying, type: integer, top: 7, hierarchy: number.csv}
privacy: [{model: k-anonymity, k: 2}]
END
kith study check s.yaml d.csv
