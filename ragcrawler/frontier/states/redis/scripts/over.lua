-- now: whether nothing is queued, and nobody is at work on what may lead to more. What waits for another URL when all
-- else is done waits in vain: a worker died before it could settle that. It is queued.
release_ended(arguments[1])
local queued = tonumber(redis.call('HGET', prefix .. 'counts', OPEN) or 0)
local is_busy = redis.call('ZCOUNT', prefix .. 'leases', '-inf', '(inf') > 0
if queued > 0 or is_busy or redis.call('HLEN', prefix .. 'texts:asked_target') > 0 then
    return 0
end
local parked = redis.call('ZRANGE', prefix .. 'leases', 0, 999)
for _, key in ipairs(parked) do
    release(key)
end
return #parked == 0 and 1 or 0
