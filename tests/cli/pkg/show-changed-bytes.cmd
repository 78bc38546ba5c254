generators one
awk 'NR == 4 { first = $0 } NR == 5 { print $0; print first; next } NR != 4' one/parameters.pkg > f
kith pkg show f
