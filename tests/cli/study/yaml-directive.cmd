printf '%%YAML 1.1\n---\nstudy: a\n' > g.yaml
kith study check g.yaml
