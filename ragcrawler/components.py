"""The components that Scrapy calls, each with its place in the order; `settings.py` hands them on.

Those of Scrapy that ours replace are switched off by None.
"""

# A request passes from low to high, its response back.
DOWNLOADER_MIDDLEWARES = {
    "ragcrawler.middlewares.javascript.middleware.JavaScriptMiddleware": 30,  # sees what the others pass on
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,  # knows hosts only: no port, no path
    "ragcrawler.middlewares.scope.ScopeMiddleware": 50,
    "ragcrawler.middlewares.address_guard.middleware.AddressGuardMiddleware": 60,
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "ragcrawler.middlewares.robots.middleware.RobotsMiddleware": 100,
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
    "ragcrawler.middlewares.throttling.backoff.BackoffRetryMiddleware": 550,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    "ragcrawler.middlewares.compression.BoundedCompressionMiddleware": 590,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    "ragcrawler.middlewares.redirects.SafeRedirectMiddleware": 600,
    "ragcrawler.middlewares.proxies.middleware.RotatingProxyMiddleware": 610,
    "ragcrawler.middlewares.proxies.ban_detection.BanDetectionMiddleware": 620,
    "scrapy.downloadermiddlewares.cookies.CookiesMiddleware": None,
    "ragcrawler.middlewares.cookies.BundledSuffixCookiesMiddleware": 700,
    "ragcrawler.middlewares.throttling.retry_after.RetryAfterMiddleware": 860,
    "scrapy.downloadermiddlewares.httpcache.HttpCacheMiddleware": None,
    "ragcrawler.middlewares.cache.conditional_requests.ConditionalRequestsMiddleware": 900,
    # It sees a failure before `RetryAfterMiddleware` holds the site.
    "ragcrawler.middlewares.throttling.site_health.SiteHealthMiddleware": 870,
    "ragcrawler.middlewares.site_bytes.SiteBytesMiddleware": 930,  # sees each response as it was sent
    # A blocked name gets its reason before it counts as a failure of the site.
    "ragcrawler.middlewares.address_guard.blocked_resolution.BlockedResolutionMiddleware": 940,
    "ragcrawler.middlewares.login.LoginMiddleware": 950,  # next to the download: nothing else sees a secret
}

# A page passes from low to high.
ITEM_PIPELINES = {
    "ragcrawler.pipelines.convert.ConvertPipeline": 100,
    "ragcrawler.pipelines.chunk.ChunkPipeline": 200,
    "ragcrawler.pipelines.summarize.SummarizePipeline": 300,
    "ragcrawler.pipelines.embed.EmbedPipeline": 400,
    "ragcrawler.pipelines.upsert.UpsertPipeline": 500,
}

# The order in which signals reach them.
EXTENSIONS = {
    "scrapy.extensions.logstats.LogStats": None,  # the progress display says more
    "scrapy.extensions.feedexport.FeedExporter": None,
    "scrapy.extensions.remote_control.RemoteControl": None,
    "ragcrawler.extensions.remote_control.RemoteControlExtension": 0,  # imports the other where it is on
    "ragcrawler.extensions.feed.DocumentFeeds": 0,
    "ragcrawler.extensions.outcomes.OutcomesExtension": 10,
    "ragcrawler.extensions.activity.ActivityExtension": 12,
    "ragcrawler.extensions.trace.TraceExtension": 15,
    "ragcrawler.extensions.disk_space.DiskSpaceExtension": 18,
    "ragcrawler.extensions.progress.ProgressExtension": 20,
    "ragcrawler.extensions.report.ReportExtension": 990,  # after the feed is closed
    "ragcrawler.extensions.state_loss.StateLossExtension": 0,
    "ragcrawler.extensions.sharing.SharingExtension": 995,  # the others wait until the report is written
}
