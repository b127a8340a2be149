-- names of the hash of crawls and of the set of ended ones, name of a crawl, id of its state: take it out; the next
-- crawl of its name gets another state.
local crawls, ended, name, id = unpack(arguments)
if redis.call('HGET', crawls, name) == id then
    redis.call('HDEL', crawls, name)
end
redis.call('SADD', ended, id)
redis.call('HSET', 'ragcrawler:' .. id .. ':end', 'is_done', 1)
redis.call('EXPIRE', 'ragcrawler:' .. id .. ':end', 24 * 3600)
