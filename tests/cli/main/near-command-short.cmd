kith hi
