"""Personal data for tests: one of every kind, and where no trace of it may be."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hypothesis import strategies as st

_DIGESTS = re.compile(rb"[0-9a-f]{32,}")
_UNLIKELY = 8  #: signs that no digest holds by chance


@dataclass(frozen=True)
class Planted:
    """A sentence with personal data in it."""

    kind: str
    data: str
    sentence: str

    @property
    def traces(self) -> tuple[str, ...]:
        """What would give it away: the data, its digits without a break, and every longer part of it."""
        digits = re.sub(r"\D", "", self.data)
        parts = [part for part in re.findall(r"[0-9A-Za-z]+", self.data) if len(part) >= 6]
        return tuple({self.data, *([digits] if len(digits) >= 6 else []), *parts})


PLANTED = [
    Planted("resident", "880214-2138462", "내 주민번호는 880214-2138462야"),
    Planted("foreigner", "900412-5480763", "외국인등록번호는 900412-5480763이에요"),
    Planted("business", "214-87-29534", "사업자번호 214-87-29534로 끊어주세요"),
    Planted("passport", "M482C1739", "여권번호는 M482C1739이고 내년에 만료돼"),
    Planted("licence", "11-08-482716-39", "면허번호는 11-08-482716-39야"),
    Planted("phone", "010-4482-9173", "내 번호는 010-4482-9173이야, 꼭 기억해"),
    Planted("account", "110-384-729105", "신한 110-384-729105로 보내줘"),
    Planted("card", "4521-7390-0628-4157", "카드번호는 4521-7390-0628-4157이야"),
    Planted("email", "haneulpark92@naver.com", "메일은 haneulpark92@naver.com으로 보내줘"),
    Planted("address", "마포구 와우산로 9417", "나 서울 마포구 와우산로 9417에 살아"),
    Planted("us_ssn", "219-48-7365", "my social security number is 219-48-7365"),
    Planted("us_passport", "548271639", "my US passport number is 548271639"),
    Planted("us_licence", "F7301948", "my California driver's license is F7301948"),
    Planted("us_address", "1847 Maple Hollow Drive", "I grew up at 1847 Maple Hollow Drive, near the lake"),
    Planted("iban", "DE64370400440681537204", "my IBAN is DE64370400440681537204"),
    Planted("phone", "공일공 삼칠이오 육육공사", "우리 오빠 번호는 공일공 삼칠이오 육육공사야"),
    Planted("phone", "０１０－６６３９－１８２７", "엄마 번호는 ０１０－６６３９－１８２７이야"),
]


def given_away(where: bytes | str, planted: list[Planted] = PLANTED) -> list[str]:
    """Return what of the planted data stands in `where`, also escaped as JSON does.

    Six digits may stand in a digest or a salt by chance: short traces are looked for beside these.
    """
    raw = where if isinstance(where, bytes) else where.encode("utf-8", "replace")
    beside_digests = _DIGESTS.sub(b"#", raw)
    traces = [trace for each in planted for trace in each.traces]
    searched = {trace: beside_digests if len(trace) < _UNLIKELY else raw for trace in traces}
    escaped = {trace: trace.encode("ascii", "backslashreplace") for trace in traces}
    return [trace for trace in traces if trace.encode() in searched[trace] or escaped[trace] in searched[trace]]


_SIGNS = "0123456789-. ()@공일이삼사오육칠팔구영에로길동구호M골뱅이닷컴０１９＠🐈𝟎\n+*,"
#: Letters, digits and signs of which numbers and addresses are made, and some that take two units in other encodings.
TRICKY = st.text(alphabet=st.one_of(st.sampled_from(_SIGNS), st.characters(codec="utf-8")), max_size=120)
PIECES = st.lists(
    st.sampled_from(
        [
            "010-1234-5678", "공일공 이삼사오 육칠팔구", "880214-2138462", "서울 마포구 와우산로 94", "a@b.com",
            "계좌 ", "4521-7390-0628-4157", "110-384-729105", "주문번호 ", "이고 뒤는 ", "🐈", " ", "이야", "신한 ",
            "M12345678", "여권 ", "카드 ", "104-86-56659", "my SSN ", "219-48-7365", "12 Oak Street", ", ", "-",
        ]
    ),
    max_size=8,
).map("".join)  # fmt: skip
