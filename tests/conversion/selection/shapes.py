"""Pages in the shapes of well-known programs: `shapes/<kind>-<program>.html`, with exact truth.

A file begins with the page's address in a comment. `[[keep 30]]` becomes 30 words of content, and
`[[drop 30]]` 30 words that are none; the first of them is unique, `keep17` or `drop17`. `[[title 5]]` is the
page's title. What stands between `[[repeat 8]]` and `[[end]]` comes eight times, with other words each time.
A page with `[[language]]` in it comes in each of the languages, the others in English.
"""

import random
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("shapes")
_REPEAT = re.compile(r"\[\[repeat (\d+)\]\](.*?)\[\[end\]\]", re.DOTALL)
_TEXT = re.compile(r"\[\[(title|keep|drop) (\d+)\]\]")
_LANGUAGE = "[[language]]"
_WORDS = {
    "en": """
    the a of to and in is was for that with on as it by from this which are be at an or not have has
    had were will can water garden house river summer winter people work time year small large young
    old early often always together because before after while under between through without against
    keeps makes finds gives shows leaves grows stone wood metal paper light colour morning evening
    village street market school letter number
    """,
    "de": """
    der die das und ist nicht mit von auf für ein eine dem den des im zu wird werden kann können auch wenn
    aber oder nach vor über unter durch gegen ohne um als wie noch nur schon immer oft früh spät Wasser Garten
    Haus Fluss Sommer Winter Mensch Arbeit Zeit Jahr klein groß jung alt Stein Holz Papier Licht Farbe Straße
    """,
    "zh": """
    的 是 在 和 了 有 这 我们 可以 使用 水 花园 房子 河流 夏天 冬天 工作 时间 年份 小 大 年轻
    古老 早上 晚上 经常 总是 一起 因为 以前 以后 通过 之间 没有 石头 木材 金属 纸张 光线 颜色
    村庄 街道 市场 学校 信件 数字
    """,
    "ja": """
    の は が を に で と も から まで ます です この その 水 庭 家 川 夏 冬 人 仕事 時間 年
    小さい 大きい 若い 古い 早い 夜 いつも よく 一緒に そして しかし 前に 後で 石 木材 金属 紙 光
    色 村 通り 市場 学校 手紙 数字 使う 見える
    """,
    "ko": """
    그리고 그러나 물은 정원을 집에서 강이 여름에 겨울에는 사람들이 일을 시간은 해마다 작은 커다란
    젊은 오래된 아침에 저녁에 언제나 자주 함께 때문에 전에 후에 통하여 사이에 없이 돌과 나무가
    금속은 종이를 빛이 색깔이 마을에 거리를 시장에서 학교는 편지를 숫자가 사용한다 보인다 있다 없다
    만든다
    """,
}
_UNSPACED = ("zh", "ja")


@dataclass(frozen=True)
class Shape:
    """A page with what belongs to its content and what does not."""

    name: str
    url: str
    html: str
    kept: frozenset[str]
    dropped: frozenset[str]

    @property
    def kind(self) -> str:
        return self.name.partition("-")[0]


def read_shape(file: Path, language: str = "en") -> Shape:
    text = file.read_text(encoding="utf-8").replace(_LANGUAGE, language)
    text = _REPEAT.sub(lambda match: match[2] * int(match[1]), text)
    chance = random.Random(file.stem)
    marks: dict[str, list[str]] = {"keep": [], "drop": []}

    def words(match: re.Match[str]) -> str:
        if match[1] == "title":
            return f"The {file.stem.replace('-', ' ')} page about things of the house"
        mark = f"{match[1]}{len(marks[match[1]])}"
        marks[match[1]].append(mark)
        rest = chance.choices(_WORDS[language].split(), k=int(match[2]) - 1)
        if language in _UNSPACED:
            return f"{mark}{'，'.join(''.join(rest[at : at + 9]) for at in range(0, len(rest), 9))}。"
        return " ".join((mark, *rest)) + ("." if int(match[2]) > 8 else "")

    html = _TEXT.sub(words, text)
    url = html.partition("<!--")[2].partition("-->")[0].strip()
    name = file.stem if language == "en" else f"{file.stem}-{language}"
    return Shape(name, url, html, frozenset(marks["keep"]), frozenset(marks["drop"]))


def read_shapes() -> list[Shape]:
    """Every file in each of its languages."""
    return [
        read_shape(file, language)
        for file in sorted(FOLDER.glob("*.html"))
        for language in (_WORDS if _LANGUAGE in file.read_text(encoding="utf-8") else ("en",))
    ]
