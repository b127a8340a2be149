"""Every setting, in the order in which it acts.

A value given to `scrapy ... -s NAME=VALUE` wins over the environment, which wins over `.env`, which wins over
what stands here. Units are in the names. `docs/settings.md` explains each setting of ours.
"""

from ragcrawler import __version__, components
from ragcrawler.environment import environment_path as _path
from ragcrawler.environment import environment_value as _given
from ragcrawler.environment import is_under_scrapyd, project_root

RAGCRAWLER_ROOT = str(project_root())  # by the environment alone; "": the closest scrapy.cfg, or this folder
BOT_NAME = "ragcrawler"
SPIDER_MODULES = ["ragcrawler.spiders"]
SPIDER_LOADER_CLASS = "ragcrawler.spiders.loader.LazySpiderLoader"  # imports the spider that runs
NEWSPIDER_MODULE = "ragcrawler.spiders"
COMMANDS_MODULE = "ragcrawler.commands"

# --- where results go ---------------------------------------------------------------------------------------
OUTPUT_DIR = _path("OUTPUT_DIR", "output")
DISK_RESERVE_MEBIBYTES = 256  # that stay free on the disk; 0: it is not looked at
FEEDS = {"%(run_folder)s/documents.jsonl": {"format": "jsonlines", "encoding": "utf-8", "store_empty": True}}
FEED_EXPORTERS = {"csv": "ragcrawler.extensions.csv_exporter.DefusedCsvItemExporter"}
FEED_URI_PARAMS = "ragcrawler.extensions.feed.uri_parameters"
FEED_EXPORT_ENCODING = "utf-8"
FEED_DOCUMENTS = "all"  # that the crawl found; or "changes": new and changed ones alone

# --- which URLs ---------------------------------------------------------------------------------------------
JUNK_URL_PATTERN: str | None = (
    None  # None: the pattern of ragcrawler.frontier.filters.junk; "": nothing is junk
)
JUNK_URL_KEEP = ""  # words of it whose pages are kept: some of contact, privacy, terms, faq, tag, with commas
MAX_LINKS_PER_PAGE = 10_000
SITEMAPS = "auto"  # sitemaps, llms.txt and feeds; "auto": unless max_depth is given; "always", "off"
SITEMAP_MAX_URLS = 50_000  # of one site
SITEMAP_MAX_FILES = 100  # of one site
SITEMAP_MAX_MEBIBYTES = 50  # of one file, decompressed
SITEMAP_MAX_NESTING = 3  # indexes within indexes
PLAN_PAGES = 0  # linked pages that `scrapy plan` fetches; 0: this is a crawl
TRAP_MAX_URL_CHARACTERS = 1_000  # for each of these 0 is no bound
TRAP_MAX_PARAMETERS = 10  # of a query
TRAP_MAX_SEGMENTS = 25  # of a path
TRAP_MAX_REPETITIONS = 3  # of one segment in a path
TRAP_MAX_DATES = 200  # URLs that differ in a date alone
TRAP_MAX_FACETS = 10  # URLs of one path for each value of its most varied parameter
SOFT_404 = True  # ask a site once for what is not there, where its pages look like that
# Processes with the same one work on one crawl, on any machines; it needs a Qdrant server and PostgreSQL.
REDIS_URL = _given("REDIS_URL")
REDIS_LEASE_SECONDS = _given("REDIS_LEASE_SECONDS", "120")  # then a dead worker's pages go to another
REDIS_WAIT_SECONDS = _given("REDIS_WAIT_SECONDS", "300")  # how long a Redis that is away is waited for
RESUME = 1  # a crawl that broke goes on, with the same arguments; 0: it begins anew
SCHEDULER_DISK_QUEUE = "scrapy.squeues.PickleFifoDiskQueue"
SCHEDULER_MEMORY_QUEUE = "scrapy.squeues.FifoMemoryQueue"

