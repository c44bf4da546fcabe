"""Who comes in without a key, which pages may call, how often anybody may ask, and what guessing leads to."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from houses import ELSEWHERE, LOOPBACK, House, Seconds, a_house
from loops import each
from relembra.interfaces.http.callers import FORWARDED, WRONG_A_MINUTE, is_loopback
from relembra.interfaces.requests import MOST, Buckets
from relembra.interfaces.web.visits import PASS

HOME = {"user": "ana", "content": "Mora em Olinda."}
ASKED = "/v1/knowledge?user=ana"


@pytest.fixture
async def open_house() -> AsyncIterator[House]:
    async with a_house(is_open=True) as made:
        yield made


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with a_house() as made:
        yield made


async def status(
    house: House, key: str | None = None, *, method: str = "GET", peer: str = LOOPBACK, **headers: str
) -> int:
    async with house.client(key, peer=peer, **headers) as client:
        sent = {"json": HOME} if method == "POST" else {}
        answer = await client.request(method, "/v1/knowledge" if sent else ASKED, **sent)  # type: ignore[arg-type]
        return int(answer.status_code)


async def test_on_this_machine_nobody_is_asked_for_a_key_and_elsewhere_everybody(open_house: House) -> None:
    assert await status(open_house, method="POST", peer=ELSEWHERE) == 401
    assert (
        await status(open_house, method="POST", Origin="http://localhost:8484", **{"Sec-Fetch-Site": "same-origin"})
        == 201
    )
    async with open_house.client(peer=LOOPBACK) as client:
        assert (await client.get("/metrics")).status_code == 200
    assert await status(open_house, "ana-read", method="POST") == 403, "a key given there counts with its bounds"
    assert await status(open_house, "revoked") == 401
    for header in FORWARDED:  # a proxy on this machine
        open_house.seconds.now += 60  # or asking often would be slowed down
        assert await status(open_house, **{header: "203.0.113.7"}) == 401, header
        assert await status(open_house, "read", **{header: "203.0.113.7"}) == 200, header


async def test_a_name_that_is_not_this_machines_is_refused(open_house: House) -> None:
    """Or a page could give its own name this machine's address, and read everything."""
    others = ["evil.example", "evil.example:8484", "localhost.evil.example", "127.0.0.1.evil.example", "", "0.0.0.0"]
    others += ["[::2]", "localhost:8484, evil.example", "localhost:x", "localhost:1@evil.example", "localhost:1:2"]
    for host in [*others, "[::1]evil.example"]:
        assert await status(open_house, Host=host) == 421, host
    for host in ("localhost", "LOCALHOST:8484", "127.0.0.1:9", "[::1]:8484"):
        assert await status(open_house, Host=host) == 200, host
    async with a_house(hosts=["Memory.Example"]) as house:
        assert await status(house, "read", peer=ELSEWHERE, Host="memory.example:443") == 200
        assert await status(house, "read", peer=ELSEWHERE, Host="evil.example") == 421


async def test_a_page_of_another_origin_may_not_call(open_house: House) -> None:
    origins = ["https://evil.example", "null", "http://localhost:3000", "http://localhost", "http://[", "://", "*"]
    for origin in [*origins, "localhost:8484"]:
        assert await status(open_house, method="POST", Origin=origin) == 421, origin
    assert await open_house.memory.list(user="ana") == []


def from_elsewhere(site: str, mode: str = "navigate", dest: str = "document") -> dict[str, str]:
    """What a browser says of a request that a page elsewhere brought about."""
    return {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}


@each(["cross-site", "same-site"])
async def test_a_page_elsewhere_may_link_to_pages_and_load_nothing(site: str, open_house: House) -> None:
    async with open_house.client(peer=LOOPBACK) as client:
        for path in ("/docs", "/settings", "/profile?user=ana", "/enter"):
            assert (await client.get(path, headers=from_elsewhere(site))).status_code != 421, path
            for mode, dest in (("no-cors", "script"), ("navigate", "iframe"), ("navigate", "embed"), ("cors", "empty")):
                assert (await client.get(path, headers=from_elsewhere(site, mode, dest))).status_code == 421, path
            for method in ("POST", "HEAD"):
                assert (await client.request(method, path, headers=from_elsewhere(site))).status_code == 421
        for path in ("/v1/backup", "/v1/export?user=ana", "/openapi.json", "/export/file", "/progress/1/file", "/mcp"):
            for dest in ("document", "iframe"):
                answer = await client.get(path, headers=from_elsewhere(site, dest=dest))
                assert (answer.status_code, "content-disposition" in answer.headers) == (421, False), path


async def test_nor_has_it_files_of_whoever_signed_in(house: House) -> None:
    async with house.client(peer=ELSEWHERE) as client:
        client.cookies.set(PASS, await house.memory.page_pass(house.secrets["ana-read"]) or "")
        assert (await client.get("/export/file")).status_code == 200
        assert (await client.get("/export/file", headers=from_elsewhere("cross-site"))).status_code == 421
        assert (await client.get("/profile", headers=from_elsewhere("cross-site"))).status_code == 200


