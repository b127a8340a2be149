"""Words by which pages tell of which kind they are, as parts of regular expressions."""

from collections.abc import Mapping

Table = Mapping[str, tuple[str, ...]]


def _table(**lines: str) -> Table:
    return {kind: tuple(words.split()) for kind, words in lines.items()}


TYPES = _table(
    article=r"""\w*Article BlogPosting Report Review Recipe PodcastEpisode LiveBlogPosting""",
    product="Product ProductGroup IndividualProduct ProductModel Car Book VideoGame",
    grid="ItemList CollectionPage OfferCatalog SearchResultsPage ProductCollection Blog",
    thread="DiscussionForumPosting QAPage UserComments Comment Answer SocialMediaPosting",
    manual="TechArticle APIReference Code SoftwareSourceCode HowTo LearningResource",
    service="""Service SoftwareApplication WebApplication LocalBusiness ProfessionalService FinancialService
    MedicalBusiness HomeAndConstructionBusiness Corporation Dentist Attorney""",
    questions="FAQPage",
)
"""Types of schema.org."""

GENERATORS = _table(
    manual="""sphinx docusaurus mkdocs docbook asciidoc doxygen gitbook vuepress vitepress javadoc
    mediawiki starlight
    nextra mintlify readme docsy antora rustdoc pdoc pandoc texinfo mdbook""",
    thread="""discourse phpbb xenforo vbulletin invision mybb smf nodebb flarum vanilla fluxbb punbb bbpress
    lemmy""",
    shop="shopify woocommerce magento bigcommerce prestashop opencart shopware",
)
"""Programs that write pages, as `meta` elements name them."""

CLASSES = _table(
    thread=r"""discourse phpbb xenforo p-body vb ips\S* section-viewtopic thread\S* topic\S*
    question-page bbpress
    forum\S*""",
    product="""single-product template-product\\S* product-?(?:page|template|detail)\\S* pdp\\S*
    catalog-product-view
    product-type\\S*""",
    grid=r"""template-(?:collection|list-collections)\S* archive category\S* catalog-category-view
    tax-\S* collection\S*
    search\S* product-list\S* listing\S* plp\S*""",
    article=r"""single-post postid-\d+ single-format\S* article\S* blog-post\S* post-template\S*
    template-article
    node-type-(?:article|blog)\S*""",
    manual=r"""docs?\S* documentation\S* mediawiki wy-\S+ rst-\S+ md-\S+ reference\S* manual\S* wiki\S*""",
    home=r"home front landing\S* template-index page-template\S*",
)
"""Classes and ids of the elements `html` and `body`."""

PATHS = _table(
    article=r"""blogs? news articles? stor(?:y|ies) posts? magazine features insights? opinion resources
    learn guides?
    advice how-to podcasts? press (?:19|20)\d\d""",
    manual=r"""docs? documentation reference manual api wiki man\d? handbook book tutorials? concepts
    howto guide
    userguide quickstart getting-started library stable latest v?\d+\.\d+""",
    thread=r"""forums? threads? topics? discussions? questions? comments communit(?:y|ies) groups t
    viewtopic showthread
    boards? talk""",
    product=r"products? dp ip p item itm pd prod sku buy app \w{0,80}-p-?\d+",
    grid=r"""collections? c cat categor(?:y|ies) browse shop department brands? sale s b list catalog
    topics? tags?
    subject directory rankings? charts? jobs? events? courses? search deals archive""",
    service=r"""services? solutions? products? platform features? pricing about company what-we-do
    industries consulting
    capabilities use-cases why locations? programs? treatments? practice-areas?""",
)
"""Segments of the path of an address."""

HOSTS = _table(
    manual="docs? developers? wiki help support learn api man reference devdocs manual readthedocs",
    thread="""forums? community communities discuss bbs answers users board talk ask discourse reddit
    stackoverflow
    stackexchange ycombinator quora""",
    shop="shop store buy",
)
"""Labels of a host."""
