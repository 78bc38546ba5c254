kith console --port 70000
