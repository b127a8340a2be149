-- workers: zset, who works on the crawl -> until when it counts as alive.
local function beat()
    local alive = redis.call('GET', prefix .. 'alive_seconds') or 60
    redis.call('ZREMRANGEBYSCORE', prefix .. 'workers', '-inf', seconds() - alive)
    redis.call('ZADD', prefix .. 'workers', seconds() + alive, ARGV[1])
end
