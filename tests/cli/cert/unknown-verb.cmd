kith cert renew
