sed -e '/^[a-z_]*: [a-z0-9.]*$/d' $FIXTURES/study/search.yaml > u.yaml
printf 'study: a\nalgorithm: mondrian\nfinish: merge\n' >> u.yaml
kith study check u.yaml
