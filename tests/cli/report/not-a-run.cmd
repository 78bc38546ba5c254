mkdir empty
trap ls EXIT
kith report empty -o report.html
