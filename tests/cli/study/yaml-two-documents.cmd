printf 'study: a\n---\nstudy: b\n' > c.yaml
kith study check c.yaml
