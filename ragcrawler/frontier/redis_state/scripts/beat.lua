-- This worker is alive.
redis.call('ZADD', prefix .. 'workers', seconds() + ALIVE_SECONDS, ARGV[1])
