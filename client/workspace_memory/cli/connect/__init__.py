"""Writing this server into the configuration files of other programs, without losing anything that is in them."""
