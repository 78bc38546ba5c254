# A hierarchy as users of ARX on Windows have it: by name, and UTF-16 by its mark.
printf 'Köln;Rhein;*\nMünchen;Süden;*\nFürth;Süden;*\n' > utf8.csv
iconv -t WINDOWS-1252 utf8.csv > h.csv
iconv -t UTF-16 utf8.csv > h16.csv
gzip -c utf8.csv > h.csv.gz
kith hierarchy show h.csv --encoding WINDOWS-1252
kith hierarchy show h16.csv
kith hierarchy show h.csv.gz
kith hierarchy show h.csv --encoding KLINGON
