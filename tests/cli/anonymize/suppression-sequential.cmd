printf "age,zip,disease,note\n" >d.csv; for i in 1 2 3 4 5 6; do echo "2$i,8166$i,flu,a" >>d.csv; done; echo "95,10115,cold,b" >>d.csv
sed "/restarts/d; /algorithm/d; /l-diversity/d; s/k: 3/k: 6/" $FIXTURES/jobs/study.yaml >s.yaml; echo "utility: {suppression: 0.2}" >>s.yaml
echo 'algorithm: sequential' >>s.yaml
kith anonymize s.yaml -i d.csv -o r.csv --seed 1 | sed "/^time/d"
kith verify s.yaml r.csv --data d.csv
cat r.csv
