kith simulate $FIXTURES/joint.yaml -i $FIXTURES/joint.csv --sites 3 --in-process --seed 1 -o run -q
# As a run would write it whose table of sentences has forgotten an entry.
sed -i -E '/"says":.*frequent enough/,/"step"/ s/"promise":.*/"promise": 0,/' run/site1/ledger.json
trap 'tail -n 3 out' EXIT
kith ledger show run/site1 > out
