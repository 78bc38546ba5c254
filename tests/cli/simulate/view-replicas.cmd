cat $FIXTURES/joint.yaml - > joint.yaml <<'END'
partition: horizontal
protocol: encrypted-view
algorithm: flash
replicas: 2
END
kith simulate joint.yaml -i $FIXTURES/joint.csv --sites 3 -o run --in-process --quiet --force
wc -l < run/release.csv
