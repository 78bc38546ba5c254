# nobody has any rows
printf 'a\n' > empty.csv
(sed -e '/m-privacy/d' -e '/l-site/d' $FIXTURES/joint/sites.yaml; echo 'protocol: encrypted-view') > v.yaml
kith simulate v.yaml -i empty.csv --sites 2 -o run --in-process
