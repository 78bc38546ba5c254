sed "s,DIR,$FIXTURES/models," $FIXTURES/models/base.yaml > s.yaml
echo "  - {model: t-closeness, variant: hierarchical, t: 0.2, attribute: disease}" >> s.yaml
cp $FIXTURES/models/broken.csv r.csv
kith verify s.yaml r.csv
