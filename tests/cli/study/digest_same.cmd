mkdir a b
printf 'nurse;health;*\nbaker;food;*\n' > a/job.csv
printf 'nurse,health,*\nbaker,food,*\n' > b/work.csv
printf 'nurse,health,*\nbaker,trade,*\n' > b/other.csv
cat > one.yaml <<'END'
study: x
columns:
  - {name: job, role: quasi-identifying, hierarchy: a/job.csv}
  - {name: disease, role: sensitive}
privacy: [{model: k-anonymity, k: 3}, {model: l-diversity, l: 2.0, attribute: disease}]
algorithm: sequential
END
cat > two.yaml <<'END'
# the same in other words
algorithm: sequential
restarts: 1
missing_values: [""]
missing: value
trim: false
utility: {weights: {job: 1}, suppression: 0, measure: lm}
privacy:
  - k: 3
    model: k-anonymity
  - {variant: frequency, model: l-diversity, l: 2}
columns:
  - role: quasi-identifying
    hierarchy: {file: b/work.csv, separator: ","}
    type: string
    name: job
    domain: hierarchy
  - {name: disease, role: sensitive, type: string}
study: "x"
END
kith study digest one.yaml
kith study digest two.yaml
sed 's/work.csv/other.csv/' two.yaml > three.yaml
kith study digest three.yaml
