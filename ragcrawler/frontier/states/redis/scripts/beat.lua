-- This worker is alive.
beat()
