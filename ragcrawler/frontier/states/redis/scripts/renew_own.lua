-- until, keys...: prolong the leases that this worker still has; those that it has not.
return once(function()
    local lost = {}
    for index = 2, #arguments do
        local key = arguments[index]
        local leased = redis.call('HGET', prefix .. 'leased', key)
        local worker = taken_by(key) or (leased and cjson.decode(leased).worker)
        if worker == ARGV[1] then
            redis.call('ZADD', prefix .. 'leases', arguments[1], key)
        else
            lost[#lost + 1] = key
        end
    end
    return lost
end)
