cat > s.yaml <<'END'
studdy: a
columns: none
columns: []
utility: 3
algoritm: sequential
missing: vlaue
missing_values: ["", "NA", NA, [x]]
trim: yes
partition: horizontal
protocol: weave
parties: []
hide_sizes: true
END
kith study check s.yaml
