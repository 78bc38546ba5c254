# a bound of rows per party is part of the study's digest
cp $FIXTURES/joint/a.csv .
cat $FIXTURES/joint/rows.yaml - > one.yaml <<'END'
partition: horizontal
END
cat one.yaml - > two.yaml <<'END'
rows: 1000
END
[ "$(kith study digest one.yaml)" != "$(kith study digest two.yaml)" ]
kith study check two.yaml
