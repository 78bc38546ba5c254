cat > q.jsonl <<'END'
{"when":"2026-11-17T10:33:32Z","who":"alice","query":"SELECT count(*)","left":"numbers","count":3,"outcome":"complete"}
{"when":"2026-11-18T09:00:00Z","who":"bob","query":"SELECT age","left":"rows","count":7,"outcome":"complete"}
END
kith ledger show q.jsonl --json
