"""The gate by itself: who comes in without a key, how often anybody may ask, and what guessing leads to."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from starlette.types import Message

from houses import ELSEWHERE, LOOPBACK, House, Seconds, a_house
from loops import each
from relembra.interfaces.buckets import MOST, Buckets
from relembra.interfaces.http.callers import FORWARDED, WRONG_A_MINUTE, is_loopback
from relembra.interfaces.web.visits import PASS

HOME = {"user": "ana", "content": "Mora em Olinda."}


@pytest.fixture
async def open_house() -> AsyncIterator[House]:
    async with a_house(is_open=True) as made:
        yield made


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with a_house() as made:
        yield made


# ── on this machine alone ─────────────────────────────────────────────────────────────────────────────────────────


async def test_on_this_machine_nobody_is_asked_for_a_key(open_house: House) -> None:
    async with open_house.client(peer=LOOPBACK) as client:
        assert (await client.post("/v1/knowledge", json=HOME)).status_code == 201
        assert (await client.get("/metrics")).status_code == 200


async def test_somebody_elsewhere_is_asked_all_the_same(open_house: House) -> None:
    async with open_house.client(peer=ELSEWHERE) as client:
        assert (await client.post("/v1/knowledge", json=HOME)).status_code == 401


@each(FORWARDED)
async def test_a_proxy_on_this_machine_needs_a_key(header: str, open_house: House) -> None:
    open_house.seconds.now += 60  # or asking often would be slowed down
    async with open_house.client(peer=LOOPBACK, **{header: "203.0.113.7"}) as client:
        assert (await client.get("/v1/knowledge?user=ana")).status_code == 401
    async with open_house.client("read", peer=LOOPBACK, **{header: "203.0.113.7"}) as client:
        assert (await client.get("/v1/knowledge?user=ana")).status_code == 200


async def test_a_key_given_there_counts_with_its_bounds(open_house: House) -> None:
    async with open_house.client("ana-read", peer=LOOPBACK) as client:
        assert (await client.post("/v1/knowledge", json=HOME)).status_code == 403
    async with open_house.client("revoked", peer=LOOPBACK) as client:
        assert (await client.get("/v1/knowledge?user=ana")).status_code == 401


@each(["evil.example", "evil.example:8484", "localhost.evil.example", "127.0.0.1.evil.example", "", "0.0.0.0", "[::2]"])
async def test_a_name_that_is_not_this_machines_is_refused(host: str, open_house: House) -> None:
    """Or a page could give its own name this machine's address, and read everything."""
    async with open_house.client(peer=LOOPBACK, Host=host) as client:
        answer = await client.get("/v1/knowledge?user=ana")
    assert answer.status_code == 421
    assert "hosts" in answer.json()["detail"]


@each(["localhost", "LOCALHOST:8484", "127.0.0.1:9", "[::1]:8484"])
async def test_this_machines_names_are_taken(host: str, open_house: House) -> None:
    async with open_house.client(peer=LOOPBACK, Host=host) as client:
        assert (await client.get("/v1/knowledge?user=ana")).status_code == 200


@each(
    [
        "https://evil.example",
        "null",
        "http://localhost:3000",
        "http://localhost",
        "http://[",
        "localhost:8484",
        "://",
        "*",
    ]
)
async def test_a_page_of_another_origin_may_not_call(origin: str, open_house: House) -> None:
    async with open_house.client(peer=LOOPBACK, Origin=origin) as client:
        answer = await client.post("/v1/knowledge", json=HOME)
    assert answer.status_code == 421
    assert await open_house.memory.list(user="ana") == []


def from_elsewhere(site: str, mode: str = "navigate", dest: str = "document") -> dict[str, str]:
    """What a browser says of a request that a page elsewhere brought about."""
    return {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}


@each(["cross-site", "same-site"])
async def test_a_page_elsewhere_may_link_to_pages_and_load_nothing(site: str, open_house: House) -> None:
    async with open_house.client(peer=LOOPBACK) as client:
        for path in ("/docs", "/settings", "/profile?user=ana", "/enter"):
            followed = await client.get(path, headers=from_elsewhere(site))
            assert followed.status_code != 421, path
            for mode, dest in (("no-cors", "script"), ("navigate", "iframe"), ("navigate", "embed"), ("cors", "empty")):
                assert (await client.get(path, headers=from_elsewhere(site, mode, dest))).status_code == 421, path
            for method in ("POST", "HEAD"):
                assert (await client.request(method, path, headers=from_elsewhere(site))).status_code == 421


