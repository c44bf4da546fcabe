"""Automatic notes as pure functions: weekly and monthly reports, what to tell a doctor, and the files they become."""
