"""uvicorn's HTTP/1.1, which refuses a request without a `Host` as the other checks do: by 403."""

import sys

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

_MISSING_HOST = "Host"


class GuardedProtocol(H11Protocol):
    """Answers 403 where h11 finds no `Host`, and 400 to whatever else is no request."""

    def send_400_response(self, msg: str) -> None:
        """Refuse; uvicorn calls this while it handles h11's error."""
        if _MISSING_HOST not in str(sys.exception()):
            return super().send_400_response(msg)
        headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
        for event in (
            h11.Response(status_code=403, headers=headers, reason=b"Forbidden"),
            h11.Data(data=b'{"error":"A request has to name its host."}'),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        return self.transport.close()