@each([(site, dest) for site in ["cross-site", "same-site"] for dest in ["document", "iframe"]])
async def test_a_page_elsewhere_has_nothing_downloaded(site: str, dest: str, open_house: House) -> None:
    async with open_house.client(peer=LOOPBACK) as client:
        for path in ("/v1/backup", "/v1/export?user=ana", "/openapi.json", "/export/file", "/progress/1/file", "/mcp"):
            answer = await client.get(path, headers=from_elsewhere(site, dest=dest))
            assert answer.status_code == 421, path
            assert "content-disposition" not in answer.headers


async def test_nor_has_it_files_of_whoever_signed_in(house: House) -> None:
    async with house.client(peer=ELSEWHERE) as client:
        client.cookies.set(PASS, await house.memory.page_pass(house.secrets["ana-read"]) or "")
        assert (await client.get("/export/file")).status_code == 200
        assert (await client.get("/export/file", headers=from_elsewhere("cross-site"))).status_code == 421
        assert (await client.get("/profile", headers=from_elsewhere("cross-site"))).status_code == 200


async def test_every_answer_keeps_other_origins_out_of_its_window(house: House) -> None:
    async with house.client("read") as client:
        for path in ("/healthz", "/v1/tools", "/nowhere", "/", "/enter", "/static/nothing", "/v1/backup", "/docs"):
            headers = (await client.get(path)).headers
            assert headers["cross-origin-opener-policy"] == "same-origin", path
            assert headers["cross-origin-resource-policy"] == "same-origin", path


async def test_the_servers_own_page_may_call(open_house: House) -> None:
    own = {"Origin": "http://localhost:8484", "Sec-Fetch-Site": "same-origin"}
    async with open_house.client(peer=LOOPBACK, **own) as client:
        assert (await client.post("/v1/knowledge", json=HOME)).status_code == 201


async def test_no_request_is_about_every_tenant_at_once(open_house: House) -> None:
    async with open_house.client(peer=LOOPBACK, **{"X-Relembra-Tenant": "*"}) as client:
        assert (await client.post("/v1/knowledge", json=HOME)).status_code == 403
    async with open_house.client("operator", **{"X-Relembra-Tenant": "*"}) as client:
        assert (await client.post("/v1/knowledge", json=HOME)).status_code == 403


async def test_an_operator_names_the_tenant(house: House) -> None:
    async with house.client("operator", **{"X-Relembra-Tenant": "other"}) as client:
        assert (await client.post("/v1/knowledge", json=HOME)).status_code == 201
    assert len(await house.memory.list(user="ana", tenant="other")) == 1
    assert await house.memory.list(user="ana") == []


async def test_a_tenants_name_may_have_accents(house: House) -> None:
    async with house.client("operator") as client:
        answer = await client.post("/v1/knowledge", json=HOME, headers=[(b"X-Relembra-Tenant", "São João".encode())])
    assert answer.status_code == 201
    assert len(await house.memory.list(user="ana", tenant="São João")) == 1


async def test_names_that_are_set_are_the_servers_too() -> None:
    async with a_house(hosts=["Memory.Example"]) as house:
        async with house.client("read", Host="memory.example:443") as client:
            assert (await client.get("/v1/tools")).status_code == 200
        async with house.client("read", Host="evil.example") as client:
            assert (await client.get("/v1/tools")).status_code == 421


async def test_a_key_beside_one_for_the_model_behind_is_the_one_that_counts(house: House) -> None:
    async with house.client(
        Authorization="Bearer sk-for-the-model", **{"X-Relembra-Key": house.secrets["read"]}
    ) as client:
        assert (await client.get("/v1/knowledge?user=ana")).status_code == 200


@each(
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("[::1]", True), ("localhost", True)]
    + [(address, False) for address in ("0.0.0.0", "::", "10.0.0.1", "localhost.evil.example", "", None, "128.0.0.1")]
)
def test_which_addresses_are_this_machines(address: str | None, own: bool) -> None:
    assert is_loopback(address) is own


# ── what is sent ──────────────────────────────────────────────────────────────────────────────────────────────────


