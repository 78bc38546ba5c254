kith help generate | head -1
