"""Another program as an adapter, over sockets."""
