echo mine >hierarchies; kith generate hospital -n 10 -o x.csv; code=$?; ls; exit $code
