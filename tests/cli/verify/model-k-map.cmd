sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
echo "  - {model: k-map, k: 12, population: $FIXTURES/models/population.csv}" >> s.yaml
cp $FIXTURES/models/broken.csv r.csv
kith verify s.yaml r.csv
