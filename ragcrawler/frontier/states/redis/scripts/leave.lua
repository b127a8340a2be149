-- results or "": leave them, and do no more: how many others are alive.
if arguments[1] ~= '' then
    redis.call('HSET', prefix .. 'results', ARGV[1], arguments[1])
end
redis.call('ZREM', prefix .. 'workers', ARGV[1])
return redis.call('ZCOUNT', prefix .. 'workers', seconds(), '+inf')
