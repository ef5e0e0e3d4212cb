/**
 * Lists harmless variants that use what the interface leaves open: how an error is told, when a session is
 * saved, how long it lives. Where a recommendation tells the difference, `told` names it.
 * A text `id: title` begins a variant; its change follows.
 */
import { harmlessOf } from '../defect.ts';
import { ANY, after, no, REPORT, refused, yes } from '../operators.ts';

export const harmlessAsAllowed = harmlessOf([
  'refusals-are-internal: Whatever is refused to a client is answered with an internal error',
  { told: ['refusals-told', 'losers-refused', 'malformed-refused'], notPlayable: ['trouble-told-apart'] },
  after(refused(ANY), ({ reply: { id } }) => ({ ...no('internal_error'), id })),
  'missing-entry-is-internal: A missing correspondence entry is answered with an internal error',
  { told: ['refusals-told'] },
  after(refused(ANY, 'user_unknown'), ({ reply: { id } }) => ({ ...no('internal_error'), id })),
  'missing-entry-is-accepted: The report of a user without an entry is taken, and nothing is saved',
  { told: ['missing-correspondence-told'] },
  after(refused(REPORT, 'user_unknown'), ({ reply: { id } }) => ({ ...yes(), id })),
]);
