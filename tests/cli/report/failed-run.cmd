mkdir run
echo '{}' >run/ledger.json
trap 'ls -A' EXIT
kith report run -o report.html
