-- now: whether nothing is queued, and nothing is leased but what waits for another URL.
release_ended(arguments[1])
local queued = tonumber(redis.call('HGET', prefix .. 'counts', OPEN) or 0)
return (queued == 0 and redis.call('ZCOUNT', prefix .. 'leases', '-inf', '(inf') == 0) and 1 or 0
