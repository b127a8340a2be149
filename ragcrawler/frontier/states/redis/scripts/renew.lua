-- until, keys...: prolong leases that have not ended; how many there were.
return once(function()
    local renewed = 0
    for index = 2, #arguments do
        if redis.call('ZSCORE', prefix .. 'leases', arguments[index]) then
            redis.call('ZADD', prefix .. 'leases', arguments[1], arguments[index])
            renewed = renewed + 1
        end
    end
    return renewed
end)
