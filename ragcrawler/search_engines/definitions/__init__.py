"""The engines that can be read by browser, each as data; to add one is a module and a row."""

from ragcrawler.search_engines.definitions.bing import BING
from ragcrawler.search_engines.definitions.brave import BRAVE
from ragcrawler.search_engines.definitions.duckduckgo import DUCKDUCKGO
from ragcrawler.search_engines.definitions.google import GOOGLE
from ragcrawler.search_engines.definitions.mojeek import MOJEEK
from ragcrawler.search_engines.pages.definition import EngineDefinition

DEFINITIONS: dict[str, EngineDefinition] = {
    each.name: each for each in (BRAVE, GOOGLE, DUCKDUCKGO, BING, MOJEEK)
}
