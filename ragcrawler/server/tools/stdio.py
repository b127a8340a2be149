"""The tools over standard input and output."""

from mcp.server.stdio import stdio_server

from ragcrawler.server.services.collection import ServedCollection
from ragcrawler.server.tools.mcp_server import make_mcp_server
from ragcrawler.services import RateLimit


async def serve_stdio(collection: ServedCollection, asks: RateLimit) -> None:
    """Answer until standard input ends.

    Args:
        collection: that the tools read; the caller closes it.
        asks: bounds the questions to the language model.
    """
    server = make_mcp_server(collection, asks)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
