"""Grading: the teacher's command. Its modules:

command            the command grade: options, submissions side by side, tables
submissions        what a teacher has: folders, files as platforms name them, zip files
judging            one submission: the points of each session, answer by answer
judging_functions  the points of its functions
functions          the functions of a submission beside those of a reference
calls              what functions are asked; montana_calls asks Montana's
sessions           scripted sessions: reading, recording, exporting
answers            an answer compared with a session's: its words, its board, its prompt
mirror             our own game beside a student's: kinds of answers, what is right on the student's board
weights            what each part of a grade is worth
boxes              a folder for each submission and what it needs, gone afterwards
programs           one submission, run in its box: what it prints and answers
runner             the process that runs it: environment, limits, sandbox
sandboxes          bubblewrap, a different user, or none
inside             what runs in the box before the submission; it needs nothing but Python; inside_functions is its
                   part that calls functions
making             new sessions that no student knows
style              remarks on the code of a submission
reports            points, feedback, Gradescope, PrairieLearn
page               the class in one page, and in lines
writing            what the command writes and shows
tables             the table of a class: written, merged, compared
special            where one game's own is found: montana, what is Montana's alone
montana_main       the main() of the assignment, for a module without one

assignment/ holds the sessions of the assignment.
"""

from __future__ import annotations
