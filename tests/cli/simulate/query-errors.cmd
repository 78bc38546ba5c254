cp -r $FIXTURES/jobs/. .; sed -i "/^algorithm\|^restarts/d" study.yaml
cat study.yaml - > s.yaml <<'END'
partition: horizontal
publish: virtual
END
kith simulate s.yaml -i people.csv --sites 2 -o run --in-process -q --query "select count(*) where salry > 5"
