# there is no such party
kith study check $FIXTURES/two-parties.yaml $FIXTURES/joint.csv --as east
