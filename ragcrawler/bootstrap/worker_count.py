"""How many processes convert and chunk."""

from ragcrawler.config.configuration import Configuration
from ragcrawler.config.machine import usable_cpus, usable_memory_bytes
from ragcrawler.embedding.embedders import Embedders

_OWN_BYTES = 2**30  # of the crawl beside its workers
_CPU = "cpu"


def worker_count(configuration: Configuration, embedders: Embedders, *, embeds: bool = True) -> int:
    """As many as were set; else one a CPU, unless the CPUs are the models'.

    One worker is enough for models that run on the CPU: they take far longer than conversion and chunking,
    and each further worker would take from them. Chunking by meaning has a model in each worker.

    Args:
        configuration: sets the number, or 0; and the memory of a worker, of which all must find room.
        embedders: the models of the collection.
        embeds: whether they are used at all.
    """
    if configuration.workers:
        return configuration.workers
    resources = {embedders.dense.limits.resource, embedders.sparse.limits.resource}
    if configuration.chunking.strategy == "semantic" or (embeds and _CPU in resources):
        return 1
    room = (usable_memory_bytes() - _OWN_BYTES) // configuration.worker_limits.memory_bytes
    return max(1, min(usable_cpus(), room))
