printf 'q0,q1,q2,s\n,,1,a\nx,-14,2,b\n' >data.csv
cat >study.yaml <<'END'
study: s
partition: vertical
protocol: encrypted-view
columns:
  - {name: q0, role: quasi-identifying}
  - {name: q1, role: quasi-identifying}
  - {name: q2, role: quasi-identifying}
  - {name: s, role: sensitive}
missing: wildcard
privacy:
  - {model: beta-likeness, beta: 5, variant: basic, attribute: s}
ids: aligned
END
trap "sort run/release.csv" EXIT
kith simulate study.yaml -i data.csv -o run --in-process --sites 3 --seed 1 --split columns:q2/q0,q1/s --baseline --quiet
