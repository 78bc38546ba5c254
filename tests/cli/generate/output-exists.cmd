echo mine >x.csv; kith generate hospital -n 10 -o x.csv; code=$?; cat x.csv; ls; exit $code
