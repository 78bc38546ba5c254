sed /restarts/d $FIXTURES/jobs/study.yaml >study.yaml
kith try study.yaml --set k=3,4 --set effort=quick,best --set algorithm=weave --save 4=weave.yaml
diff study.yaml weave.yaml
