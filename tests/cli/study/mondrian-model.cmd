cat > s.yaml <<'END'
study: models
columns:
  - {name: city, role: quasi-identifying}
  - {name: ill, role: sensitive}
privacy:
  - {model: t-closeness, t: 0.2, attribute: ill}
  - {model: l-site-diversity, variant: attributes, l: 2, attributes: [city]}
protocol: mondrian
END
kith study check s.yaml
