-- Every script ends with this one: what stands before it is in the function `effect`.
local answer = effect()
if ARGV[2] ~= '0' then
    redis.call('SET', memory, cmsgpack.pack({ARGV[2], answer}), 'EX', 3600)
end
return answer
