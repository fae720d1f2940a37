"""Grading: the teacher's command. From the top down:

command            the command grade: options, submissions side by side, tables
making             new sessions that no student knows
weights            what each part of a grade is worth

report/            what is written
    writing            what the command writes and shows
    tables             the table of a class: written, merged, compared
    page               the class on one page, and in lines
    reports            feedback, the results of Gradescope and PrairieLearn

judge/             how one submission is judged
    submission         the points of each session, answer by answer
    sessions           scripted sessions: reading, recording, exporting
    functions          the functions of a submission beside those of a reference
    function_answers   the points of its functions
    style              remarks on its text, and which others it resembles
    grades             Grade, Part, Slip, Difference: the result
    assignment         what submissions are graded against

submissions        what a teacher has: folders, files as platforms name them, zip files

courses/           what a game is graded by
    known              which Course a game has
    contract           Course: the defaults, for a game by its contract
    montana/           the Course of Montana's assignment: course, calls, sessions/
    mirror             our own game beside a student's: kinds of answers, what is right on the student's board
    calls              what functions are asked
    answers            an answer compared with a session's: its words, its board, its prompt
    session            Session: what is typed, and what must be printed

box/               where it runs
    programs           one submission, run in its box: what it prints and answers
    runner             the process that runs it: environment, limits, sandbox
    sandboxes          bubblewrap, a different user, or none
    boxes              a folder for each submission and what it needs, gone afterwards
    inside/            what runs in the box before the submission; it needs nothing but Python
"""

from __future__ import annotations
