-- site: in flight, then the other fields as texts.
local fields = redis.call(
    'HMGET', row, 'next_at', 'delay_seconds', 'held_until', 'is_given_up', 'failures', 'pauses'
)
for index = 1, 6 do
    fields[index] = fields[index] or '0'
end
return {in_flight(), unpack(fields)}
