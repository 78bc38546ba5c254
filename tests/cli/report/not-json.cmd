echo "no summary" > summary.json
trap 'ls -A' EXIT
kith report summary.json -o report.html
