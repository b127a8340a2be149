-- site, seconds: a request of a turn can be sent: '0' where it is now, else how many seconds are left since the last
-- one of any worker was sent. Turns go on by their own pace, so that workers connect meanwhile; one that is kept waiting
-- moves them by a tenth of that, and one that was sent far behind its turn, to it.
local MOST_BEHIND = 1
return once(function()
    local now = seconds()
    local left = number('sent_at') + arguments[2] - now
    if left > 0 then
        raise('turn_at', string.format('%.6f', number('turn_at') + left / 10))
        return string.format('%.6f', left)
    end
    redis.call('HSET', row, 'sent_at', string.format('%.6f', now))
    raise('turn_at', string.format('%.6f', now + arguments[2] - MOST_BEHIND))
    touch()
    return '0'
end)
