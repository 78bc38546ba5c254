(cat $FIXTURES/study/block.yaml; printf 'algorithm: sequential\nblock: 0\n') > s.yaml
kith study check s.yaml
