-- hash, key, "=" and the text that has to be there or "", text: put a text in place of that one.
local name, key, expected, text = unpack(arguments)
local current = redis.call('HGET', prefix .. name, key)
if (current and '=' .. current or '') ~= expected then
    return 0
end
redis.call('HSET', prefix .. name, key, text)
return 1
