-- site, seconds between two requests: take the next turn where it has come; else how many seconds are left. Who comes a
-- trifle late takes nothing from those behind: when requests are sent is up to host_sent.
local MOST_LATE = 0.05
local row, now = row_of(arguments[1]), seconds()
local turn, held = unpack(redis.call('HMGET', row, 'turn_at', 'held_until'))
local left = math.max(turn or 0, held or 0) - now
if left > 0 then
    return text_of(left)
end
redis.call('HSET', row, 'turn_at', text_of(math.max(turn or 0, now - MOST_LATE) + arguments[2]))
redis.call('EXPIRE', row, ROW_SECONDS)
return '0'
