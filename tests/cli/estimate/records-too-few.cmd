(cat $FIXTURES/joint/ages.yaml; echo 'partition: horizontal') > s.yaml
kith estimate s.yaml -i $FIXTURES/joint/ages.csv --sites 3 --records 1
