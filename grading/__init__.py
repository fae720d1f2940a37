"""Grading: the teacher's command. Its modules:

command        the command grade: options, submissions side by side, tables
submissions    what a teacher has: folders, files as platforms name them, zip files
judging        one submission: what each session comes to, answer by answer
functions      the functions of a submission beside those of a reference
calls          what functions are asked
sessions       scripted sessions: reading, recording, exporting
answers        an answer compared with a session's: its words, its board, its prompt
mirror         our own game beside a student's: kinds of answers, what is right on the student's board
boxes          a folder for each submission and what it needs, gone afterwards
programs       one submission, run in its box: limits, what it leaves behind
sandboxes      bubblewrap, another user, or none
inside         what runs in the box before the submission; it needs nothing but Python; inside_functions is its part
               that calls functions
making         new sessions that no student knows
reports        points, feedback, the class in one page, Gradescope, PrairieLearn
writing        what the command writes and shows
tables         the table of a class: written, merged, compared
special        where one game's own is found: montana, what is Montana's alone
montana_main   the main() of the assignment, for a module without one

montana/ holds the sessions of the assignment.
"""

from __future__ import annotations
