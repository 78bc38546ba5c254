sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
echo "  - {model: p-sensitive, p: 2, k: 3, attribute: disease}" >> s.yaml
cp $FIXTURES/models/broken.csv r.csv
kith verify s.yaml r.csv
