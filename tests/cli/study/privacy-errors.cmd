cat > s.yaml <<'END'
study: a
columns:
  - {name: age, role: quasi-identifying}
  - {name: disease, role: sensitive}
  - {name: salary, role: sensitive}
privacy:
  - {model: k-anonymity, k: 1}
  - {model: k-anonymity, k: "5"}
  - {model: k-anonymity}
  - {model: k-anonymity, k: 5, l: 2}
  - {model: k-anonimity, k: 5}
  - {model: t-closeness, t: 0.2, attribute: disease}
  - {k: 5}
  - {model: l-diversity, l: 0.5, attribute: disease}
  - {model: l-diversity, l: 2}
  - {model: l-diversity, l: 2, attribute: age}
  - {model: l-diversity, l: 2, attribute: diseaes}
  - {model: l-diversity, variant: entropy, l: 2, attribute: disease}
  - {model: l-diversity, variant: often, l: 2, attribute: disease}
  - {model: l-diversity, l: 2, c: 3, attribute: disease}
  - {model: l-diversity, l: 2, attribute: disease}
  - {model: l-diversity, l: 3, attribute: disease}
  - k-anonymity
END
kith study check s.yaml
