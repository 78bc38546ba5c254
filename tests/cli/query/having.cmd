kith cert init alice -o a.key --quiet
pin=$(kith cert show a.key | sed -n 's/^key: "\(.*\)"/\1/p')
sed "s/sha256:3*\"/$pin\"/" $FIXTURES/virtual.yaml >s.yaml
kith query s.yaml --as alice --key a.key "SELECT diagnosis, count(*) GROUP BY diagnosis HAVING count(*) > 3"
