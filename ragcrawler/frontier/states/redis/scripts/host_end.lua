-- site: count a request off.
return once(function()
    if number('f:' .. ARGV[1]) > 0 and redis.call('HINCRBY', row, 'f:' .. ARGV[1], -1) == 0 then
        redis.call('HDEL', row, 'f:' .. ARGV[1])
    end
    touch()
    return 1
end)
