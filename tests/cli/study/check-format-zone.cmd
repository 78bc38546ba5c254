cat >s.yaml <<'END'
study: s
columns:
  - {name: a, role: quasi-identifying, type: date, format: "%Y-%m-%d %H:%M:%S%z"}
  - {name: b, role: quasi-identifying, type: date, format: "%G-W%V %%z"}
  - {name: c, role: quasi-identifying, type: date, format: "%Y-%m-%d%%z %-d %Ey"}
privacy: [{model: k-anonymity, k: 2}]
END
kith study check s.yaml
