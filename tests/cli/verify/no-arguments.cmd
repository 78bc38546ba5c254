kith verify $FIXTURES/jobs/study.yaml
