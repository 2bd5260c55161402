"""Tables: which file names and extensions belong to which language, and which are never text."""

from __future__ import annotations

LANGUAGE_BY_EXTENSION: dict[str, str] = {
    extension: language
    for language, extensions in {
        "csharp": ".cs .csx .cake",
        "razor": ".razor",
        "cshtml": ".cshtml",
        "xaml": ".xaml .axaml .paml",
        "fsharp": ".fs .fsi .fsx",
        "vb": ".vb .vbs .bas",
        "msbuild": (
            ".csproj .fsproj .vbproj .props .targets .proj .shproj .projitems .sqlproj .wixproj .dcproj"
            " .esproj .vcxproj"
            " .pubxml .tasks .ilproj .njsproj .pyproj .shfbproj .filters .msbuildproj"
        ),
        "sln": ".sln",
        "xml": (
            ".xml .config .resx .resw .slnx .nuspec .manifest .plist .appxmanifest .runsettings .ruleset .xsd"
            " .xsl .xslt .wsdl"
            " .wxs .wxi .wxl .storyboard .xib .xlf .xliff .dotsettings .entitlements .rss .atom .svcmap .edmx"
            " .dbml .rdlc .rdl"
            " .dtd .ent .mjml .pom .iml .ruleset .vsixmanifest .vsct .natvis .snippet .xmp .opf .kml .xcprivacy"
        ),
        "svg": ".svg",
        "html": (
            ".html .htm .xhtml .hbs .handlebars .mustache .aspx .ascx .asax .master .ejs .erb .liquid .njk"
            " .j2 .jinja .jinja2"
        ),
        "json": (
            ".json .jsonc .json5 .slnf .webmanifest .jsonl .ndjson .geojson .har .ipynb .resjson .code-"
            " workspace .avsc .jsonld"
            " .map .jwk .babelrc .eslintrc .sarif .topojson .lsif .swcrc .importmap .asmdef .asmref"
        ),
        "yaml": ".yaml .yml .winget .clang-format .clang-tidy .eyaml .cff",
        "toml": ".toml",
        "ini": (
            ".ini .cfg .conf .cnf .inf .properties .gitconfig .service .desktop .url .reg .pylintrc .flake8"
            " .npmrc .socket"
        ),
        "dotenv": ".env",
        "editorconfig": ".editorconfig .globalconfig",
        "markdown": ".md .markdown .mdx .mdown .mkd .mdc",
        "restructuredtext": ".rst",
        "asciidoc": ".adoc .asciidoc .asc",
        "css": ".css",
        "scss": ".scss .sass",
        "less": ".less",
        "javascript": ".js .mjs .cjs .jsx .es6",
        "typescript": ".ts .mts .cts",
        "tsx": ".tsx",
        "vue": ".vue",
        "svelte": ".svelte",
        "astro": ".astro",
        "python": ".py .pyi .pyw .pyx .pxd",
        "java": ".java",
        "kotlin": ".kt .kts",
        "groovy": ".groovy .gradle",
        "scala": ".scala .sc .sbt",
        "go": ".go",
        "rust": ".rs",
        "c": ".c .h",
        "cpp": ".cpp .cc .cxx .hpp .hh .hxx .ipp .inl .tpp .cppm .ixx",
        "objc": ".m .mm",
        "swift": ".swift",
        "ruby": ".rb .rake .gemspec .ru .podspec",
        "php": ".php .phtml .phpt",
        "elixir": ".ex .exs .heex .eex .leex",
        "erlang": ".erl .hrl",
        "haskell": ".hs .lhs .hsc",
        "cabal": ".cabal",
        "ocaml": ".ml .mli",
        "elm": ".elm",
        "clojure": ".clj .cljs .cljc .edn",
        "dart": ".dart",
        "lua": ".lua",
        "perl": ".pl .pm .t",
        "r": ".r .rmd",
        "julia": ".jl",
        "zig": ".zig .zon",
        "nix": ".nix",
        "starlark": ".bzl",
        "bash": ".sh .bash .zsh .ksh .bats .fish",
        "powershell": ".ps1 .psm1 .psd1 .ps1xml",
        "batch": ".bat .cmd",
        "sql": ".sql .psql .pgsql .mysql .tsql .ddl",
        "protobuf": ".proto",
        "graphql": ".graphql .gql",
        "http": ".http .rest",
        "dockerfile": ".dockerfile",
        "makefile": ".mk .mak",
        "cmake": ".cmake",
        "hcl": ".tf .tfvars .hcl",
        "bicep": ".bicep",
        "glsl": ".glsl .vert .frag .hlsl .fx .wgsl .comp .metal .shader",
        "t4": ".tt .t4",
        "diff": ".diff .patch",
        "csv": ".csv .tsv",
        "tex": ".tex .bib",
        "text": ".txt .text .log .lic",
    }.items()
    for extension in extensions.split()
}

