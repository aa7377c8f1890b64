"""Which sources belong to a repository that must not be trained on."""

import fnmatch
import re

FORGES = re.compile(
    r"(github\.com|gitlab\.com|codeberg\.org|bitbucket\.org|sr\.ht|gitlab\.[\w.-]+|git\.[\w.-]+)"
)


def normalise_repository(url):
    """'git+https://GitHub.com/Owner/Name.git/tree/main/x#readme' -> 'owner/name', '' if none."""
    text = (url or "").strip().lower()
    text = re.sub(r"^(scm:)?(git\+)?(git:|svn:)?", "", text)
    shorthand = re.fullmatch(r"(?:github:)?([\w.-]+)/([\w.-]+)", text)
    if shorthand and not FORGES.fullmatch(shorthand[1]):
        owner, name = shorthand.groups()
        return f"{owner}/{name.removesuffix('.git')}"
    text = re.sub(r"^[a-z+]*:?//", "", text)
    text = re.sub(r"^[\w.-]+@", "", text)
    pages = re.match(r"([\w-]+)\.github\.io/([\w.-]+)", text)
    if pages:
        return f"{pages[1]}/{pages[2]}"
    match = re.match(r"(?:www\.)?([\w.-]+)(?::\d+)?[/:]+([^/?#]+)/([^/?#]+)", text)
    if not match or not FORGES.fullmatch(match[1]):
        return ""
    return f"{match[2]}/{match[3].removesuffix('.git')}"


# The same project under another owner or name, hard forks, and repositories that contain one.
ALIASES = {
    "kubkon/zld": "ziglang/zig",
    "vexu/arocc": "ziglang/zig",
    "squeek502/resinator": "ziglang/zig",
    "pallets/quart": "pallets/flask",
    "karlseguin/websocket.zig": "karlseguin/http.zig",
    "kludex/starlette": "encode/starlette",
    "kludex/uvicorn": "encode/uvicorn",
    "messagepack-csharp/messagepack-csharp": "neuecc/MessagePack-CSharp",
    "nvim-mini/mini.nvim": "echasnovski/mini.nvim",
    "stackexchange/dapper": "DapperLib/Dapper",
    "stedolan/jq": "jqlang/jq",
    "httpie/httpie": "httpie/cli",
    "jakubroztocil/httpie": "httpie/cli",
    "symfony/symfony": "symfony/console",
    "valkey-io/valkey": "redis/redis",
    "snapchat/keydb": "redis/redis",
    "redis/hiredis": "redis/redis",
    "antirez/sds": "redis/redis",
    "antirez/redis": "redis/redis",
    "illuminate/*": "laravel/framework",
    "ohmybash/oh-my-bash": "ohmyzsh/ohmyzsh",
    "robbyrussell/oh-my-zsh": "ohmyzsh/ohmyzsh",
    "revans/bash-it": "Bash-it/bash-it",
    "creationix/nvm": "nvm-sh/nvm",
    "sstephenson/bats": "bats-core/bats-core",
    "neilpang/acme.sh": "acmesh-official/acme.sh",
    "joyent/libuv": "libuv/libuv",
    "philsquared/catch": "catchorg/Catch2",
    "samuelcolvin/pydantic": "pydantic/pydantic",
    "pydantic/pydantic-core": "pydantic/pydantic",
    "tiangolo/fastapi": "fastapi/fastapi",
    "willmcgugan/rich": "Textualize/rich",
    "ambv/black": "psf/black",
    "kennethreitz/requests": "psf/requests",
    "mperham/sidekiq": "sidekiq/sidekiq",
    "bbatsov/rubocop": "rubocop/rubocop",
    "sorentwo/oban": "oban-bg/oban",
    "mholt/caddy": "caddyserver/caddy",
    "boltdb/bolt": "etcd-io/bbolt",
    "coreos/bbolt": "etcd-io/bbolt",
    "pressly/chi": "go-chi/chi",
    "rust-lang/regex-automata": "rust-lang/regex",
    "burntsushi/regex-automata": "rust-lang/regex",
    "rust-lang-nursery/regex": "rust-lang/regex",
    "kbknapp/clap-rs": "clap-rs/clap",
    "teepl/structopt": "clap-rs/clap",
    "bos/aeson": "haskell/aeson",
    "scalaz/scalaz-zio": "zio/zio",
    "lihaoyi/upickle": "com-lihaoyi/upickle",
    "lihaoyi/os-lib": "com-lihaoyi/os-lib",
    "jashkenas/underscore": "lodash/lodash",
    "sumneko/lua-language-server": "LuaLS/lua-language-server",
    "keplerproject/luarocks": "luarocks/luarocks",
    "google/gmock": "google/googletest",
    "vuejs/vite": "vitejs/vite",
    "visionmedia/commander.js": "tj/commander.js",
    "visionmedia/express": "expressjs/express",
}

