cat > d.csv <<'END'
name,age,zip,disease,const
Anna,30,08100,flu,1
Bert,31,08100,cold,1
Cleo,30,08101,,1
Dora,30,08100,flu,1
END
kith describe d.csv
