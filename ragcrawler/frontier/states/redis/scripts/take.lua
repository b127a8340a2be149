-- key, until: lease one record that is open and nobody's: the number of the lease, "0" where it is not.
local key, ends = arguments[1], arguments[2]
if outcome_of(key) ~= OPEN then
    return '0'
end
local record = take_returned(key)
if record then
    return (begin_lease(key, ends, record))
end
local number = string.format('%.0f', next_leases(1))
redis.call('HINCRBY', prefix .. 'taken', key, 1)
set_outcome(key, LEASED)
redis.call('HSET', prefix .. 'leased', key, number .. '\n')
redis.call('ZADD', prefix .. 'leases', ends, key)
return number