# Published packages whose name does not tell the repository. Checked besides their metadata,
# which some leave empty. '*' matches anything.
PACKAGES = {
    ("crates", "tokio-util"): "tokio-rs/tokio",
    ("crates", "tokio-stream"): "tokio-rs/tokio",
    ("crates", "tokio-macros"): "tokio-rs/tokio",
    ("crates", "tokio-test"): "tokio-rs/tokio",
    ("crates", "axum-*"): "tokio-rs/axum",
    ("crates", "clap_*"): "clap-rs/clap",
    ("crates", "structopt*"): "clap-rs/clap",
    ("crates", "serde_derive*"): "serde-rs/serde",
    ("crates", "serde_core"): "serde-rs/serde",
    ("crates", "serde_test"): "serde-rs/serde",
    ("crates", "regex-*"): "rust-lang/regex",
    ("crates", "grep-*"): "BurntSushi/ripgrep",
    ("crates", "grep"): "BurntSushi/ripgrep",
    ("crates", "globset"): "BurntSushi/ripgrep",
    ("crates", "ignore"): "BurntSushi/ripgrep",
    ("crates", "fd-find"): "sharkdp/fd",
    ("npm", "lodash*"): "lodash/lodash",
    ("npm", "@nestjs/*"): "nestjs/nest",
    ("npm", "@prisma/*"): "prisma/prisma",
    ("npm", "@trpc/*"): "trpc/trpc",
    ("npm", "@vitest/*"): "vitest-dev/vitest",
    ("npm", "@vitejs/*"): "vitejs/vite",
    ("npm", "vite-node"): "vitest-dev/vitest",
    ("npm", "create-vite"): "vitejs/vite",
    ("npm", "@eslint/*"): "eslint/eslint",
    ("npm", "eslint-*"): "eslint/eslint",
    ("npm", "commander"): "tj/commander.js",
    ("npm", "underscore"): "lodash/lodash",
    ("pypi", "pydantic-core"): "pydantic/pydantic",
    ("pypi", "pydantic_core"): "pydantic/pydantic",
    ("pypi", "httpie"): "httpie/cli",
    ("debian", "libzstd"): "facebook/zstd",
    ("debian", "fmtlib"): "fmtlib/fmt",
    ("debian", "spdlog"): "gabime/spdlog",
    ("debian", "bats"): "bats-core/bats-core",
    ("debian", "nlohmann-json3"): "nlohmann/json",
    ("debian", "abseil"): "abseil/abseil-cpp",
    ("debian", "libuv1"): "libuv/libuv",
    ("debian", "libcommons-lang*-java"): "apache/commons-lang",
    ("debian", "commons-lang*"): "apache/commons-lang",
    ("debian", "libgoogle-gson-java"): "google/gson",
    ("debian", "guava-libraries"): "google/guava",
    ("debian", "guice"): "google/guice",
    ("debian", "jackson-databind"): "FasterXML/jackson-databind",
    ("debian", "valkey"): "redis/redis",
    ("debian", "hiredis"): "redis/redis",
    ("debian", "libokhttp-java"): "square/okhttp",
    ("debian", "haskell-commonmark*"): "jgm/commonmark-hs",
    ("debian", "ruby-activerecord*"): "rails/rails",
    ("debian", "php-symfony-*"): "symfony/console",
    ("debian", "symfony"): "symfony/console",
    ("debian", "php-illuminate-*"): "laravel/framework",
    ("debian", "php-laravel-*"): "laravel/framework",
}

# Repositories that share a name with an excluded one but are another project.
DIFFERENT = set(
    """
    boostorg/json boostorg/regex serde-rs/json ruby/json cli/cli urfave/cli hanami/cli
    dry-rb/dry-cli golang/cli chronotope/chrono vuejs/core castleproject/core
    spring-projects/spring-framework mrabarnett/mrab-regex google/re2 haskell-hvr/regex-tdfa
    cliutils/cli11 thephpleague/commonmark
    """.split()
)


class Exclusions:
    """Decides whether a source belongs to a repository that must not be trained on."""

    def __init__(self, lines):
        self.repositories = {}
        for line in lines:
            line = line.split("#")[0].strip()
            if line:
                self.repositories[normalise_repository(line)] = line
        self.names = {}
        for normal, line in self.repositories.items():
            self.names.setdefault(_plain(normal.split("/")[1]), line)
        self.slugs = {"golang-github-" + r.replace("/", "-"): r for r in self.repositories}

    def reason(self, registry, name, repository):
        """Why a source is left out, or '' if it may stay."""
        repo = normalise_repository(repository)
        package = (name or "").lower()
        if registry == "github":
            repo = normalise_repository(name) or repo
            package = repo
        if repo in self.repositories:
            return f"is {self.repositories[repo]}"
        for pattern, target in ALIASES.items():
            if repo and fnmatch.fnmatchcase(repo, pattern):
                return f"{repo} is or contains {target}"
        for (where, pattern), target in PACKAGES.items():
            if where == registry and fnmatch.fnmatchcase(package, pattern):
                return f"package of {target}"
        if repo in DIFFERENT:
            return ""
        bases = {repo.split("/")[-1], package.split("/")[-1]}
        if registry == "debian":
            for slug, target in self.slugs.items():
                if package == slug or package.startswith(slug + "-"):
                    return f"package of {target}"
            bases.add(
                re.sub(
                    r"^(golang-github|haskell|ruby|python3?|node|php|lua|ocaml|rust|r-cran|elixir|erlang)-",
                    "",
                    package,
                )
            )
            bases.add(re.sub(r"^lib(.+?)-(java|perl|ruby|lua)$", r"\1", package))
        for base in bases:
            target = base and self.names.get(_plain(base))
            if target:
                return f"has the name of {target}: a fork or a package of it"
        return ""


def _plain(name):
    name = re.sub(r"\d+$", "", name.removesuffix(".git"))
    name = re.sub(r"[._-](js|rs|hs|cpp|mirror|fork)$", "", name)
    return re.sub(r"[._-]", "", name)
