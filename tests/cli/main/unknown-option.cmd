kith --frobnicate
