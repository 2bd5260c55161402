"""A small real workspace, and a server of it."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a workspace with code, configuration, documentation and a file that is not indexed."""
    root = tmp_path_factory.mktemp("shop workspace")
    files = {
        "src/OrderService.cs": (
            "namespace Shop;\n\n"
            "/// <summary>Ships orders to customers.</summary>\n"
            "public class OrderService\n{\n"
            '    public string Carrier => Config["Shipping:Carrier"];\n\n'
            "    public void Ship(int orderId)\n    {\n"
            "        // hand the parcel to the carrier\n"
            '        Log("shipped {0}", orderId);\n    }\n}\n'
        ),
        "src/appsettings.json": '{\n  "Shipping": {\n    "Carrier": "dhl"\n  }\n}\n',
        "README.md": "# Shop\n\n## Returns\n\nA customer may return a parcel within two weeks.\n",
        "logo.png": "\x00\x01\x02",
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode("utf-8"))
    return root
