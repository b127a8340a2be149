-- key, until: lease one record that is open and nobody's; whether it was.
local key, ends = arguments[1], arguments[2]
return once(function()
    if outcome_of(key) ~= OPEN then
        return 0
    end
    local returned = redis.call('HGET', prefix .. 'returned', key)
    if returned then
        local record = cjson.decode(returned)
        redis.call('ZREM', prefix .. 'back:' .. record.site .. ' ' .. record.priority, key)
        redis.call('HDEL', prefix .. 'returned', key)
        record.attempts = record.attempts + 1
        record.worker = ARGV[1]
        begin_lease(key, ends, cjson.encode(record))
    else
        redis.call('HINCRBY', prefix .. 'taken', key, 1)
        begin_lease(key, ends, '@' .. ARGV[1])
    end
    return 1
end)
