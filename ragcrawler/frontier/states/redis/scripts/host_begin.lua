-- site, next_at: count a request in flight, and set when the next may follow.
return once(function()
    redis.call('HINCRBY', row, 'f:' .. ARGV[1], 1)
    raise('next_at', arguments[2])
    touch()
    return 1
end)
