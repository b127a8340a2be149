-- This worker begins: how many others are alive; -1 where the crawl has ended.
if redis.call('HGET', prefix .. 'end', 'is_done') then
    return -1
end
beat()
local others = redis.call('ZCOUNT', prefix .. 'workers', seconds(), '+inf') - 1
if others == 0 then
    redis.call('DEL', prefix .. 'opened')
end
return others
