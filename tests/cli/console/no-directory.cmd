kith console nowhere
