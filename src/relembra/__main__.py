"""`python -m relembra` is the command `relembra`."""

import sys

from relembra.interfaces.cli.main import main

sys.exit(main())
