cp $FIXTURES/joint/a.csv .
cat $FIXTURES/joint/rows.yaml - > s.yaml <<'END'
blur: true
  
END
kith study check s.yaml
