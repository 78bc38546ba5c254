printf 'kind\n"two\nlines"\n"two\nlines"\nÄÖÜäöüßÄÖÜäöüßÄÖÜäöüßÄÖÜäöüßÄÖÜäöüß\n' > d.csv
kith describe d.csv | sed -n 1,4p
