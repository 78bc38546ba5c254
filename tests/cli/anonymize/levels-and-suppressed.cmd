(echo a,b; for i in 1 2 3 4 5; do echo x,u; echo y,v; done; echo z,u) >d.csv
printf 'x;g;*\ny;h;*\nz;h;*\n' >a.csv
cat >s.yaml <<'END'
study: s
columns: [{name: a, role: quasi-identifying, hierarchy: a.csv}, {name: b, role: quasi-identifying}]
privacy: [{model: k-anonymity, k: 5}]
utility: {suppression: 0.1}
algorithm: flash
END
kith anonymize s.yaml -i d.csv -o r.csv
kith measure s.yaml d.csv r.csv | head -n 3
