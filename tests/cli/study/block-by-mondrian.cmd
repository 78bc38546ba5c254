(cat $FIXTURES/study/block.yaml; printf 'algorithm: mondrian\nblock: 64\n') > s.yaml
kith study check s.yaml
