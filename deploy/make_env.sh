#!/bin/sh
# Writes .env for compose.yaml, with new secrets; leaves one that exists alone.
#   deploy/make_env.sh [FILE]
set -eu
file=${1:-.env}
if [ -e "$file" ]; then
    echo "$file exists and is left as it is" >&2
    exit 1
fi
secret() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
redis=$(secret)
postgres=$(secret)
umask 077
cat >"$file" <<END
# The secrets of compose.yaml, and any setting of docs/settings.md. Keep it to yourself.
SERVER_TOKEN=$(secret)
QDRANT_API_KEY=$(secret)
SEARXNG_SECRET=$(secret)
REDIS_PASSWORD=$redis
POSTGRES_PASSWORD=$postgres

# Say who you are: it stands in the user agent that sites see.
# CONTACT=+https://example.org/crawler; crawler@example.org

# With the profile search:
# SEARXNG_URL=http://searxng:8080

# With the profile scale, both:
# REDIS_URL=redis://:$redis@redis:6379/0
# POSTGRES_DSN=postgresql://ragcrawler:$postgres@postgres:5432/ragcrawler

# With the profile tor:
# ROTATING_PROXY_LIST=http://tor-proxy:3128
END
echo "$file is written"
