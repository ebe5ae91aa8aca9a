"""The measured claims of README and docs: `python -m benchmarks` prints them again."""
