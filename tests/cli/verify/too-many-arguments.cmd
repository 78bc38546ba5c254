kith verify $FIXTURES/jobs/study.yaml a b
