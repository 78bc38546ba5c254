kith try $FIXTURES/jobs/study.yaml -i $FIXTURES/jobs/people.csv --set k=2,3,99 --set algorithm=sequential,flash,k-member --seed 1 --pareto | tr -s " "