# --- politeness ---------------------------------------------------------------------------------------------
CONTACT = _given("CONTACT")  # an address of yours, for those whose sites are crawled
USER_AGENT = _given("USER_AGENT", f"ragcrawler/{__version__} ({CONTACT or 'crawler; no contact given'})")
ROBOTSTXT_OBEY = True
ROBOTSTXT_USER_AGENT = "ragcrawler"
ROBOTS_TAGS_OBEY = True  # meta robots and X-Robots-Tag
REL_NOFOLLOW_OBEY = True
ROBOTS_MAX_CRAWL_DELAY_SECONDS = 60.0
ROBOTS_RETRY_TIMES = 3
ROBOTS_RETRY_SECONDS = 10.0  # doubles
DOWNLOAD_DELAY = 0.075  # seconds: 12.5 requests a second and domain on average, 10 on a busy machine
DOWNLOAD_DELAY_JITTER = 0.2
AUTOTHROTTLE_ENABLED = True  # slower than that where a site answers slowly
AUTOTHROTTLE_START_DELAY = DOWNLOAD_DELAY
AUTOTHROTTLE_TARGET_CONCURRENCY = 4.0
AUTOTHROTTLE_MAX_DELAY = 30.0
CONCURRENT_REQUESTS = 32
CONCURRENT_REQUESTS_PER_DOMAIN = 8
SCHEDULER = "ragcrawler.scheduler.PoliteScheduler"
SCHEDULER_PRIORITY_QUEUE = "ragcrawler.scheduler.PoliteQueue"
RETRY_TIMES = 2
RETRY_GIVE_UP_LOG_LEVEL = "DEBUG"  # the run logs each loss by itself
RETRY_BACKOFF_BASE_SECONDS = 1.0
RETRY_BACKOFF_MAX_SECONDS = 60.0
RETRY_AFTER_MAX_SECONDS = 300.0
SITE_MAX_FAILURES = 20
SITE_PAUSE_SECONDS = 30.0  # doubles
SITE_MAX_PAUSES = 3

# --- fetching -----------------------------------------------------------------------------------------------
DOWNLOADER = "ragcrawler.middlewares.throttling.downloader.PromptDownloader"
DOWNLOAD_HANDLERS = {
    "http": "ragcrawler.middlewares.download_handlers.http_handler.HttpHandler",
    "https": "ragcrawler.middlewares.download_handlers.http_handler.HttpHandler",
    **dict.fromkeys(("file", "data", "ftp", "s3")),  # None: a page must not reach into this machine
}
DOWNLOAD_VERIFY_CERTIFICATES = True
DOWNLOAD_MAXSIZE = 32 * 2**20  # bytes
DOWNLOAD_WARNSIZE = 0
DOWNLOAD_MAX_DECOMPRESSION = 100  # bytes that may come of one; a mebibyte always may
DOWNLOAD_MAX_HEADER_KIBIBYTES = 128
DOWNLOAD_TIMEOUT = 30  # seconds
DNS_TIMEOUT = 10  # seconds
REDIRECT_MAX_TIMES = 10
SITE_MAX_MEBIBYTES = 20_480  # received from one site in a run; 0 is no bound
METAREFRESH_ENABLED = False  # such a target is followed as a link
COOKIES_ENABLED = False
CRAWL_COOKIES = _given("CRAWL_COOKIES")  # JSON: {"docs.example.org": "session=..."}
CRAWL_HEADERS = _given("CRAWL_HEADERS")  # JSON: {"docs.example.org": {"Authorization": "Bearer ..."}}
HTTPCACHE_ENABLED = True  # a second crawl asks for each page only whether it changed
HTTPCACHE_DIR = "httpcache"  # in OUTPUT_DIR
HTTPCACHE_POLICY = "ragcrawler.middlewares.cache.policy.RevalidatingPolicy"
HTTPCACHE_STORAGE = "ragcrawler.middlewares.cache.storage.SqliteCacheStorage"
HTTPCACHE_EXPIRATION_SECS = 90 * 24 * 3600  # since a page was last confirmed
HTTPCACHE_MAX_MEBIBYTES = 2048
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False  # runs code that comes over HTTP
DOWNLOADER_MIDDLEWARES = components.DOWNLOADER_MIDDLEWARES

