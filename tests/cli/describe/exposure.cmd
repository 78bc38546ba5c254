# what a site would name in an encrypted view of another's records: hierarchies give much away
kith generate hospital -n 1000 --seed 1 -o h.csv > made.txt
kith describe h.csv h.study.yaml --exposure --seed 1 --no-progress | sed -n '/^Cells/,$p'
