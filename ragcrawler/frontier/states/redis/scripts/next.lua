-- site, seconds between two requests, seconds of the lease: take the host's turn and lease a URL of it, both or none.
-- Seconds until the turn; then, where it has come and there is one, key and record.
return once(function()
    local now = seconds()
    release_ended(now)
    local left = math.max(number('turn_at'), number('held_until')) - now
    if left > 0 then
        return {string.format('%.6f', left)}
    end
    local key, record = pop(arguments[1])
    if not key then
        return {'0'}
    end
    record.attempts = record.attempts + 1
    record.worker = ARGV[1]
    local text = cjson.encode(record)
    begin_lease(key, now + arguments[3], text)
    redis.call('HSET', row, 'turn_at', string.format('%.6f', now + arguments[2]))
    touch()
    return {'0', key, text}
end)
