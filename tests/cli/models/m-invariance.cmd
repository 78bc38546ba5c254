# Two releases of a table in which every class must keep its diseases.
cat > first.csv <<'END'
person,age,disease
a,20,flu
b,21,cold
c,41,gout
d,42,asthma
END
cat > second.csv <<'END'
person,age,disease
a,20,flu
b,21,cold
e,60,gout
f,61,flu
END
cat > s.yaml <<'END'
study: series
columns:
  - {name: person, role: identifying}
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20, 40]}, domain: {range: [0, 79]}}
  - {name: disease, role: sensitive}
algorithm: mondrian
privacy:
END
cp s.yaml again.yaml
echo "  - {model: m-invariance, m: 2, attribute: disease}" >> s.yaml
echo "  - {model: m-invariance, m: 2, attribute: disease, previous: [m1.csv], id: person}" >> again.yaml
kith anonymize s.yaml -i first.csv -o r1.csv --mapping m0.csv --quiet; cat r1.csv
# the mapping of a run whose study names the persons
printf 'confidential_row,person,age,age_released,disease,_kith_class\n1,a,20,20-29,flu,1\n2,b,21,20-29,cold,1\n3,c,41,40-49,gout,2\n4,d,42,40-49,asthma,2\n' > m1.csv
printf 'age,disease\n20-29,flu\n20-29,cold\n60-69,gout\n60-69,flu\n' > good.csv
printf 'age,disease\n*,flu\n*,cold\n*,gout\n60-69,flu\n' > bad.csv
printf 'age,disease\n0-39,flu\n40-79,cold\n40-79,gout\n0-39,cold\n' > swapped.csv
kith verify again.yaml good.csv --data second.csv; echo "exit $?"
kith verify again.yaml bad.csv; echo "exit $?"
sed 's/b,21/b,61/; s/f,61,flu/f,20,cold/' second.csv > moved.csv
kith verify again.yaml swapped.csv --data moved.csv; echo "exit $?"
kith anonymize again.yaml -i second.csv -o r2.csv --mapping m2.csv; echo "exit $?"
# A search of the lattice need not fall back on the whole table.
sed -i 's/mondrian/flash/' again.yaml
kith anonymize again.yaml -i second.csv -o r2.csv --mapping m2.csv --quiet; echo "exit $?"; cat m2.csv
kith verify again.yaml r2.csv --data second.csv --quiet; echo "verify $?"
# b has moved to another age: nobody keeps both diseases together but at the top.
kith anonymize again.yaml -i moved.csv -o r3.csv; echo "exit $?"
echo 'utility: {suppression: 0.5}' >> again.yaml
kith anonymize again.yaml -i moved.csv -o r3.csv --explain; echo "exit $?"
