cp $FIXTURES/joint/a.csv .
cat $FIXTURES/joint/rows.yaml - > s.yaml <<'END'
partition: horizontal
protocol: encrypted-view
algorithm: mondrian
unmatched: drop
master: north
pregeneralize: {d: 1, a: -1, zip: 2}
END
kith study check s.yaml
