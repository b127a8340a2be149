-- The writes that waited, each: command, count of what follows, name of the key, other arguments.
local index = 6
while index < own do
    local last = index + 1 + ARGV[index + 1]
    redis.call(ARGV[index], prefix .. ARGV[index + 2], unpack(ARGV, index + 3, last))
    index = last + 1
end
