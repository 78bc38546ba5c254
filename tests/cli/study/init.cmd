mkdir hierarchies
cat > people.csv <<'END'
id,age,zip,sex,visit,job,disease,weight
1,30,08100,m,2024-01-02,nurse,flu,70.5
2,31,08101,f,2024-02-02,baker,cold,60.1
3,42,08102,m,2024-03-02,nurse,flu,80.2
4,53,08103,f,2024-04-02,baker,cough,90.7
5,64,08104,m,2024-05-02,nurse,cough,75.3
6,75,08105,f,2024-06-02,baker,cold,64.4
7,86,08106,m,2024-07-02,nurse,flu,68.8
8,27,08107,f,2024-08-02,baker,cold,59.9
END
printf 'nurse;health;*\nbaker;food;*\n' > hierarchies/job.csv
printf 'm;*\n' > people_hierarchy_sex.csv
kith study init people.csv
mkdir studies
kith study init people.csv -o studies/people.yaml
grep job.csv studies/people.yaml
kith study check --quiet studies/people.yaml people.csv && echo fits
kith study init people.csv -o studies/people.yaml
kith study init nowhere.csv
