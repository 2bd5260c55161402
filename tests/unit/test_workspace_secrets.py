"""What is masked, and above all what is not. All credentials here are made up, and put together from pieces."""

import pytest

from hybrid_index.workspace.credentials import holds_private_key, is_credential_path, is_settings_file
from hybrid_index.workspace.secrets import MASK, mask

RANDOM = "k3Jd9sQ2mX7vB4nT8wZ1"
HEX = "9f86d081884c7d659a2feaa0c55ad015"


def masked(line: str, language: str = "csharp") -> str:
    return mask(line, language)[0]


@pytest.mark.parametrize(
    "token",
    [
        "AKIA" + "IOSFODNN7ABCDEFG",
        "ghp_" + RANDOM * 2,
        "github_pat_" + RANDOM + "_" + RANDOM * 2,
        "glpat-" + RANDOM,
        "xoxb-" + "123456789012-" + RANDOM,
        "sk_live_" + RANDOM + "ab12",
        "sk-proj-" + RANDOM * 2,
        "npm_" + RANDOM * 2,
        "AIza" + "SyA1bC2dE3fG4hI5jK6lM7nO8pQ9rS0tU1v",
        "SG." + RANDOM + "." + RANDOM * 2,
        "oy2" + "a1b2c3d4e5" * 4 + "abc",
        "eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0." + RANDOM,
    ],
)
def test_provider_tokens_are_masked_wherever_they_stand(token: str) -> None:
    for line in (f'Call("{token}");', f"# {token}", f"x = {token}"):
        assert masked(line, "text") == line.replace(token, MASK)


@pytest.mark.parametrize(
    ("language", "line", "value"),
    [
        ("json", '  "Password": "Tr0ub4dor&3",', "Tr0ub4dor&3"),
        ("json", f'  "ClientSecret": "{RANDOM}"', RANDOM),
        ("json", '  "ClientSecret": "49c1a7e1-0c79-4a89-a3d6-a37998fb86b0"', "49c1a7e1-0c79-4a89-a3d6-a37998fb86b0"),
        ("csharp", f'private const string ApiKey = "{RANDOM}";', RANDOM),
        ("csharp", 'options.Password = @"Pass@word1";', "Pass@word1"),
        ("csharp", 'public string Password { get; set; } = "Pass@word1";', "Pass@word1"),
        ("csharp", f'["Jwt:SigningKey"] = "{RANDOM}"', RANDOM),
        ("csharp", f'SetVariable("API_KEY", "{RANDOM}");', RANDOM),
        ("csharp", f'Headers.Add("Authorization", "Bearer {RANDOM}");', RANDOM),
        ("python", "db_password = 'hunter2-hunter3'", "hunter2-hunter3"),
        ("yaml", "  POSTGRES_PASSWORD: Pass@word1", "Pass@word1"),
        ("yaml", f"  api-key: {RANDOM}  # rotate", RANDOM),
        ("dockerfile", "ENV SA_PASSWORD=Pass@word1", "Pass@word1"),
        ("bash", f"export GITHUB_TOKEN={RANDOM}", RANDOM),
        ("ini", f"//registry.example.org/:_authToken={HEX}", HEX),
        ("xml", f'<add key="ApiSecret" value="{RANDOM}" />', RANDOM),
        ("xml", "<ClearTextPassword>Pass@word1</ClearTextPassword>", "Pass@word1"),
        ("xml", f'<machineKey validationKey="{HEX}" />', HEX),
        ("http", f"Authorization: Bearer {RANDOM}", RANDOM),
        ("csharp", 'var u = "amqp://shop:s3cr3t-pw@broker/";', "s3cr3t-pw"),
        ("text", "https://account.example.net/c?sv=2022&sig=" + "aB3%2F" * 9, "aB3%2F" * 9),
        ("csharp", '"Server=db;Database=Shop;User Id=sa;Password=guest;Encrypt=true"', "guest"),
        ("json", '"Default": "Host=db;Username=postgres;Password=postgres"', "postgres"),
        ("xml", 'connectionString="Pwd=letin;Server=db"', "letin"),
        ("json", f'"AccountName=store;AccountKey={RANDOM * 3}==;EndpointSuffix=x"', RANDOM * 3 + "=="),
        ("json", f'"Endpoint=sb://x/;SharedAccessKeyName=Root;SharedAccessKey={RANDOM}="', RANDOM + "="),
    ],
)
def test_values_beside_a_name_and_in_connection_strings_are_masked(language: str, line: str, value: str) -> None:
    start = line.rindex(value)
    assert masked(line, language) == line[:start] + MASK + line[start + len(value) :]


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("csharp", "public async Task<Token> GetAsync(CancellationToken cancellationToken = default)"),
        ("csharp", 'PublicKeyToken="b77a5c561934e089"'),
        ("csharp", '[assembly: InternalsVisibleTo("X, PublicKey=002400000480000094")]'),
        ("msbuild", "<UserSecretsId>49c1a7e1-0c79-4a89-a3d6-a37998fb86b0</UserSecretsId>"),
        ("json", '"userSecretsId": "49c1a7e1-0c79-4a89-a3d6-a37998fb86b0"'),
        ("json", '"integrity": "sha512-K9AvRWmL3xV7h2bq0dEYyQ4Yd0sJm1Tn5p8uZc6Xo2Wf3Gh7Ij9Kl1Mn=="'),
        ("json", f'"contentHash": "{RANDOM}=="'),
        ("json", '"Password": "Passwort"'),
        ("json", '"password": "Please enter your password"'),
        ("json", '"Password": "${DB_PASSWORD}"'),
        ("json", '"Password": "<your password>"'),
        ("json", '"Password": "changeme123"'),
        ("csharp", 'var user2Password = "user2_password";'),
        ("json", '"ApiKey": "YOUR_API_KEY_GOES_HERE_1"'),
        ("json", '"token": "Microsoft.IdentityModel.Tokens"'),
        ("csharp", "Password = password;"),
        ("csharp", 'Assert.Equal("password", input.Type);'),
        ("csharp", 'new Client(clientSecret, "api-abcd1234.example.com", "url");'),
        ("csharp", 'const string InputPassword = "pm-27086-update-apis-for-input-password";'),
        ("csharp", 'var pattern = "Password=(?<password>[^;]+)";'),
        ("csharp", 'var s = $"Server={host};User Id={user};Password={password};";'),
        ("csharp", "host = a; password = b; database = c;"),
        ("csharp", 'var id = "49c1a7e1-0c79-4a89-a3d6-a37998fb86b0";'),
        ("csharp", f'const string Commit = "{HEX}";'),
        ("razor", '<MudTextField Label="Password" InputType="@passwordInput" AdornmentIcon="@icon" />'),
        ("html", '<input type="password" name="password" id="password-2" />'),
        ("css", ".password-field1 { content: 'abc1234567890def'; }"),
        ("html", '<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4" />'),
        ("yaml", "token: ${{ secrets.GITHUB_TOKEN }}"),
        ("markdown", "See https://user:password@example.com for the form."),
        ("text", "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA1234567890abcdef\n"),
        ("csharp", 'if (text.Contains("-----BEGIN PRIVATE KEY-----")) return;'),
        ("csharp", "_configurationServiceProviderFactory.CreateTokenProvider2For3Clients4();"),
    ],
)
def test_what_only_looks_like_a_credential_is_left_alone(language: str, line: str) -> None:
    assert mask(line, language) == (line, 0)


