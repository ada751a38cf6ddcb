"""Where a host is, as a person writes it."""

import pytest

from kibitz.client.address import Address, HostError, connect


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("localhost:4000", Address("localhost", 4000)),
        (":4000", Address("localhost", 4000)),
        ("[::1]:4000", Address("::1", 4000)),
        ("example.org:9000/k3v9qm2x/secret", Address("example.org", 9000, "k3v9qm2x", "secret")),
    ],
)
def test_an_address_is_a_host_a_port_and_perhaps_a_seat(text: str, address: Address) -> None:
    assert Address.read(text) == address
    assert text.removeprefix("localhost").startswith(str(address).removeprefix("localhost"))


@pytest.mark.parametrize(
    "text", ["localhost", "localhost:", "localhost:70000", "a:0", "a:\u0664\u0664", "a:1/t", "a:1/t/i/x"]
)
def test_what_is_no_address_is_explained(text: str) -> None:
    with pytest.raises(HostError, match="is not HOST:PORT, like localhost:4000"):
        Address.read(text)


def test_a_host_name_that_cannot_be_is_reported() -> None:
    with pytest.raises(HostError, match="No host answers at"):
        connect(Address("a" * 300 + ".example", 4000), wait=5)