LANGUAGE_BY_NAME: dict[str, str] = {
    name: language
    for language, names in {
        "dockerfile": "dockerfile containerfile",
        "makefile": "makefile gnumakefile kbuild justfile",
        "cmake": "cmakelists.txt",
        "editorconfig": ".editorconfig .globalconfig",
        "ruby": "gemfile rakefile podfile fastfile vagrantfile guardfile brewfile",
        "python": "sconstruct sconscript wscript",
        "groovy": "jenkinsfile",
        "starlark": "build.bazel workspace.bazel build workspace module.bazel",
        "go_module": "go.mod go.work",
        "bash": ".bashrc .bash_profile .profile .zshrc .envrc gradlew",
        "json": (
            ".babelrc .eslintrc .jshintrc .prettierrc .stylelintrc .swcrc composer.lock pipfile.lock"
            " flake.lock .watchmanconfig"
        ),
        "toml": "cargo.lock poetry.lock pdm.lock uv.lock pipfile",
        "yaml": ".clang-format .clang-tidy .clangd pubspec.lock podfile.lock",
        "ini": ".npmrc .pylintrc .flake8 .coveragerc .gitconfig .gitmodules .yarnrc setup.cfg .hgrc",
        "ignore": (
            ".gitignore .dockerignore .npmignore .hgignore .prettierignore .eslintignore .ignore .rgignore"
            " .gitattributes"
            " .mailmap .hybridindexignore .markdownlintignore .stylelintignore .helmignore .containerignore"
            " .gcloudignore"
            " .vscodeignore .git-blame-ignore-revs codeowners"
        ),
        "dotenv": ".env .flaskenv",
        "msbuild": "directory.build.rsp msbuild.rsp",
        "xml": "packages.config app.config web.config nuget.config",
    }.items()
    for name in names.split()
}

LANGUAGE_BY_INTERPRETER: dict[str, str] = {
    "sh": "bash",
    "bash": "bash",
    "dash": "bash",
    "zsh": "bash",
    "ksh": "bash",
    "bats": "bash",
    "python": "python",
    "python2": "python",
    "python3": "python",
    "node": "javascript",
    "deno": "typescript",
    "ruby": "ruby",
    "perl": "perl",
    "php": "php",
    "pwsh": "powershell",
    "lua": "lua",
    "elixir": "elixir",
    "dotnet": "csharp",
}

# Formats that are never text. What is not listed here is decided by its bytes.
BINARY_EXTENSIONS: frozenset[str] = frozenset(
    (
        ".png .jpg .jpeg .jpe .gif .bmp .ico .icns .webp .avif .heic .tif .tiff .psd .ai .eps .xcf"
        " .sketch .fig .dds .tga .exr .hdr"
        " .woff .woff2 .ttf .otf .eot .fon"
        " .mp3 .mp4 .m4a .m4v .wav .ogg .oga .ogv .flac .aac .avi .mov .mkv .webm .wma .wmv"
        " .zip .gz .tgz .bz2 .xz .zst .lz4 .7z .rar .tar .br .cab .iso .dmg .pkg .deb .rpm .msi .msix"
        " .appx .apk .aab .ipa .vsix .snupkg"
        " .nupkg .jar .war .ear .aar .whl .egg .gem .phar .crx .xpi .wasm .pyc .pyo .pyd .class .dex .o .a"
        " .lib .so .dylib .dll"
        " .exe .pdb .mdb .ilk .winmd .sys .bin .img .snk .cur .ani .lnk"
        " .pdf .rtf .doc .docx .xls .xlsx .xlsm .ppt .pptx .odt .ods .odp .epub .mobi .one .vsdx"
        " .db .db3 .sqlite .sqlite3 .mdf .ldf .accdb .dbf .parquet .arrow .feather .avro .orc .npy .npz"
        " .pkl .pickle .h5 .hdf5"
        " .onnx .pt .pth .safetensors .gguf .tflite .mo .gmo .nib .ds_store .suo .swf .fla .stl .3mf .glb .fbx .blend"
        " .ipt .iam .step .sl1 .sl1s .ctb .keystore .jks"
    ).split()
)
