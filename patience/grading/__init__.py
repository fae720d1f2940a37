"""Grading: the teacher's command."""

from __future__ import annotations
