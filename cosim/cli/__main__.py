"""``python -m cosim.cli``."""

from cosim.cli.main import main

if __name__ == "__main__":
    main()
