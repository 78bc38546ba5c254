# the path of the hierarchy file is relative to the study
cp -r $FIXTURES/study/init/. .
mkdir studies
kith study init people.csv -o studies/people.yaml
grep job.csv studies/people.yaml
kith study check --quiet studies/people.yaml people.csv
