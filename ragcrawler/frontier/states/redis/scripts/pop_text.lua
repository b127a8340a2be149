-- name of a hash, key: the text, which is forgotten; "" where there is none, else "=" and the text.
local name = prefix .. arguments[1]
local text = redis.call('HGET', name, arguments[2])
redis.call('HDEL', name, arguments[2])
return text and '=' .. text or ''
