echo mine >x.study.yaml; kith generate hospital -n 10 -o x.csv; code=$?; ls; exit $code
