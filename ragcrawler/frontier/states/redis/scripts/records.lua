-- The records of URLs.
--   seen:<shard>   hash   8-byte key -> 4 check bytes and outcome. Check bytes: another hash of the URL, zeros where
--                         it is not known. Outcome: o open and queued, l open and leased, f fetched, n skipped as
--                         nofollow, or the number of another one in `outcomes`
--   outcomes       list   "status reason"; outcome_numbers: the way back; counts: records by outcome
--   queue:<site> <priority>  list   "=" key sequence \n attempts \n depth \n URL, an https URL without scheme and
--                         host; "^" parent: of all entries behind it
--   back:<site> <priority>   zset   keys that came back, by sequence: they are before all of the queue
--   marks:<site>   hash   by priority: p, the parent of the last entry; c, of the first; b, where some came back
--   due            zset   sites that have queued URLs, by when the next may be leased
--   leases         zset   key -> when it ends, inf where it is parked
--   leased         hash   key -> number of the lease, 0 where it is parked \n record, JSON, "" for one that was leased by
--                         its key, whose entry is still in its queue; returned: key -> record
--   counters:leases  hash  key 0 -> number of the last lease, in microseconds since 1970 where it was given late enough:
--                         a server that was killed may forget the last one, and the next is higher all the same
--   taken          hash   key -> attempts that its entry in the queue does not count
--   reopened       hash   key -> sequence of the entry that counts
--   failed         hash   of URLs and reasons, JSON
-- An entry whose URL was decided or leased meanwhile is passed over when its turn comes.
local OPEN, LEASED, FETCHED, NOFOLLOW = 'o', 'l', 'f', 'n'
local NO_CHECK, NO_KEY = '\0\0\0\0', '\0\0\0\0\0\0\0\0'

local function shard(key)
    local first, second = string.byte(key, 1, 2)
    return prefix .. 'seen:' .. (first * 16 + math.floor(second / 16))
end

local function outcome_of(key)
    local known = redis.call('HGET', shard(key), key)
    return known and string.sub(known, 5)
end

-- Whether the record with a key is of another page than the check bytes.
local function is_other_page(key, check)
    local known = redis.call('HGET', shard(key), key)
    local kept = known and string.sub(known, 1, 4)
    return kept and kept ~= check and kept ~= NO_CHECK and check ~= NO_CHECK
end

-- Check bytes that are known stay; a record that is known needs none.
local function set_outcome(key, outcome, check)
    local known = redis.call('HGET', shard(key), key)
    if known then
        redis.call('HINCRBY', prefix .. 'counts', string.sub(known, 5), -1)
        local kept = string.sub(known, 1, 4)
        check = kept == NO_CHECK and check or kept
    end
    redis.call('HINCRBY', prefix .. 'counts', outcome, 1)
    redis.call('HSET', shard(key), key, check .. outcome)
end

local function number_of(outcome)
    if outcome == 'fetched ' then
        return FETCHED
    elseif outcome == 'skipped nofollow' then
        return NOFOLLOW
    end
    local number = redis.call('HGET', prefix .. 'outcome_numbers', outcome)
    if not number then
        number = tostring(redis.call('RPUSH', prefix .. 'outcomes', outcome) - 1)
        redis.call('HSET', prefix .. 'outcome_numbers', outcome, number)
    end
    return number
end

local function queue_name(site, priority)
    return prefix .. 'queue:' .. site .. ' ' .. priority
end

local function add_entry(site, priority, entry, parent)
    local marks, queue = prefix .. 'marks:' .. site, queue_name(site, priority)
    if redis.call('HGET', marks, 'p' .. priority) ~= parent then
        redis.call('RPUSH', queue, '^' .. parent)
        redis.call('HSET', marks, 'p' .. priority, parent)
    end
    redis.call('RPUSH', queue, '=' .. entry)
    redis.call('ZADD', prefix .. 'due', 'NX', 0, site)
end

