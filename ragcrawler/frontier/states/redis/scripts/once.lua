-- Every script begins with this one. KEYS[1]: prefix of the crawl's keys. ARGV[1]: who calls, ARGV[2]: number of
-- the call, ARGV[3]: how many of the next belong to writes that waited for it; the rest is the script's own. A call
-- that is repeated, because its answer was lost with the connection, gets the answer again and has no second effect.
local prefix = KEYS[1]
local own = 4 + ARGV[3]
local arguments = {}
for index = own, #ARGV do
    arguments[index - own + 1] = ARGV[index]
end

-- Each write: command, count of what follows, name of the key, other arguments.
if own > 4 then
    local memory = prefix .. 'wrote:' .. ARGV[1]
    if redis.call('GET', memory) ~= ARGV[2] then
        local index = 4
        while index < own do
            local last = index + 1 + ARGV[index + 1]
            redis.call(ARGV[index], prefix .. ARGV[index + 2], unpack(ARGV, index + 3, last))
            index = last + 1
        end
        redis.call('SET', memory, ARGV[2], 'EX', 3600)
    end
end

local function once(effect)
    local memory = prefix .. 'call:' .. ARGV[1]
    local last = redis.call('GET', memory)
    if last then
        local number, answer = unpack(cmsgpack.unpack(last))
        if number == ARGV[2] then
            return answer
        end
    end
    local answer = effect()
    redis.call('SET', memory, cmsgpack.pack({ARGV[2], answer}), 'EX', 3600)
    return answer
end
