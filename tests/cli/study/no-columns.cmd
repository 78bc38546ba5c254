cat > s.yaml <<'END'
study: a
columns: []
privacy: []
END
kith study check s.yaml
