kith report