PROXY = ""  # "tor": the clients of `scrapy tor`
ROTATING_PROXY_LIST = _given("ROTATING_PROXY_LIST")  # host:port or URLs, with commas
ROTATING_PROXY_LIST_PATH = _path("ROTATING_PROXY_LIST_PATH")  # a file with one a line
ROTATING_PROXY_BAN_POLICY = ""  # "": ragcrawler.middlewares.ban_policy.PageBanPolicy
ROTATING_PROXY_CLOSE_SPIDER = False
ROTATING_PROXY_PAGE_RETRY_TIMES = 5
ROTATING_PROXY_BACKOFF_BASE = 300  # seconds
ROTATING_PROXY_BACKOFF_CAP = 3600  # seconds

# --- JavaScript, in the system's Chromium -------------------------------------------------------------------
JAVASCRIPT = "auto"  # pages whose text is thin beside their scripts; "always"; "never"
CHROMIUM_PATH = _given("CHROMIUM_PATH")  # "": looked for on PATH
JAVASCRIPT_MAX_PAGES = 2_000  # of a crawl; 0: any number
JAVASCRIPT_MAX_PAGES_PER_HOST = 1_000
JAVASCRIPT_MIN_QUALITY = 0.5  # below it, pages that look like applications are rendered; 0: none
JAVASCRIPT_CONCURRENT_PAGES = 2
JAVASCRIPT_PAGE_TIMEOUT_SECONDS = 20.0
JAVASCRIPT_MAX_REQUESTS_PER_PAGE = 100
JAVASCRIPT_MAX_PAGE_MEBIBYTES = 32  # what its scripts bring, and the page in the end
JAVASCRIPT_PAGES_PER_BROWSER = 200  # then it is replaced
JAVASCRIPT_MAX_MEMORY_MEBIBYTES = 1_024  # resident size of the browser after which it is replaced

# --- search engines -----------------------------------------------------------------------------------------
SEARXNG_URL = _given("SEARXNG_URL")  # of an instance of yours; may be private
SEARXNG_ENGINES = ""  # that it shall ask, with commas; "": as it is set up
BRAVE_SEARCH_API_KEY = _given("BRAVE_SEARCH_API_KEY")
GOOGLE_SEARCH_API_KEY = _given("GOOGLE_SEARCH_API_KEY")
GOOGLE_SEARCH_ENGINE_ID = _given("GOOGLE_SEARCH_ENGINE_ID")  # "cx" of a programmable search engine
SEARCH_ADDRESSES: dict[str, str] = {}  # engines under other addresses: {"google": "https://www.google.de"}
SEARCH_ROBOTS_OBEY = True  # leave pages of results alone that an engine's robots.txt forbids
SEARCH_DELAY_SECONDS = 1.0  # between two requests to a service, on average
SEARCH_BROWSER_DELAY_SECONDS = 8.0  # between two pages of results in the browser, on average
SEARCH_TIMEOUT_SECONDS = 20.0
SEARCH_USER_AGENT = ""  # "": USER_AGENT

# --- memory -------------------------------------------------------------------------------------------------
SCRAPER_SLOT_MAX_ACTIVE_SIZE = 500_000  # bytes of responses in the pipelines; the only bound on their number
CONCURRENT_ITEMS = 4  # tasks that Scrapy makes for each response, whatever it yields

# --- the pipelines ------------------------------------------------------------------------------------------
ITEM_PIPELINES = components.ITEM_PIPELINES

