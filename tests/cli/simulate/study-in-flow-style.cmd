echo '{study: a, columns: [{name: age, role: quasi-identifying}], privacy: [{model: k-anonymity, k: 2}]}' > flow.yaml
trap 'ls -A' EXIT
kith simulate flow.yaml -i $FIXTURES/joint.csv -o run --sites 2
