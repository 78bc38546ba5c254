printf 'Größe;Lohn;Ort\n1,80;1.234,50;Köln\n1,75;2.345,00;Bonn\n1,75;900;Köln\n1,82;2345;Bonn\n' >german.csv
kith describe german.csv --encoding ASCII