# --- converting and chunking, in worker processes -----------------------------------------------------------
PREPARATION_WORKERS = 0  # 0: one where models run on this machine's CPU, else one a CPU
PREPARATION_TIMEOUT_SECONDS = 120
PREPARATION_MAX_MEMORY_MEBIBYTES = 3072
PREPARATION_REPLACE_MEBIBYTES = 512  # resident size after which a worker is replaced between two documents
CONVERSION_MAX_INPUT_MEBIBYTES = 32
CONVERSION_MAX_PAGES = 2000
CONVERSION_MAX_DECOMPRESSED_MEBIBYTES = 256
CONVERSION_MAX_NESTING_LEVELS = 200
DOCLING_ARTIFACTS_PATH = _path("DOCLING_ARTIFACTS_PATH")  # "": PDFs by their text layer, without weights
PDF_OCR = False  # needs the weights
CHUNK_PROFILE = "auto"  # structure, firecrawl; auto: firecrawl for the spider of that name, else structure
CHUNK_STRATEGY = ""  # "": the profile's
CHUNK_TOKENIZER = ""  # "": the embedding model's
CHUNK_TARGET_TOKENS = 0  # 0: 400 of 512 tokens of the model's limit
CHUNK_MAX_TOKENS = 0  # 0: 480 of 512
CHUNK_MIN_TOKENS = 0  # 0: 100 of 512
CHUNK_OVERLAP_TOKENS = -1  # -1: 50 of 512
CHUNK_EMBED_OVERLAP = False
CHUNK_CODE_POLICY = ""  # "": the profile's
TRUNCATION_BUFFER = 10  # tokens left free where a run that nothing can break is truncated
DOCUMENT_MAX_CHUNKS = 20_000  # for this and the next 0 is no bound
DOCUMENT_MAX_CHUNK_MEBIBYTES = 64  # of one document: its chunks as they are stored, without vectors

# --- the same text at several addresses ---------------------------------------------------------------------
NEAR_DUPLICATE_SIMILARITY = 0.95  # of word sequences; 0: only exact copies are left out
NEAR_DUPLICATE_MIN_WORDS = 100  # shorter texts are only compared exactly
SHARED_BLOCK_SHARE = 0.5  # of a site's pages, from which on a block of text is boilerplate; 0: never

# --- embedding ----------------------------------------------------------------------------------------------
EMBEDDING_MODEL = _given("EMBEDDING_MODEL", "auto")
SPARSE_EMBEDDING_MODEL = _given("SPARSE_EMBEDDING_MODEL", "auto")
EMBEDDING_DEVICE = _given("EMBEDDING_DEVICE", "auto")  # "cpu", "cuda"; "auto": a GPU where there is one
EMBEDDING_PRECISION = _given("EMBEDDING_PRECISION", "original")  # "int8": new collections' models in 8 bits
TOKEN_VECTORS = _given("TOKEN_VECTORS", "")  # of new collections; "": where the model is a bundled one
EMBEDDING_BATCH_TOKENS = 0  # 0: one text a run on a CPU, 16,384 tokens on a GPU
EMBEDDING_THREADS = 0  # 0: one a CPU
EMBEDDING_PROVIDER = _given(
    "EMBEDDING_PROVIDER", "local"
)  # "openai", "cohere": the dense model runs elsewhere
EMBEDDING_URL = _given("EMBEDDING_URL")  # "": the provider's own; up to the version: http://localhost:8080/v1
EMBEDDING_API_KEY = _given("EMBEDDING_API_KEY")
COHERE_API_KEY = _given("COHERE_API_KEY")  # where the former is empty
EMBEDDING_TOKENIZER = _path("EMBEDDING_TOKENIZER")  # a tokenizer.json that counts as the remote model does
EMBEDDING_LIMIT_TOKENS = 512  # of a text for the remote model
EMBEDDING_REQUEST_TEXTS = 0  # 0: as the provider has it: 96 for Cohere, else 32
EMBEDDING_REQUESTS_AT_ONCE = 4
EMBEDDING_REQUESTS_PER_MINUTE = -1  # 0: no limit; -1: as the provider has it: 100 for Cohere, else none
EMBEDDING_TOKENS_PER_MINUTE = 0  # 0: no limit
EMBEDDING_BUDGET_REQUESTS = 0  # of one run; 0: no limit
EMBEDDING_BUDGET_TOKENS = 0  # of one run; 0: no limit
EMBEDDING_TIMEOUT_SECONDS = 30.0  # of one request
EMBEDDING_RETRIES = 5
EMBEDDING_CACHE_MEBIBYTES = 1024  # vectors of texts that were embedded before; 0: none are kept
EMBEDDING_CACHE_PATH = _path("EMBEDDING_CACHE_PATH")  # "": `embedding_cache.sqlite` in OUTPUT_DIR
MODEL_CACHE_DIR = _path("MODEL_CACHE_DIR")  # "": the user's cache folder
FASTEMBED_CACHE_PATH = _path("FASTEMBED_CACHE_PATH")
HF_ENDPOINT = _given("HF_ENDPOINT")
HF_HUB_OFFLINE = _given("HF_HUB_OFFLINE", "0")
HUB_TIMEOUT_SECONDS = 5.0

