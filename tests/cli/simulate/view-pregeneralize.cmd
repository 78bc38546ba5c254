# cells that start above the leaves
cat $FIXTURES/joint.yaml - > joint.yaml <<'END'
partition: horizontal
protocol: encrypted-view
algorithm: sequential
pregeneralize: {zip: 2, age: 1}
END
kith simulate joint.yaml -i $FIXTURES/joint.csv --sites 3 -o run --in-process --quiet --force
cut -d, -f3 run/release.csv | tail -n +2 | (! grep '[0-9][0-9][0-9][0-9]')
cut -d, -f1 run/release.csv | tail -n +2 | (! grep -x '[0-9]*')
kith verify joint.yaml run/release.csv --quiet
