-- site, seconds between two requests: take the next turn where it has come; else how many seconds are left. Who comes a
-- trifle late takes nothing from those behind: when requests are sent is up to host_sent.
local MOST_LATE = 0.05
return once(function()
    local now = seconds()
    local turn = number('turn_at')
    local left = math.max(turn, number('held_until')) - now
    if left > 0 then
        return string.format('%.6f', left)
    end
    redis.call('HSET', row, 'turn_at', string.format('%.6f', math.max(turn, now - MOST_LATE) + arguments[2]))
    touch()
    return '0'
end)