# --- storing ------------------------------------------------------------------------------------------------
QDRANT_URL = _given("QDRANT_URL")  # "": embedded, in QDRANT_FOLDER
QDRANT_API_KEY = _given("QDRANT_API_KEY")
QDRANT_COLLECTION = _given("QDRANT_COLLECTION", "ragcrawler")
QDRANT_FOLDER = _path("QDRANT_FOLDER")  # "": `qdrant` in OUTPUT_DIR
QDRANT_TIMEOUT_SECONDS = 30
POSTGRES_DSN = _given("POSTGRES_DSN")  # "": the catalogue is a file in OUTPUT_DIR
STORE_WAIT_SECONDS = 60  # how long a store that is away is waited for
# How long a crawl waits for an embedded collection that another process has; scrapyd names the project.
COLLECTION_WAIT_SECONDS = _given("COLLECTION_WAIT_SECONDS", "3600" if is_under_scrapyd() else "0")
# How long a page is left alone by a crawl with -a revisit=due; docs/crawling.md says how it adapts.
REVISIT_FIRST_HOURS = 24.0  # after it was seen for the first time
REVISIT_MIN_HOURS = 24.0
REVISIT_MAX_HOURS = 720.0
REVISIT_GROWTH = 0.1  # a page that did not change: 1.1 times as long
REVISIT_SHRINKAGE = 0.2  # one that changed: a fifth of the way to the shortest
GONE_AFTER = 2  # runs in a row that find a page gone before its chunks are deleted
DELETE_BRAKE = 10.0  # percent of a domain's documents; were more to go in one run, none does
QDRANT_CA_FILE = _path("QDRANT_CA_FILE")  # "": the authorities that the machine trusts
QDRANT_PREFER_GRPC = _given("QDRANT_PREFER_GRPC", "0")
QDRANT_GRPC_PORT = _given("QDRANT_GRPC_PORT", "6334")
QDRANT_ON_DISK = _given("QDRANT_ON_DISK", "0")  # vectors of a new collection stay out of memory
QDRANT_QUANTIZATION = _given("QDRANT_QUANTIZATION", "none")  # of a new collection; "scalar"

# --- searching ----------------------------------------------------------------------------------------------
HYBRID_WEIGHTS = _given(
    "HYBRID_WEIGHTS", "dense=1,bm25=0.5,sparse=0.25,document=0.7,links=0.7,listing=0.2,page=0.05"
)
QUESTION_WEIGHTS = _given(  # where the collection has token vectors
    "QUESTION_WEIGHTS", "dense=1,bm25=0.4,sparse=0.2,document=0.5,tokens=1,listing=0.2,page=0.05"
)
HYBRID_FUSION = "dbsf"  # by scores; or "rrf", by ranks
HYBRID_RRF_K = 60
QUERY_EXPANSION = False  # search other wordings of a question too, of the language model
RERANKER = _given("RERANKER")  # "": none; "llm", "cross-encoder"
RERANK_TIMEOUT_SECONDS = 30.0
CROSS_ENCODER_MODEL = _given("CROSS_ENCODER_MODEL", "Xenova/ms-marco-MiniLM-L-6-v2")

