echo '{}' >summary.json
kith report summary.json -o - --json
