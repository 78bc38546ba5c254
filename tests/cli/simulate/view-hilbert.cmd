# what needs an order or other tables is refused before anything is sent
cat $FIXTURES/joint.yaml - > joint.yaml <<'END'
partition: horizontal
protocol: encrypted-view
algorithm: hilbert
END
kith simulate joint.yaml -i $FIXTURES/joint.csv --sites 3 -o run --in-process --quiet --force
