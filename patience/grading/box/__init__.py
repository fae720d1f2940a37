"""Where a submission runs: boxes, sandboxes, the process, and what runs inside before the submission."""
