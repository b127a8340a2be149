-- Every script begins with this one. KEYS[1]: prefix of the crawl's keys. ARGV[1]: who calls, ARGV[2]: number of
-- the call; the rest is the script's own. A call that is repeated, because its answer was lost with the connection,
-- gets the answer again and has no second effect.
local prefix = KEYS[1]
local arguments = {}
for index = 3, #ARGV do
    arguments[index - 2] = ARGV[index]
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
