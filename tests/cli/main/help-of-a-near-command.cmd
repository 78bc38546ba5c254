kith help descr