@each(
    [
        (kind, path)
        for kind in [
            "text/plain",
            "text/plain;charset=UTF-8",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            None,
        ]
        for path in ["/v1/knowledge", "/v1/chat/completions", "/mcp"]
    ]
)
async def test_what_any_page_may_send_is_not_taken_for_json(kind: str | None, path: str, open_house: House) -> None:
    headers = {} if kind is None else {"Content-Type": kind}
    async with open_house.client(peer=LOOPBACK) as client:
        answer = await client.post(path, content=b'{"user": "ana", "content": "Mora em Olinda."}', headers=headers)
    assert answer.status_code == 415
    assert "application/json" in answer.json()["detail"]
    assert await open_house.memory.list(user="ana") == []


@each(["text/html", "application/octet-stream", "image/png", "nonsense", "/"])
async def test_what_does_not_say_it_is_json_is_not_taken_for_it(kind: str, open_house: House) -> None:
    async with open_house.client(peer=LOOPBACK, **{"Content-Type": kind}) as client:
        answer = await client.post("/v1/knowledge", content=b'{"user": "ana", "content": "Mora em Olinda."}')
    assert answer.status_code in (415, 422)
    assert await open_house.memory.list(user="ana") == []


# ── pages elsewhere ───────────────────────────────────────────────────────────────────────────────────────────────

PREFLIGHT = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}


async def test_pages_elsewhere_may_not_call_unless_set(house: House) -> None:
    async with house.client() as client:
        answer = await client.options("/v1/knowledge", headers=PREFLIGHT)
    assert "access-control-allow-origin" not in answer.headers
    async with house.client("write", Origin="https://app.example") as client:
        answer = await client.post("/v1/knowledge", json=HOME)
    assert "access-control-allow-origin" not in answer.headers


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
    assert preflight.headers["access-control-allow-origin"] == "https://app.example"
    assert "authorization" in preflight.headers["access-control-allow-headers"].lower()
    assert "access-control-allow-origin" not in other.headers
    assert refused.headers["access-control-allow-origin"] == "https://app.example", "a page can read why it was refused"
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (201, "https://app.example")
    assert not any("access-control-allow-credentials" in each.headers for each in (preflight, other, refused, answer))


# ── how often ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_ten_thousand_wrong_keys_are_slowed_down_and_the_right_one_still_comes_in(house: House) -> None:
    tried = [await status_of(house, f"rlb_{number:08}_{'a' * 43}") for number in range(10_000)]
    burst = WRONG_A_MINUTE // 6
    assert tried == [401] * burst + [429] * (10_000 - burst)
    assert len(house.app.state.gate.wrong) == 1
    async with house.client(Authorization="Bearer rlb_wrong") as client:
        answer = await client.get("/v1/usage")
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "1")
    async with house.client("read") as client:
        assert (await client.get("/v1/knowledge?user=ana")).status_code == 200
    async with house.client(peer="10.0.0.10") as client:
        assert (await client.get("/v1/knowledge")).status_code == 401, "another address has its own tries"


async def status_of(house: House, key: str) -> int:
    """What a key leads to, without a client in between, which would take longer than the server."""
    statuses: list[int] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    headers = [(b"host", b"localhost:8484"), (b"authorization", f"Bearer {key}".encode())]
    scope = {"type": "http", "method": "GET", "path": "/v1/usage", "raw_path": b"/v1/usage", "query_string": b""}
    more = {"headers": headers, "client": (ELSEWHERE, 1), "http_version": "1.1", "scheme": "http", "root_path": ""}
    await house.app(scope | more, receive, send)
    return statuses[0]


async def test_wrong_keys_from_ever_new_addresses_take_bounded_room() -> None:
    wrong = Buckets(seconds=Seconds())
    for number in range(3 * MOST):
        wrong.take(f"address {number}", WRONG_A_MINUTE)
    assert len(wrong) == MOST


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


def test_a_bucket_that_fills_slowly_says_how_long_to_wait() -> None:
    seconds = Seconds()
    buckets = Buckets(seconds=seconds)
    assert buckets.take("a", 1) == 0.0
    assert buckets.take("a", 1) == pytest.approx(60)
    seconds.now += 59.0
    assert buckets.take("a", 1) == pytest.approx(1)
    seconds.now += 1.0
    assert buckets.take("a", 1) == 0.0
