"""A virtual environment for the peers, made once and used by every script here."""

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ["numpy", "scipy", "pin", "mujoco"]
WANTED = ["drake"]


def enter(folder=None):
    """Starts the script again with the interpreter of the environment, unless it runs there already."""
    folder = Path(folder or ROOT / "target" / "peers").resolve()
    if Path(sys.prefix).resolve() == folder:
        return
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        make(folder, python)
    os.execv(python, [str(python), *sys.argv])


def make(folder, python):
    """Makes the environment. Packages that are only wanted may fail; the scripts then skip them."""
    print(f"Installing {', '.join(NEEDED)} in {folder} ...", flush=True)
    venv.create(folder, with_pip=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, *NEEDED], check=True)
    for name in WANTED:
        if subprocess.run([*install, name], stderr=subprocess.DEVNULL).returncode != 0:
            print(f"{name} cannot be installed here and is skipped.")
    (folder / "ready").touch()


def versions(*names):
    """The versions of packages, as one line."""
    from importlib.metadata import PackageNotFoundError, version

    found = []
    for name in names:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"no {name}")
    return ", ".join(found)
