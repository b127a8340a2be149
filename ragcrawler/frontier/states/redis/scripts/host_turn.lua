-- site, seconds between two requests: take the next turn where it has come; else how many seconds are left.
return once(function()
    local now = seconds()
    local left = math.max(number('turn_at'), number('held_until')) - now
    if left > 0 then
        return string.format('%.6f', left)
    end
    redis.call('HSET', row, 'turn_at', string.format('%.6f', now + arguments[2]))
    touch()
    return '0'
end)
