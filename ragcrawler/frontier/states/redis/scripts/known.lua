-- keys...: what `seen` holds of each, "" where it is not known.
local found = {}
for index, key in ipairs(arguments) do
    found[index] = redis.call('HGET', shard(key), key) or ''
end
return found
