-- name of a crawl, id of its state: take it out; the next crawl of its name gets another state.
local name, id = unpack(arguments)
if redis.call('HGET', prefix .. 'crawls', name) == id then
    redis.call('HDEL', prefix .. 'crawls', name)
end
redis.call('SADD', prefix .. 'ended', id)
return 1
