# a level that the hierarchy does not have
cat $FIXTURES/joint.yaml - > joint.yaml <<'END'
partition: horizontal
protocol: encrypted-view
algorithm: sequential
pregeneralize: {sex: 1}
END
kith simulate joint.yaml -i $FIXTURES/joint.csv --sites 3 -o run --in-process --quiet --force 2>&1 | sed 's/site[123]: //'