def test_private_keys_are_masked_line_for_line() -> None:
    begin, end = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"
    body = "\n".join("    " + "MIIEow1B" * 8 for _ in range(5))
    text = f"key: |\n    {begin}\n{body}\n    {end}\nnext: value\n    {begin}\n{body}\n    {end}\n"
    result, lines = mask(text, "yaml")
    assert lines == 10
    expected = "\n".join(["    " + MASK] * 5)
    assert result == f"key: |\n    {begin}\n{expected}\n    {end}\nnext: value\n    {begin}\n{expected}\n    {end}\n"


def test_a_private_key_that_is_cut_off_is_masked_to_the_end() -> None:
    begin = "-----BEGIN PRIVATE KEY-----"
    assert masked(f'var k = "{begin}\\n{"MIIEow1B" * 8}', "csharp") == f'var k = "{begin}{MASK}'


def test_several_credentials_in_a_line_count_once() -> None:
    line = 'Login(user: "a", password: "Tr0ub4dor&3", apiKey: "' + RANDOM + '");'
    result, lines = mask(line, "csharp")
    assert result.count(MASK) == 2 and lines == 1


def test_letters_that_change_their_length_in_lower_case_do_not_shift_the_mask() -> None:
    assert masked('İİİ Password = "Tr0ub4dor&3";') == f'İİİ Password = "{MASK}";'


def test_a_settings_file_keeps_its_keys_and_plainly_harmless_values() -> None:
    text = "# local\nPORT=3000\nDEBUG=true\nURL=https://shop.example.org/a\nDB=Zebra crossing\nexport PIN='4711x'\n"
    result, lines = mask(text, "dotenv", settings_file=True)
    assert result == f"# local\nPORT=3000\nDEBUG=true\nURL=https://shop.example.org/a\nDB={MASK}\nexport PIN='{MASK}'\n"
    assert lines == 2
    assert [
        name for name in (".env", ".env.local", "prod.env", ".env.example", "env.cs") if is_settings_file(name)
    ] == [
        ".env",
        ".env.local",
        "prod.env",
    ]


@pytest.mark.parametrize(
    "path",
    [
        "id_rsa",
        "a/ID_ED25519",
        "x.pfx",
        "Shop.publishsettings",
        ".netrc",
        ".aws/credentials",
        "secrets.json",
        ".ssh/deploy",
    ],
)
def test_credential_files_are_known_by_name(path: str) -> None:
    assert is_credential_path(path)


@pytest.mark.parametrize("path", ["id_rsa.pub", "Secrets.cs", "credentials.md", ".ssh/config", "secrets.json.example"])
def test_files_about_credentials_are_not_credential_files(path: str) -> None:
    assert not is_credential_path(path)


def test_a_file_that_is_a_private_key_is_known_by_content() -> None:
    key = "-----BEGIN EC PRIVATE KEY-----\nMHcCAQ\n-----END EC PRIVATE KEY-----\n"
    assert holds_private_key("certs/server.pem", key) and holds_private_key("server.key", "\n" + key)
    assert not holds_private_key("server.pem", "-----BEGIN CERTIFICATE-----\n")
    assert not holds_private_key("KeyParser.cs", "// -----BEGIN PRIVATE KEY-----\n")
    private = '{"kty":"RSA","n":"abc","d":"' + RANDOM + '"}'
    assert holds_private_key("tempkey.jwk", private)
    assert not holds_private_key("public.jwk", '{"kty":"RSA","n":"abc","e":"AQAB"}')
