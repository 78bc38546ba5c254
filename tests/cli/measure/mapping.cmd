# what a release in the order of the data has, one in another order has with its mapping
awk 'BEGIN { print "confidential_row,release_row"; for (i = 1; i <= 9; i++) print i "," 10 - i }' >m.csv
(head -n 1 $FIXTURES/jobs/shuffled.csv; tail -n +2 $FIXTURES/jobs/shuffled.csv | tac) >ordered.csv
args="$FIXTURES/jobs/study.yaml $FIXTURES/jobs/people.csv"
kith measure $args ordered.csv --json --classify disease --seed 1 >1.json
kith measure $args $FIXTURES/jobs/shuffled.csv --json --classify disease --seed 1 --mapping m.csv >2.json
kith measure $args $FIXTURES/jobs/shuffled.csv --json --classify disease --seed 1 >3.json
python3 - <<'END'
import json
one, two, three = (json.load(open(f"{i}.json")) for i in (1, 2, 3))
print(two["cover"], three["cover"])
del one["cover"], two["cover"]
print(one == two, three["loss"]["pmi"], three["classify"]["in_order"])
END
