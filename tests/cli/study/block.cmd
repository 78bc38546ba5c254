(cat $FIXTURES/study/block.yaml; printf 'algorithm: sequential\nblock: 64\n') > s.yaml
kith study check s.yaml