local function priorities_of(marks)
    local found, known = {}, {}
    for _, name in ipairs(redis.call('HKEYS', marks)) do
        local kind, priority = string.sub(name, 1, 1), string.sub(name, 2)
        if kind ~= 'c' and not known[priority] then
            known[priority] = true
            found[#found + 1] = priority
        end
    end
    table.sort(found, function(a, b) return tonumber(a) > tonumber(b) end)
    return found
end

local function record_of(site, priority, queued, parent)
    local sequence, attempts, entry = string.match(string.sub(queued, 9), '^(%d+)\n(%d+)\n(.*)$')
    local more = redis.call('HGET', prefix .. 'taken', string.sub(queued, 1, 8)) or 0
    return {
        site = site, priority = priority, sequence = sequence, attempts = attempts + more, entry = entry,
        parent = parent
    }
end

local function pop_returned(site, priority)
    local first = redis.call('ZPOPMIN', prefix .. 'back:' .. site .. ' ' .. priority)
    if #first == 0 then
        return
    end
    local record = cjson.decode(redis.call('HGET', prefix .. 'returned', first[1]))
    redis.call('HDEL', prefix .. 'returned', first[1])
    return first[1], record
end

-- A record that was reopened has a second entry: the first does not count.
local function is_stale(key, entry)
    local sequence = redis.call('HGET', prefix .. 'reopened', key)
    return sequence and sequence ~= string.match(entry, '^%d+')
end

-- The number of the lease of a URL that was leased by its key, where its entry is still in its queue.
local function taken_by(key)
    local leased = redis.call('HGET', prefix .. 'leased', key)
    return leased and string.match(leased, '^(%d+)\n$')
end

-- The first entry that is open, and its key; it is left at the head of the queue, and all before it is gone.
local function first_queued(site, priority, marks)
    local queue = queue_name(site, priority)
    local entry = redis.call('LINDEX', queue, 0)
    while entry do
        local key, outcome = string.sub(entry, 2, 9), nil
        if string.sub(entry, 1, 1) == '^' then
            redis.call('HSET', marks, 'c' .. priority, string.sub(entry, 2))
        elseif not is_stale(key, string.sub(entry, 10)) then
            outcome = outcome_of(key)
        end
        if outcome == OPEN or outcome == LEASED then
            local parent = redis.call('HGET', marks, 'c' .. priority)
            local record = record_of(site, priority, string.sub(entry, 2), parent)
            if outcome == OPEN then
                return key, record
            elseif taken_by(key) then
                -- It was leased by its key: when that lease ends, its record is needed.
                redis.call('HSET', prefix .. 'leased', key, taken_by(key) .. '\n' .. cjson.encode(record))
                redis.call('HDEL', prefix .. 'taken', key)
                redis.call('HDEL', prefix .. 'reopened', key)
            end
        end
        redis.call('LPOP', queue)
        entry = redis.call('LINDEX', queue, 0)
    end
    redis.call('HDEL', marks, 'p' .. priority, 'c' .. priority)
end

local function has_queued(site)
    local marks = prefix .. 'marks:' .. site
    for _, priority in ipairs(priorities_of(marks)) do
        local returned = redis.call('EXISTS', prefix .. 'back:' .. site .. ' ' .. priority)
        if returned == 1 or first_queued(site, priority, marks) then
            return true
        end
        redis.call('HDEL', marks, 'b' .. priority)
    end
    redis.call('ZREM', prefix .. 'due', site)
    return false
end

-- The first record that is queued, and its key; nothing where there is none.
local function pop(site)
    local marks = prefix .. 'marks:' .. site
    for _, priority in ipairs(priorities_of(marks)) do
        local key, record = pop_returned(site, priority)
        if not key then
            redis.call('HDEL', marks, 'b' .. priority)
            key, record = first_queued(site, priority, marks)
            if key then
                redis.call('LPOP', queue_name(site, priority))
                redis.call('HDEL', prefix .. 'taken', key)
                redis.call('HDEL', prefix .. 'reopened', key)
            end
        end
        if key then
            return key, record
        end
    end
    redis.call('ZREM', prefix .. 'due', site)
end

-- So many numbers for leases that begin now: the first of them.
local function next_leases(count)
    local time, last = redis.call('TIME'), redis.call('HGET', prefix .. 'counters:leases', NO_KEY) or 0
    local first = math.max(last + 1, time[1] * 1000000 + time[2])
    redis.call('HSET', prefix .. 'counters:leases', NO_KEY, string.format('%.0f', first + count - 1))
    return first
end

-- Lease a record that is open: its number, and the record with the attempt counted.
local function begin_lease(key, ends, record, lease)
    record.attempts = record.attempts + 1
    local number, text = string.format('%.0f', lease or next_leases(1)), cjson.encode(record)
    set_outcome(key, LEASED)
    redis.call('HSET', prefix .. 'leased', key, number .. '\n' .. text)
    redis.call('ZADD', prefix .. 'leases', ends, key)
    return number, text
end

local function end_lease(key)
    redis.call('ZREM', prefix .. 'leases', key)
    redis.call('HDEL', prefix .. 'leased', key)
    redis.call('HDEL', prefix .. 'taken', key)
end

-- What returned is not in a queue: take it out of what waits, where it is there.
local function take_returned(key)
    local returned = redis.call('HGET', prefix .. 'returned', key)
    local record = returned and cjson.decode(returned)
    if record then
        redis.call('ZREM', prefix .. 'back:' .. record.site .. ' ' .. record.priority, key)
        redis.call('HDEL', prefix .. 'returned', key)
    end
    return record
end

-- A refused URL is decided when it was just queued: its entry need not wait for its turn.
local function remove_entry(site, key)
    for _, priority in ipairs(priorities_of(prefix .. 'marks:' .. site)) do
        local last = redis.call('LINDEX', queue_name(site, priority), -1)
        if last and string.sub(last, 1, 9) == '=' .. key then
            redis.call('RPOP', queue_name(site, priority))
        end
    end
    take_returned(key)
    redis.call('HDEL', prefix .. 'taken', key)
end

local function release(key)
    local leased = redis.call('HGET', prefix .. 'leased', key)
    if not leased then
        return
    end
    redis.call('ZREM', prefix .. 'leases', key)
    redis.call('HDEL', prefix .. 'leased', key)
    set_outcome(key, OPEN)
    local text = string.match(leased, '\n(.*)$')
    if text ~= '' then
        local record = cjson.decode(text)
        redis.call('HSET', prefix .. 'returned', key, text)
        redis.call('ZADD', prefix .. 'back:' .. record.site .. ' ' .. record.priority, record.sequence, key)
        redis.call('HSET', prefix .. 'marks:' .. record.site, 'b' .. record.priority, '')
        redis.call('ZADD', prefix .. 'due', 'NX', 0, record.site)
    end
end

-- A worker that had a key died over it, unless it gave the lease back: then that ended at 0.
local function release_of_dead(key)
    if tonumber(redis.call('ZSCORE', prefix .. 'leases', key)) > 0 then
        redis.call('HINCRBY', prefix .. 'counters:crashes', key, 1)
    end
    release(key)
end

local function release_ended(now)
    for _, key in ipairs(redis.call('ZRANGEBYSCORE', prefix .. 'leases', '-inf', now, 'LIMIT', 0, 1000)) do
        release_of_dead(key)
    end
end
