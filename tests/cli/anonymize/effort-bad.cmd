for effort in fast -1 0 "[1]"; do
  sed "s/^restarts.*/effort: $effort/; /^algorithm/d" $FIXTURES/jobs/study.yaml > study.yaml
  kith anonymize study.yaml -i $FIXTURES/jobs/people.csv -o r.csv
done
