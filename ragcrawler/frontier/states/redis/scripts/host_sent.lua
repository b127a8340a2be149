-- site, seconds, usual seconds between two requests: a request of a turn can be sent: '0' where it is now, else how many seconds are left since the last
-- one of any worker was sent. Turns go on by their own pace, so that workers connect meanwhile; one that is kept waiting
-- moves them by a tenth of that, and one that was sent far behind its turn, to it.
local MOST_BEHIND = 1
local row, delay, now = row_of(arguments[1]), tonumber(arguments[2]), seconds()
local sent, turn, pace = unpack(redis.call('HMGET', row, 'sent_at', 'turn_at', 'pace'))
local left = (sent or 0) + delay - now
if left > 0 then
    redis.call('HSET', row, 'turn_at', text_of((turn or 0) + left / 10))
    return text_of(left)
end
redis.call('HSET', row, 'sent_at', text_of(now), 'turn_at', text_of(math.max(turn or 0, now + delay - MOST_BEHIND)))
if pace ~= arguments[3] then
    redis.call('HSET', row, 'pace', arguments[3])
end
redis.call('EXPIRE', row, ROW_SECONDS)
return '0'
