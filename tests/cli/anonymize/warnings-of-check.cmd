printf '%s\n' case,patid,name,age,dx 11,1,a,30,a 12,1,b,30,a 13,1,c,30,b 14,2,d,40,b 15,2,e,40,a 16,3,f,40,c > d.csv
cat > s.yaml <<'END'
study: s
columns:
  - {name: case, role: identifying}
  - {name: name, role: insensitive}
  - {name: age, role: quasi-identifying, type: integer}
  - {name: dx, role: sensitive}
privacy: [{model: k-anonymity, k: 2}]
END
kith study check s.yaml d.csv -q
kith anonymize s.yaml -i d.csv -o r.csv --summary s.json --report public.html >/dev/null
kith report s.json --release r.csv -o internal.html --internal -q
grep -c 'name is released as it is; its value is unique for 100%' public.html
grep -c 'patid: 3 values in 6 rows' public.html || true
grep -c 'patid: 3 values in 6 rows' internal.html
grep -o '"warnings":.*' s.json
head -1 r.csv
