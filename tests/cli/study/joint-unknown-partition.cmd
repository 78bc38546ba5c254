cp $FIXTURES/joint/a.csv .
cat $FIXTURES/joint/rows.yaml - > s.yaml <<'END'
partition: diagonal
END
kith study check s.yaml
