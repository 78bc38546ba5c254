# m-privacy with k = 0 takes the default of the protocol weave back: another digest, and a warning
cp $FIXTURES/joint/a.csv .
(cat $FIXTURES/joint/rows.yaml; printf 'partition: horizontal\n') > default.yaml
(cat $FIXTURES/joint/rows.yaml; printf '  - {model: m-privacy, k: 0}\npartition: horizontal\n') > off.yaml
! diff -q <(kith study check default.yaml | grep digest) <(kith study check off.yaml 2>/dev/null | grep digest) >/dev/null
kith study check off.yaml
