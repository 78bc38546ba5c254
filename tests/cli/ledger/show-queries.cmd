# The ledger of a site that serves queries, in sentences.
cat > north.queries.jsonl <<'END'
{"when":"2026-11-17T10:33:32Z","who":"alice","query":"SELECT count(*) WHERE age < 35","left":"numbers","count":3,"outcome":"complete"}
{"when":"2026-11-17T10:40:00Z","who":"south","query":"SELECT age, sex WHERE age < 25 AND note <> 'a\nb'","left":"rows","count":1,"outcome":"complete"}
{"when":"2026-11-17T10:41:00Z","who":"alice","query":"SELECT sum(cost) GROUP BY sex","left":"numbers","count":12,"outcome":"failed: lost the connection to east (step sum)"}
END
kith ledger show north.queries.jsonl
