# A wildcard is the root, also where the file has a row for missing values; and it costs nothing.
printf 'job\n\nbaker\nbaker\n' >d.csv
printf 'baker;craft;*\nsmith;craft;*\n;unknown;*\n' >job.csv
printf 'study: s\ncolumns: [{name: job, role: quasi-identifying, hierarchy: job.csv}]\nprivacy: [{model: k-anonymity, k: 3}]\nmissing: wildcard\n' >s.yaml
kith anonymize s.yaml -i d.csv -o r.csv --json | grep -m1 '"lm"'
kith verify s.yaml r.csv --data d.csv -q
cat r.csv
