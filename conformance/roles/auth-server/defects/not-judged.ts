/** Faults of public systems that no check judges, with the reason and the id in the list of real defects. */

export type NotJudged = { readonly id: string; readonly because: string };

export const notJudged: readonly NotJudged[] = [
  {
    id: 'as-limit-per-process',
    because:
      'Where the counters of a server are kept shows only when it is restarted in the middle of a guess or asked in several instances; a test system seldom has either.',
  },
  {
    id: 'as-confirm-betrays-account',
    because:
      'A wrong code is tried for phones that were sent one; a phone of nobody may be sent none, and then no two requests are alike but for the account.',
  },
  {
    id: 'as-pasted-code-refused',
    because: 'Blanks in a code are a matter of comfort: a server that refuses them confirms nothing that it must not.',
  },
  {
    id: 'as-fixed-code-when-store-is-down',
    because: 'The store behind a server cannot be stopped from outside, and nothing of it shows on the wire.',
  },
  {
    id: 'as-code-for-another-purpose',
    because:
      'Codes for another purpose, such as an e-mail address, are requested in a way that the adapter file does not describe.',
  },
  {
    id: 'as-digit-lost-in-normalising',
    because:
      'It concerns numbers with a zero of their own, and the phones of a run are those that the adapter file allows: the kit must not send codes to others.',
  },
  {
    id: 'as-invisible-characters',
    because:
      'It makes two attributes look alike to people. A phone consists of digits, and e-mail addresses are not part of a run.',
  },
  {
    id: 'as-foreign-digits',
    because:
      'A server may take digits of another script or refuse them: both are right, and the code would go to a phone that the adapter file does not name.',
  },
  {
    id: 'as-squatted-account',
    because: 'It needs a second way to sign in beside the phone, which the adapter file does not describe.',
  },
  {
    id: 'as-code-in-the-log',
    because: 'It does not show on the wire; the output of a server that the kit starts is shown without secrets.',
  },
  {
    id: 'as-code-in-the-subject',
    because: 'It concerns codes by e-mail, which are not part of a run.',
  },
  {
    id: 'as-try-charged-to-newer-code',
    because:
      'It shows only when as many wrong codes as the server allows are under way while the code is sent anew, and a right server that locks the phone for a time refuses the fresh code then, too.',
  },
  {
    id: 'as-code-dead-at-once',
    because: 'Nobody can sign in to such a server: the doctor says so, and there is nothing to judge.',
  },
  {
    id: 'as-number-has-a-new-owner',
    because:
      'The interface has it so: whoever confirms the phone is its user (§1 rule 8), and the session of a user who was matched is saved directly (§1 rule 7).',
  },
  {
    id: 'as-deletion-half-done',
    because:
      'The server would have to be killed between two stores, at a moment that the wire does not show; that a deletion was whole is judged.',
  },
];
