kith generate hospital --frobnicate
