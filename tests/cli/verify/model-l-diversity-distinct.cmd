sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
echo "  - {model: l-diversity, variant: distinct, l: 2, attribute: disease}" >> s.yaml
cp $FIXTURES/models/broken.csv r.csv
kith verify s.yaml r.csv
