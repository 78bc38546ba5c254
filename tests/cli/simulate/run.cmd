kith simulate $FIXTURES/joint.yaml -i $FIXTURES/joint.csv -o run --sites 3 --seed 1 --in-process --baseline |
  sed -E '/^(classes|loss|sites alone|secure|traffic)/s/[0-9][0-9.,]*( [kM]?B)?/N/g; s/^secure.*/secure calls …/'
ls run run/site1
kith verify $FIXTURES/joint.yaml run/release.csv --data $FIXTURES/joint.csv --quiet
