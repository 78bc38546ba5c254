kith -h | head -1; kith help | head -1
