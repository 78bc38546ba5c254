# Hierarchy and data, both in the encoding that is named.
printf 'Köln;Rhein;*\nMünchen;Süden;*\n' | iconv -t WINDOWS-1252 > h.csv
printf 'town\nKöln\nMünchen\nFürth\n' | iconv -t WINDOWS-1252 > d.csv
kith hierarchy check h.csv d.csv --column town --encoding WINDOWS-1252
