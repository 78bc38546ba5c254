kith report run
