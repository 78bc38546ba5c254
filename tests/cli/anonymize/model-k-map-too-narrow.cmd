printf 'zip,disease\n8010,flu\n8010,flu\n' > d.csv
printf 'zip\n8010\n8011\n8012\n' > people.csv
cat > s.yaml << END
study: s
columns:
  - {name: zip, role: quasi-identifying, hierarchy: {mask: right}}
  - {name: disease, role: sensitive}
privacy:
  - {model: k-map, k: 2, population: people.csv}
  - {model: t-closeness, t: 0.2}
algorithm: flash
END
kith anonymize s.yaml -i d.csv -o r.csv --quiet
kith verify s.yaml r.csv --data d.csv --quiet
sed -i 's/flash/mondrian/' s.yaml
! kith anonymize s.yaml -i d.csv -o m.csv --quiet
sed -i 's/mondrian/sequential/' s.yaml
kith anonymize s.yaml -i d.csv -o s.csv --quiet
