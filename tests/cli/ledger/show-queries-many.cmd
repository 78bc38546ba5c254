# Only the last of many are listed.
for i in $(seq -w 52); do
  echo '{"when":"2026-11-17T10:00:'$i'Z","who":"alice","query":"SELECT sum(q'$i')","left":"numbers","count":3,"outcome":"complete"}'
done > q.jsonl
kith ledger show q.jsonl > out
sed -n 1,13p out
grep -c 'alice asked' out
