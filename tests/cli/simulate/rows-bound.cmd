# a site with more rows than the study allows ends the run before it tells anything
(cat $FIXTURES/joint.yaml; printf 'partition: horizontal\nrows: 5\n') > s.yaml
trap 'test ! -e run/release.csv' EXIT
kith simulate s.yaml -i $FIXTURES/joint.csv -o run --sites 3 --seed 1 --in-process --no-progress
