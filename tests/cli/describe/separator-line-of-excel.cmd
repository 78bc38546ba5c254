printf 'SEP=|\nage,zip\n34,81667\n' >other.csv
! kith describe other.csv
printf '\xef\xbb\xbfsep=;\r\nage;zip\r\n34;81667\r\n' >d.csv
kith describe d.csv
