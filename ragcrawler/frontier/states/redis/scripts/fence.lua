-- A worker that was not heard of while the others ended the crawl must not begin it anew.
if redis.call('HGET', prefix .. 'end', 'is_done') then
    return redis.error_reply('ENDED the other workers ended this crawl while this one was away')
end
-- Nor may one write that stood still until its lease was another worker's.
if ARGV[3] ~= '' and lease_of(ARGV[3]) ~= ARGV[4] then
    return redis.error_reply('LEASE this worker has it no more')
end
