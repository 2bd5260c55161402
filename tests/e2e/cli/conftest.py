"""A small real workspace, indexed once, and the command line run in this process."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from hybrid_index.cli.app import main

FILES = {
    "src/Shop/OrderService.cs": """\
namespace Shop;

/// <summary>Places orders and reserves stock.</summary>
public sealed class OrderService
{
    /// <summary>Reserves stock for an order before payment.</summary>
    public void ReserveStock(Order order)
    {
        warehouse.Reserve(order.Lines);
    }
}
""",
    "src/Shop/appsettings.json": '{ "Stock": { "ReservationMinutes": 15 } }\n',
    "tests/OrderServiceTests.cs": "namespace Shop.Tests;\npublic class OrderServiceTests { /* ReserveStock */ }\n",
    "docs/orders.md": "# Orders\n\nStock is reserved for fifteen minutes, then released.\n",
    "bin/skipped.dll": "MZ\0\0",
}


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("shop")
    for path, text in FILES.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


@pytest.fixture(autouse=True)
def no_user_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = tmp_path / "user-settings.toml"
    empty.write_text("", encoding="utf-8")
    monkeypatch.setenv("HYBRID_INDEX_CONFIG", str(empty))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_command(*arguments: str) -> Outcome:
        capsys.readouterr()
        code = main(arguments)
        printed = capsys.readouterr()
        return Outcome(code, printed.out, printed.err)

    return run_command


@pytest.fixture
def in_shop(shop: Path, run: Run) -> Run:
    return lambda *arguments: run("--root", str(shop), *arguments)
