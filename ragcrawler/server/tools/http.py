"""The tools over streamable HTTP."""

from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.routing import Route

_MOST_BODY_BYTES = 64 * 1024
# The application's own check of hosts and origins is before it, on every route.
_CHECKED = TransportSecuritySettings(enable_dns_rebinding_protection=False)


def mcp_route(server: "Server[Any]") -> tuple[Route, StreamableHTTPSessionManager]:
    """The route, and the manager that has to run while it answers; no session is kept between requests."""
    manager = StreamableHTTPSessionManager(
        server,
        json_response=True,
        stateless=True,
        security_settings=_CHECKED,
        max_request_body_size=_MOST_BODY_BYTES,
    )
    return Route("/mcp", StreamableHTTPASGIApp(manager)), manager
