(echo 'plz;ward;x'; for i in $(seq 60); do echo '01001;-;a'; echo '80331;123456;b'; echo '10115;123457;b'; done; echo 'k.A.;123458;a') > z.csv
kith describe z.csv | sed -n '/Nearly/,/^$/p'
kith study init z.csv | sed -n '/name: plz/,/name: x/p'
