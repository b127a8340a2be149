-- results: leave them, and ask who ends the crawl: 1 this worker, 0 another one has, -1 others still work.
-- A worker that dies while it ends the crawl is followed by another that still waits.
local now = seconds()
beat()
redis.call('HSET', prefix .. 'results', ARGV[1], arguments[1])
local ends = redis.call('HGET', prefix .. 'end', 'worker')
if redis.call('HGET', prefix .. 'end', 'is_done') then
    return 0
end
for _, worker in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'workers', now, '+inf')) do
    if worker ~= ARGV[1] and (worker == ends or redis.call('HEXISTS', prefix .. 'results', worker) == 0) then
        return -1
    end
end
redis.call('HSET', prefix .. 'end', 'worker', ARGV[1], 'results', arguments[1])
return 1
