printf 'kind\n"two\nlines"\n"two\nlines"\nÄÖÜäöüßÄÖÜäöüßÄÖÜäöüßÄÖÜäöüßÄÖÜäöüß\n' > d.csv
kith describe d.csv | head -4
printf 'kind\nÄÖÜäöüßÄÖÜäöüßÄÖÜäöüßÄÖÜäöüßÄÖÜäöüß\n' > e.csv
kith describe e.csv | head -4
