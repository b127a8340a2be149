-- limit: end some of the leases that have an end; how many. What is parked stays so, and is nobody's.
local found = redis.call('ZRANGEBYSCORE', prefix .. 'leases', '-inf', '(inf', 'LIMIT', 0, arguments[1])
for _, key in ipairs(found) do
    release_of_dead(key)
end
if #found == 0 then
    for _, key in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'leases', 'inf', 'inf')) do
        forget_lease(key)
    end
end
return #found
