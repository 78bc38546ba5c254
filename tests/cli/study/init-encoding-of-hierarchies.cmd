# Hierarchies next to data in another encoding are read in it, and the study says so.
printf 'town,age\nKöln,20\nMünchen,20\nKöln,21\nMünchen,21\n' | iconv -t WINDOWS-1252 > d.csv
printf 'Köln;Rhein;*\nMünchen;Süden;*\n' | iconv -t WINDOWS-1252 > d_hierarchy_town.csv
kith study init d.csv --encoding WINDOWS-1252 -o s.yaml --quiet
grep hierarchy: s.yaml
kith anonymize s.yaml -i d.csv --encoding WINDOWS-1252 -o r.csv --seed 1 --quiet
cat r.csv
