/**
 * Lists faults that public authorization servers had and that no check of the kit judges, with the reason.
 * A key is the id of the fault in the list of real defects.
 */

import type { NotJudged } from '../../../engine/defects/not-judged.ts';

const REASONS = {
  'as-limit-per-process':
    'Where the counters of a server are kept shows only when it is restarted in the middle of a guess or asked in several instances; a test system seldom has either.',
  'as-confirm-betrays-account':
    'A wrong code is tried for phones that were sent one; a phone of nobody may be sent none, and then no two requests are alike but for the account.',
  'as-pasted-code-refused':
    'Blanks in a code are a matter of comfort: a server that refuses them confirms nothing that it must not.',
  'as-fixed-code-when-store-is-down':
    'The store behind a server cannot be stopped from outside, and nothing of it shows on the wire.',
  'as-code-for-another-purpose':
    'Codes for another purpose, such as an e-mail address, are requested in a way that the adapter file does not describe.',
  'as-digit-lost-in-normalising':
    'It concerns numbers with a zero of their own, and the phones of a run are those that the adapter file allows: the kit must not send codes to others.',
  'as-invisible-characters':
    'It makes two attributes look alike to people. A phone consists of digits, and e-mail addresses are not part of a run.',
  'as-foreign-digits':
    'A server may take digits of another script or refuse them: both are right, and the code would go to a phone that the adapter file does not name.',
  'as-squatted-account':
    'It needs a second way to sign in beside the phone, which the adapter file does not describe.',
  'as-code-in-the-log':
    'It does not show on the wire; the output of a server that the kit starts is shown without secrets.',
  'as-code-in-the-subject': 'It concerns codes by e-mail, which are not part of a run.',
  'as-try-charged-to-newer-code':
    'It shows only when as many wrong codes as the server allows are under way while the code is sent again, and a right server that locks the phone for a time refuses the fresh code then, too.',
  'as-code-dead-at-once':
    'Nobody can sign in to such a server: the doctor says so, and there is nothing to judge.',
  'as-number-has-a-new-owner':
    'The interface has it so: whoever confirms the phone is its user (§1 rule 8), and the session of a user who was matched is saved directly (§1 rule 7).',
  'as-deletion-half-done':
    'The server would have to be killed between two stores, at a moment that the wire does not show; that a deletion was whole is judged.',
};

export const notJudged: readonly NotJudged[] = Object.entries(REASONS).map(([id, because]) => ({
  id,
  because,
}));
