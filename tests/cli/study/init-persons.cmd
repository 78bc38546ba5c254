# A person has several rows: models count persons, and l leaves room for their shares.
awk 'BEGIN { print "visit_id,person_id,age,diagnosis"
  for (i = 0; i < 120; i++) print i * 7919 % 1000 "," i % 40 "," 20 + i % 40 ",d" i % 3 }' >visits.csv
kith study init visits.csv -o s.yaml -q
sed -n '/^unit/,/l-diversity/p' s.yaml
kith anonymize s.yaml -i visits.csv -o r.csv --seed 1 -q
printf 'patient,age\n1,20\n2,30\n3,40\n4,20\n5,30\n' >once.csv
kith study init once.csv | grep unit
printf 'Kunden-Nr,age\n' >kunden.csv
awk 'BEGIN { for (i = 0; i < 90; i++) print "K" i % 30 "," 20 + i % 40 }' >>kunden.csv
kith study init kunden.csv | grep ^unit
for name in pid patid no_patient id_paciente subject.id Versichertennummer OwnerId visit_id case_no kontonummer patient_age; do
  sed "1s/.*/$name,age/" kunden.csv >n.csv
  echo "$name: $(kith study init n.csv | sed -n 's/^unit: \([^ ]*\).*/\1/p')"
done