async def test_a_request_is_about_one_tenant_which_an_operator_names(open_house: House, house: House) -> None:
    every, other = {"X-Relembra-Tenant": "*"}, {"X-Relembra-Tenant": "other"}
    assert await status(open_house, method="POST", **every) == 403
    assert await status(open_house, "operator", method="POST", **every) == 403
    assert await status(house, "operator", method="POST", **other) == 201
    async with house.client("operator") as client:
        answer = await client.post("/v1/knowledge", json=HOME, headers=[(b"X-Relembra-Tenant", "São João".encode())])
    assert answer.status_code == 201
    for tenant in ("other", "São João"):
        assert len(await house.memory.list(user="ana", tenant=tenant)) == 1
    assert await house.memory.list(user="ana") == []
    beside = {"Authorization": "Bearer sk-for-the-model", "X-Relembra-Key": house.secrets["read"]}
    assert await status(house, peer=ELSEWHERE, **beside) == 200


@each(
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("[::1]", True), ("localhost", True)]
    + [(address, False) for address in ("0.0.0.0", "::", "10.0.0.1", "localhost.evil.example", "", None, "128.0.0.1")]
)
def test_which_addresses_are_this_machines(address: str | None, own: bool) -> None:
    assert is_loopback(address) is own


async def test_what_any_page_may_send_is_not_taken_for_json(open_house: House) -> None:
    body = b'{"user": "ana", "content": "Mora em Olinda."}'
    simple = ["text/plain", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded", "multipart/form-data; a=b"]
    async with open_house.client(peer=LOOPBACK) as client:
        for path in ("/v1/knowledge", "/v1/chat/completions", "/mcp"):
            for headers in ({}, *({"Content-Type": kind} for kind in simple)):
                answer = await client.post(path, content=body, headers=headers)
                assert answer.status_code == 415, (path, headers)
                assert "application/json" in answer.json()["detail"]
        for kind in ("text/html", "application/octet-stream", "image/png", "nonsense", "/"):
            answer = await client.post("/v1/knowledge", content=body, headers={"Content-Type": kind})
            assert answer.status_code in (415, 422), kind
    assert await open_house.memory.list(user="ana") == []


PREFLIGHT = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}


async def test_pages_elsewhere_may_not_call_unless_set(house: House) -> None:
    async with house.client() as client, house.client("write", Origin="https://app.example") as page:
        answers = [
            await client.options("/v1/knowledge", headers=PREFLIGHT),
            await page.post("/v1/knowledge", json=HOME),
        ]
    assert not any("access-control-allow-origin" in answer.headers for answer in answers)


@each([True, False])
async def test_a_page_that_is_set_may_call_with_a_key_and_never_with_cookies(is_open: bool) -> None:
    async with a_house(is_open=is_open, cors=["https://app.example"]) as house:
        async with house.client(peer=LOOPBACK) as client:
            asked = PREFLIGHT | {"Access-Control-Request-Headers": "authorization, content-type"}
            preflight = await client.options("/v1/knowledge", headers=asked)
            other = await client.options("/v1/knowledge", headers=asked | {"Origin": "https://evil.example"})
            refused = await client.get("/v1/nothing", headers={"Origin": "https://app.example"})
        async with house.client("write", peer=LOOPBACK, Origin="https://app.example") as client:
            answer = await client.post("/v1/knowledge", json=HOME)
    assert preflight.status_code == 200
    assert "authorization" in preflight.headers["access-control-allow-headers"].lower()
    for allowed in (preflight, refused, answer):  # a page can read why it was refused
        assert allowed.headers["access-control-allow-origin"] == "https://app.example"
    assert answer.status_code == 201
    assert "access-control-allow-origin" not in other.headers
    assert not any("access-control-allow-credentials" in each.headers for each in (preflight, other, refused, answer))


async def test_wrong_keys_are_slowed_down_and_the_right_one_still_comes_in(house: House) -> None:
    burst, tried = WRONG_A_MINUTE // 6, 200
    async with house.client() as client:
        for number in range(tried):
            answer = await client.get("/v1/usage", headers={"Authorization": f"Bearer rlb_{number:08}_{'a' * 43}"})
            assert answer.status_code == (401 if number < burst else 429), number
    assert answer.headers["retry-after"] == "1"
    assert len(house.app.state.gate.wrong) == 1
    assert await status(house, "read", peer=ELSEWHERE) == 200
    assert await status(house, peer="10.0.0.10") == 401, "another address has its own tries"


async def test_each_key_may_ask_so_often() -> None:
    async with a_house(rate_limit=60) as house, house.client("read") as client, house.client("write") as other:
        statuses = [(await client.get("/v1/tools")).status_code for _ in range(12)]
        assert statuses == [200] * 10 + [429] * 2
        refused = await client.get("/v1/tools")
        assert refused.headers["retry-after"] == "1"
        assert "rate_limit" in refused.json()["detail"]
        assert (await other.get("/v1/tools")).status_code == 200
        house.seconds.now += 1
        assert [(await client.get("/v1/tools")).status_code for _ in range(2)] == [200, 429]
        house.seconds.now += 3_600
        assert [(await client.get("/v1/tools")).status_code for _ in range(11)] == [200] * 10 + [429]


def test_buckets_take_bounded_room_and_say_how_long_to_wait() -> None:
    seconds = Seconds()
    buckets = Buckets(seconds=seconds)
    assert buckets.take("a", 1) == 0.0
    assert buckets.take("a", 1) == pytest.approx(60)
    seconds.now += 59.0
    assert buckets.take("a", 1) == pytest.approx(1)
    seconds.now += 1.0
    assert buckets.take("a", 1) == 0.0
    for number in range(MOST + 10):
        buckets.take(f"address {number}", WRONG_A_MINUTE)
    assert len(buckets) == MOST
