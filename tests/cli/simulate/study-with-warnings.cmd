# an error of a study that is used, and none of its warnings
sed 's/, domain: {range: \[0, 99\]}//' $FIXTURES/joint/keys.yaml > d.yaml
printf 'partition: horizontal\nnoise: 0.5\n' >> d.yaml
kith simulate d.yaml -i none.csv --sites 2 -o run
