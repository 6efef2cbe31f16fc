"""The rule of imports, by which the parts stay apart. Every file is parsed, also those that nobody imports."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("gridmill", "producer", "worker", "collector")
ROLES = ("producer", "worker", "collector")
COMPOSING = ("gridmill.mill", "gridmill.roles", "gridmill.sitting")  # who knows the roles
FILES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))

# What a module may import of ours, where the rule says so. All below are pure: no server, no file, no setting.
PURE = {
    "gridmill.errors": (),
    "gridmill.board": ("gridmill.errors",),
    "gridmill.answers": ("gridmill.errors",),
    "gridmill.rules": ("gridmill.board", "gridmill.errors"),
    "gridmill.solvers": (
        "gridmill.answers",
        "gridmill.board",
        "gridmill.column",
        "gridmill.errors",
        "gridmill.finding",
        "gridmill.kernel",
        "gridmill.questions",
        "gridmill.reply",
        "gridmill.rules",
        "gridmill.solvers",
    ),
}
# Who may import which library. Celery is the worker's role; the others get its app from the broker.
USERS = {
    "celery": ("gridmill.broker", "gridmill.testing", "worker"),
    "kombu": ("gridmill.inbox", "gridmill.testing", "worker"),
    "redis": (
        "gridmill.broker",
        "gridmill.bulk",
        "gridmill.connection",
        "gridmill.doctor",
        "gridmill.embedded",
        "gridmill.inbox",
        "gridmill.ledger",
        "gridmill.packer",
        "gridmill.refusal",
        "gridmill.testing",
    ),
    "fakeredis": ("gridmill.testing",),
    "pysat": ("gridmill.solvers.sat",),
}


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imported(path: Path) -> set[str]:
    """The full names of what a file imports, at its top or inside a function, for types only or not."""
    return set(_imported(ast.parse(path.read_text("utf-8")), module_of(path), path.name == "__init__.py"))


def _imported(tree: ast.Module, module: str, is_package: bool) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = module.split(".")[: len(module.split(".")) - node.level + is_package] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            # "from gridmill import broker" imports a module, "from gridmill.board import pack" does not.
            yield from (f"{base}.{alias.name}" if _is_module(f"{base}.{alias.name}") else base for alias in node.names)


def _is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return name.split(".")[0] in PACKAGES and (path.with_suffix(".py").exists() or path.is_dir())


def within(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def ours(path: Path) -> set[str]:
    return {name for name in imported(path) if within(name, *PACKAGES)}


@pytest.fixture(params=FILES, ids=[str(path.relative_to(ROOT)) for path in FILES])
def path(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


@pytest.mark.parametrize("library", USERS)
def test_a_library_is_imported_where_it_belongs_only(path: Path, library: str) -> None:
    if not within(module_of(path), *USERS[library]):
        assert not any(within(name, library) for name in imported(path))


def test_no_role_imports_another(path: Path) -> None:
    role = module_of(path).split(".")[0]
    if role in ROLES:
        assert not any(within(name, *ROLES) and not within(name, role) for name in ours(path))


def test_only_the_mill_imports_the_roles(path: Path) -> None:
    module = module_of(path)
    if module.startswith("gridmill") and module not in COMPOSING:
        assert not any(within(name, *ROLES) for name in ours(path))


@pytest.mark.parametrize("module", COMPOSING)
def test_the_mill_imports_the_roles_when_it_needs_them(module: str) -> None:
    """At the top they would cost every command the start-up of all of them."""
    tree = ast.parse(ROOT.joinpath(*module.split(".")).with_suffix(".py").read_text("utf-8"))
    tree.body = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    names = set(_imported(tree, module, is_package=False))
    assert not any(within(name, *ROLES) for name in names)


def test_the_command_line_knows_no_server(path: Path) -> None:
    if within(module_of(path), "gridmill.cli"):
        assert not any(within(name, "gridmill.ledger", "gridmill.broker", "gridmill.embedded") for name in ours(path))


def test_what_is_pure_imports_only_what_is_pure(path: Path) -> None:
    module = module_of(path)
    for pure, allowed in PURE.items():
        if within(module, pure):
            # The package itself is always imported, by Python.
            assert {name for name in ours(path) if not within(name, pure, *allowed)} <= {"gridmill"}


def test_the_rule_sees_every_way_to_import() -> None:
    source = (
        "import celery.app\nfrom . import broker\nfrom ..gridmill import x\ndef f():\n    from redis import Redis\n"
    )
    found = set(_imported(ast.parse(source), "gridmill.some", is_package=False))
    assert {"celery.app", "gridmill.broker", "redis"} <= found
