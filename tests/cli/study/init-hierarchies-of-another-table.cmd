mkdir hierarchies
printf 'job\ncook\nbaker\n' >people.csv
printf 'cook;food;*\nbaker;food;*\n' >hierarchies/hospital-job.csv
printf 'cook;x;*\n' >hierarchies/other-job.csv
kith study init people.csv -o s.yaml -q
grep hierarchy: s.yaml
