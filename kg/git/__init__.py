"""History from git, run so that nothing in a repository's configuration is executed."""

from kg.git.plain_files import NoHistory
from kg.git.repository import get_repository, head_digest, reason_for_no_history, state_files
from kg.git.run_git import Git, open_git

__all__ = [
    "Git",
    "NoHistory",
    "get_repository",
    "head_digest",
    "open_git",
    "reason_for_no_history",
    "state_files",
]
