-- A worker that was not heard of while the others ended the crawl must not begin it anew.
if redis.call('HGET', prefix .. 'end', 'is_done') then
    return redis.error_reply('ENDED the other workers ended this crawl while this one was away')
end
