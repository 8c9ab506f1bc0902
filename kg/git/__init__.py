"""History from git, run so that nothing in a repository's configuration is executed."""

from kg.git.objects import NoHistory, NoRepository
from kg.git.repository import get_repository, head_digest, state_files, why_no_history
from kg.git.run_git import Git, open_git

__all__ = [
    "Git",
    "NoHistory",
    "NoRepository",
    "get_repository",
    "head_digest",
    "open_git",
    "state_files",
    "why_no_history",
]
