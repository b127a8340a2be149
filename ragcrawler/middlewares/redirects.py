"""Redirects, each end of a chain with its reason."""

from scrapy import Request
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from ragcrawler.run.outcomes import RequestRefused

_STATUSES = {301, 302, 303, 307, 308}


class SafeRedirectMiddleware(RedirectMiddleware):
    """Scrapy's own, which takes a redirect to `file:` for the page, and breaks on a target that is no URL.

    Where the chain leads is judged by the middlewares that judge every request.
    """

    def process_response(  # type: ignore[override]  # without the argument that Scrapy deprecates
        self, request: Request, response: Response
    ) -> Request | Response:
        """Follow a redirect.

        Raises:
            RequestRefused: "redirect_loop" for a chain that is too long; "unsafe_url" for a target that is no
                http or https URL.
        """
        try:
            followed: Request | Response = super().process_response(request, response)
        except IgnoreRequest as error:
            raise RequestRefused("redirect_loop", str(error)) from error
        except ValueError as error:
            raise RequestRefused("unsafe_url", "a redirect leads to what is no URL") from error
        if followed is response and self._is_redirect(request, response):
            raise RequestRefused("unsafe_url", "a redirect leads to what is no http or https URL")
        return followed

    @staticmethod
    def _is_redirect(request: Request, response: Response) -> bool:
        left_alone = ("dont_redirect", "handle_httpstatus_all", "handle_httpstatus_list")
        return (
            response.status in _STATUSES
            and bool(response.headers.get("Location"))
            and not any(request.meta.get(key) for key in left_alone)
        )
