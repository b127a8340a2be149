"""Draws pages/images/vent-travel.png: python tests/site/make_vent_travel.py (needs Pillow)."""

from PIL import Image, ImageDraw

from ragcrawler.site_server import DEMO_SITE

WIDTH, HEIGHT, STEPS = 320, 160, 10
GREEN = (35, 66, 43)
MARGIN = 16


def main() -> None:
    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    draw = ImageDraw.Draw(image)
    across, up = (WIDTH - 2 * MARGIN) / STEPS, (HEIGHT - 2 * MARGIN) / STEPS
    points = [(MARGIN, HEIGHT - MARGIN)]
    for _ in range(STEPS):
        x, y = points[-1]
        # A short run, then the pause of ninety seconds in which the air settles.
        points += [(x + across * 0.3, y - up), (x + across, y - up)]
    draw.line(
        [(MARGIN, MARGIN), (MARGIN, HEIGHT - MARGIN), (WIDTH - MARGIN, HEIGHT - MARGIN)], fill=(150, 150, 150)
    )
    draw.line(points, fill=GREEN, width=3)
    image.save(DEMO_SITE / "pages/images/vent-travel.png", optimize=True)


if __name__ == "__main__":
    main()
