"""Pages in the shapes of well-known programs keep their content and nothing else."""

import re

import pytest

from ragcrawler.conversion import convert
from tests.conversion.selection.shapes import Shape, read_shapes

SHAPES = read_shapes()
MARK = re.compile(r"(?:keep|drop)\d+")


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_the_content_of_each_shape_stays_and_the_rest_goes(shape: Shape) -> None:
    converted = convert(shape.html.encode(), "text/html; charset=utf-8", shape.url)
    found = set(MARK.findall(f"{converted.title} {converted.markdown}"))
    assert sorted(shape.kept - found) == []
    assert sorted(shape.dropped & found) == []
