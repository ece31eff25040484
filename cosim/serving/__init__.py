"""Cases, or single adapters of them, as peers: another run is the master."""
