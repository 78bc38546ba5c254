kith pkg revoke
