from hybrid_index import HybridIndex, Settings
from hybrid_index.service.requests import FindFileRequest


def test_project_and_pair_survive_an_edit_and_follow_a_new_half(tmp_path):
    root = tmp_path / "work"
    root.mkdir()
    (root / "Shop.csproj").write_text('<Project Sdk="Microsoft.NET.Sdk.Web"></Project>\n', encoding="utf-8")
    (root / "Cart.razor").write_text("<h1>Cart</h1>\n", encoding="utf-8")
    overrides = {"semantic.provider": "hashing", "index.dir": str(tmp_path / "index")}

    with HybridIndex.open(root, Settings.load(root, overrides)) as index:

        def facts(name: str) -> tuple[str | None, list[str]]:
            (found,) = index.find_file(FindFileRequest(pattern=name, top_n=1)).files
            return found.project, found.pair

        index.reindex()
        assert facts("Cart.razor") == ("Shop", [])
        (root / "Cart.razor.cs").write_text("namespace Shop;\npublic partial class Cart { }\n", encoding="utf-8")
        assert facts("Cart.razor") == ("Shop", ["Cart.razor.cs"])
        (root / "Cart.razor").write_text("<h1>The cart</h1>\n", encoding="utf-8")
        assert facts("Cart.razor") == ("Shop", ["Cart.razor.cs"])
        (root / "Cart.razor.cs").unlink()
        assert facts("Cart.razor") == ("Shop", [])
