"""`python -m kg`"""

from kg.cli import run

if __name__ == "__main__":
    run()
