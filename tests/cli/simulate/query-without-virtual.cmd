cp -r $FIXTURES/jobs/. .; sed -i "/^algorithm\|^restarts/d" study.yaml
echo 'partition: horizontal' >> study.yaml
kith simulate study.yaml -i people.csv --sites 2 -o run --in-process -q --query "select count(*)"
