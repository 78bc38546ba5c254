# A site that has answered nothing yet.
touch q.jsonl
kith ledger show q.jsonl
