cat $FIXTURES/joint/id-based.yaml - > s.yaml <<'END'
privacy: [{model: k-anonymity, k: 3}]
blur: true
reweave: 2
quiet: true
alpha: 0.5
withhold: 2
hide_sizes: true
private_diversity: true
max_passes: 3
ids: pid
master: north
END
kith study check s.yaml
