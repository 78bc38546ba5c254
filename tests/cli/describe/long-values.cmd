printf 'kind\nÄÖÜäöüßÄÖÜäöüßÄÖÜäöüßÄÖÜäöüßÄÖÜäöüß\n' > e.csv
kith describe e.csv | sed -n 1,4p
