-- limit: end some of the leases that have an end; how many.
return once(function()
    local found = redis.call('ZRANGEBYSCORE', prefix .. 'leases', '-inf', '(inf', 'LIMIT', 0, arguments[1])
    for _, key in ipairs(found) do
        release_of_dead(key)
    end
    return #found
end)
