printf 'nurse;health;*\nbaker;food;*\n' > job.csv
cat > s.yaml <<'END'
study: cardio
algorithm: sequential
columns:
  - {name: age, role: quasi-identifying, type: integer}
  - {name: born, role: quasi-identifying, type: date}
  - {name: job, role: quasi-identifying, hierarchy: job.csv}
  - {name: size, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]}, domain: {range: [100, 220]}}
  - {name: seks, role: quasi-identifying}
  - {name: disease, role: sensitive}
privacy:
  - {model: k-anonymity, k: 7}
  - {model: l-diversity, l: 2.5}
END
cat > d.csv <<'END'
age,born,job,size,sex,disease
30,1990-01-01,nurse,170,m,flu
3x,1990-02-30,cook,250,m,flu
y,1990-01-03,baker,180,f,flu
z,1990-01-04,nurse,180,f,cough
a,1990-01-05,smith,180,f,flu
b,1990-01-06,nurse,180,f,
END
kith study check s.yaml d.csv
