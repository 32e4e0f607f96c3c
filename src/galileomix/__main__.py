"""Run the command line with ``python -m galileomix``."""

from galileomix._cli import main

main()
