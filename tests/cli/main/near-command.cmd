kith anonymze
