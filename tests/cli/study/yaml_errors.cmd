printf 'study: [a\n' > a.yaml; kith study check a.yaml
printf '' > b.yaml; kith study check b.yaml
printf 'study: a\n---\nstudy: b\n' > c.yaml; kith study check c.yaml
printf 'study: &x a\nname: *x\n' > d.yaml; kith study check d.yaml
printf 'study: !!str a\n' > e.yaml; kith study check e.yaml
printf 'study: \377\n' > f.yaml; kith study check f.yaml
printf '%%YAML 1.1\n---\nstudy: a\n' > g.yaml; kith study check g.yaml
head -c 300 /dev/zero | tr '\0' '[' > h.yaml; kith study check h.yaml
head -c 1048577 /dev/zero | tr '\0' '#' > i.yaml; kith study check i.yaml
printf 'just a text\n' > j.yaml; kith study check j.yaml
