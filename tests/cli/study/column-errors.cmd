cat > s.yaml <<'END'
study: a
columns:
  - {name: age, role: quasi-identifying, type: intger}
  - {name: age, role: sensitive}
  - {name: "", role: sensitive}
  - {nmae: sex, role: quasi}
  - {name: when, role: quasi-identifying, format: "%d.%m.%Y"}
  - {name: born, role: quasi-identifying, type: date, format: dmy}
  - {name: pid, role: identifying, hierarchy: suppress}
  - {name: note, role: insensitive, hierarchy: suppress, domain: data}
  - {name: disease, role: sensitive, hierarchy: suppress}
  - {name: [x], role: identifying}
  - just text
privacy:
  - {model: k-anonymity, k: 5}
END
kith study check s.yaml
