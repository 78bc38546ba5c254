cat $FIXTURES/joint/id-based.yaml - > s.yaml <<'END'
privacy:
  - {model: k-anonymity, k: 3}
  - {model: l-diversity, variant: distinct, l: 2, attribute: ill}
  - {model: t-closeness, t: 0.2, attribute: ill}
  - {model: l-site-diversity, variant: sites, l: 2}
  - {model: m-privacy, k: 2}
END
kith study check s.yaml
