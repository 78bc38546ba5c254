mkdir empty
trap 'ls -A' EXIT
kith report empty -o report.html
