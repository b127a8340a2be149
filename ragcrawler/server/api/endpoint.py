"""An endpoint of the API: a service behind a path."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from ragcrawler.server.services.forms import Form
from ragcrawler.server.services.results import Result

_PARAMETER = re.compile(r"{(\w+)}")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A row of the table.

    Attributes:
        path: with the names of its parameters in braces.
        service: takes the collection, the path's parameters, and the form if there is one.
        result: that the service gives.
        summary: for the description.
        form: of the query, or of the body of a POST; None where there is nothing to say.
        method: GET, unless it can cost or change something.
        is_of_operator: whether it is refused where the server has no token.
        errors: statuses beside 401, 403, 422, 429 and 503.
    """

    path: str
    service: Callable[..., Result]
    result: type[Result]
    summary: str
    form: type[Form] | None = None
    method: Literal["GET", "POST"] = "GET"
    is_of_operator: bool = False
    errors: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The operation's name: the service's."""
        return self.service.__name__

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names in the path."""
        return tuple(_PARAMETER.findall(self.path))

    @property
    def is_plain(self) -> bool:
        """Whether its path alone is a request."""
        fields = self.form.model_fields.values() if self.form else ()
        needs_nothing = not self.parameters and not any(each.is_required() for each in fields)
        return self.method == "GET" and not self.is_of_operator and needs_nothing

    @property
    def asks_model(self) -> bool:
        """Whether it can cost money."""
        return self.method == "POST" and not self.is_of_operator

    def call(self, collection: Any, parameters: dict[str, str], form: Form | None) -> Result:
        """Ask the service."""
        values = [parameters[name] for name in self.parameters]
        return self.service(collection, *values, *([form] if form is not None else []))
