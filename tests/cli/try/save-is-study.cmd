cp $FIXTURES/jobs/study.yaml .
kith try study.yaml --save 1=study.yaml --force
