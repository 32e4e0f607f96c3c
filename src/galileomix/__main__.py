"""Run the command line with ``python -m galileomix``."""

from galileomix.cli import main

main()