# --- serving ------------------------------------------------------------------------------------------------
SERVER_TOKEN = _given(
    "SERVER_TOKEN"
)  # that every request has to carry; required where others reach the server
SERVER_HOSTS = _given("SERVER_HOSTS")  # names that requests may ask for, beside this machine's own
SERVER_REQUESTS_PER_SECOND = 20.0  # of one client, on average
SERVER_ASKS_PER_MINUTE = 10.0  # of all clients together; each asks the language model

# --- the language model -------------------------------------------------------------------------------------
LLM_MODEL = _given("LLM_MODEL")  # "": none; "openai/NAME", or a server's own name with LLM_BASE_URL
LLM_BASE_URL = _given("LLM_BASE_URL")
LLM_API_KEY = _given("LLM_API_KEY")
LLM_OUTPUT = _given("LLM_OUTPUT", "tools")  # or "json_schema", "json"
LLM_TIMEOUT_SECONDS = 60.0
LLM_ATTEMPTS = 2
LLM_MAX_OUTPUT_TOKENS = 2048
LLM_CONCURRENCY = 4  # from here on: for what asks many times
LLM_REQUESTS_PER_MINUTE = 0  # 0: no limit
LLM_TOKENS_PER_MINUTE = 0  # 0: no limit
LLM_RETRIES = 5  # of a request that the service did not answer
LLM_PRICE_INPUT = _given("LLM_PRICE_INPUT", "0")  # US dollars a million tokens
LLM_PRICE_OUTPUT = _given("LLM_PRICE_OUTPUT", "0")
LLM_PRICE_CACHED_INPUT = _given("LLM_PRICE_CACHED_INPUT")  # "": as LLM_PRICE_INPUT
LLM_BATCH_PRICE_FACTOR = 0.5  # of a call in a batch, beside one by itself
LLM_LEDGER_PATH = _path("LLM_LEDGER_PATH")  # "": `llm_calls.sqlite` in OUTPUT_DIR

# --- summaries, by the language model -----------------------------------------------------------------------
SUMMARIZE = _given("SUMMARIZE", "0")
SUMMARY_SENTENCES = "2-3"
SUMMARY_MAX_TOKENS = 150
SUMMARY_KNOWLEDGE_BASE = _given("SUMMARY_KNOWLEDGE_BASE")  # a sentence or two on what is crawled
SUMMARY_DOCUMENT_CHARACTERS = 16_000  # of the page's beginning, sent with each passage; 0: none
SUMMARY_EMBED = False  # with the passage; else they are only stored beside it
RESEARCH_CONCURRENCY = 8  # pages that are fetched and read at once
RESEARCH_PART_CHARACTERS = 12_000  # of a page, that one call is shown
RESEARCH_MAX_PARTS = 8  # of one page; what is behind them is counted and not read
RESEARCH_OUTPUT_TOKENS = 4_000  # of an answer
SUMMARY_BUDGET_CALLS = 0  # for these three: in all, as the ledger has it; 0: no limit
SUMMARY_BUDGET_TOKENS = 0
SUMMARY_BUDGET_USD = 0.0

# --- watching -----------------------------------------------------------------------------------------------
EXTENSIONS = components.EXTENSIONS
TRACE_URLS = False  # what became of each URL and why, in urls.jsonl of the run's folder
PROGRESS_ENABLED = True
PROGRESS_INTERVAL_SECONDS = 30.0  # between the lines where there is no terminal
LOG_LEVEL = _given("LOG_LEVEL", "INFO")
LOG_FORMATTER = "ragcrawler.extensions.log_formatter.ShortLogFormatter"
