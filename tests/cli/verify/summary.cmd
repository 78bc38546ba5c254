kith verify $FIXTURES/jobs/study.yaml $FIXTURES/jobs/release.csv --quiet --summary v.json; grep '"holds"' v.json
