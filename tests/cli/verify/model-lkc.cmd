sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
echo "  - {model: lkc, l: 1, k: 3, c: 0.5, attribute: disease, values: [flu]}" >> s.yaml
cp $FIXTURES/models/broken.csv r.csv
kith verify s.yaml r.csv
