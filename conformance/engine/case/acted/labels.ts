/** Marks in the labels and paths of what is played by a script that acts as a person. */

/** What stands before the name of a note in the path of its call. */
export const NOTE = 'note:';

/** What stands before the label of a step that prepares the judged ones. */
export const SET_UP = /set-up \d+: /g;

/** The note of a code that a person types: the code, and the phone to which it came. */
export const CODE = 'code';
