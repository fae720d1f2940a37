"""Grading: the teacher's command. Its rooms:

command        the command grade: options, submissions side by side
submissions    what a teacher has: folders, files as platforms name them, zip files
judging        one submission: what each session and function comes to
sessions       scripted sessions: reading, recording, exporting
answers        what is printed between two prompts, compared with a session
mirror         our own game beside a student's: kinds of answers, what is right on the student's board
boxes          a folder for each submission and what it needs, gone afterwards
programs       one submission, run in its box: limits, sandbox, what it leaves behind
inside         what runs in the box before the submission; it needs nothing but Python
functions      the six functions of Montana's assignment, checked one by one
making         new sessions that no student knows
reports        points, feedback, CSV, Gradescope, PrairieLearn, JUnit
montana_main   the main() of the assignment, for a module without one

montana/ holds the sessions of the assignment.
"""
