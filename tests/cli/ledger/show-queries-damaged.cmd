cat > q.jsonl <<'END'
{"when":"2026-11-17T10:33:32Z","who":"alice","query":"SELECT count(*)","left":"numbers","count":3,"outcome":"complete"}
{"when":"2026-11-17T10:33:33Z","who":"alice"}
END
kith ledger show q.jsonl
