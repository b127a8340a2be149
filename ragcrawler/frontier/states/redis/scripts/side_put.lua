-- key, site, text, whether it is restored: queue a text; a restored one only where it is neither queued nor leased.
local key, site, text, is_restored = unpack(arguments)
if is_restored == '1' then
    if redis.call('ZSCORE', LEASES, key) or redis.call('ZSCORE', prefix .. 'side:' .. site, key) then
        return 0
    end
end
redis.call('HSET', TEXTS, key, text)
side_end_lease(key)
side_queue(key, site, redis.call('INCR', prefix .. 'sequence'))
return 1
