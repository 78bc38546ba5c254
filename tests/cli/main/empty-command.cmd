kith ""
