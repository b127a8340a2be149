"""A collection made of a judged set's documents, for as long as it is asked."""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from ragcrawler.bootstrap.models.collection_embedders import collection_models, open_collection_embedders
from ragcrawler.bootstrap.models.rerankers import open_expander, open_reranker
from ragcrawler.bootstrap.models.vector_cache import open_vector_cache
from ragcrawler.bootstrap.start_error import start_errors
from ragcrawler.chunking.output.identity import PointIds, content_hash, embed_hash
from ragcrawler.config.configuration import Configuration
from ragcrawler.config.defaults import project_settings
from ragcrawler.config.models.search import search_options
from ragcrawler.embedding.embedders import Embedders
from ragcrawler.items import SemanticChunk
from ragcrawler.retrieval import CollectionRetriever
from ragcrawler.retrieval.evaluation.beir import JudgedCorpus
from ragcrawler.stores import ChunkStore, StoreConfig, open_store

_AT_ONCE = 64


@contextmanager
def open_judged_corpus(corpus: JudgedCorpus, **settings: object) -> Iterator[CollectionRetriever]:
    """A retriever over the corpus, a chunk a document, embedded with the models that the settings name.

    The embedded engine keeps it in a temporary folder, so that it is searched as any collection is; vectors
    stay in the embedding cache. What is longer than a model reads counts by its beginning there, and by all
    of its words for BM25.

    Raises:
        StartError: a setting is wrong, or a model is not available.
    """
    values = project_settings(**settings)
    with start_errors():
        configuration = Configuration.from_settings(values)
        reranker, expander = open_reranker(values, configuration.embedding), open_expander(values)
        options = search_options(values)
    with TemporaryDirectory() as folder, closing(open_vector_cache(configuration)) as cache:
        with start_errors():
            embedders = open_collection_embedders(configuration, None, cache)
        with open_store(StoreConfig(folder=Path(folder), collection="judged")) as store:
            store.create(collection_models(embedders))
            _fill(store, corpus.documents, embedders)
            store.optimize()
            yield CollectionRetriever(
                store,
                embedders.dense,
                embedders.sparse,
                reranker=reranker,
                expander=expander,
                options=options,
            )


def _fill(store: ChunkStore, documents: Mapping[str, tuple[str, str]], embedders: Embedders) -> None:
    chunks = (_chunk(name, title, text, embedders.name) for name, (title, text) in documents.items())
    while batch := list(islice(chunks, _AT_ONCE)):
        vectors = embedders.embed(batch)
        store.upsert([replace(chunk, vectors=each) for chunk, each in zip(batch, vectors, strict=True)])


def _chunk(name: str, title: str, text: str, model: str) -> SemanticChunk:
    content = f"{title}\n\n{text}" if title else text
    digest = content_hash(content)
    return SemanticChunk(
        id=PointIds(name).next(digest),
        chunk_id=name,
        document_id=name,
        document_title=title,
        source_url=name,
        chunk_link=name,
        content=content,
        content_hash=digest,
        embed_text=content,
        embed_hash=embed_hash(content, model),
        token_count=0,
        start=0,
        end=len(content),
        position=0,
    )
