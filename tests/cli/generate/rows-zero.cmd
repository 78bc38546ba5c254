kith generate hospital -n 0 -o x.csv; code=$?; ls; exit $code
