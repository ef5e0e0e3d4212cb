/**
 * Lists harmless variants that use what the interface leaves open: how an error is told, when a session is
 * saved, how long it lives. Where a recommendation tells the difference, `told` names it.
 * A text `id: title` begins a variant; its change follows.
 */
import { asksForHealth } from '../calls/envelope.ts';
import { authInfoOf, sends } from '../calls/outgoing.ts';
import { harmlessOf } from '../defect.ts';
import { ANY, after, no, REPORT, refused, refuses, yes } from '../operators.ts';

export const harmlessAsAllowed = harmlessOf([
  'refusals-are-internal: Whatever is refused to a client is answered with an internal error',
  { told: ['malformed-refused'] },
  after(refused(ANY), ({ reply: { id } }) => ({ ...no('internal_error'), id })),
  'missing-entry-is-internal: A missing correspondence entry is answered with an internal error',
  after(refused(ANY, 'user_unknown'), ({ reply: { id } }) => ({ ...no('internal_error'), id })),
  'missing-entry-is-accepted: The report of a user without an entry is taken, and nothing is saved',
  { told: ['missing-correspondence-told'] },
  after(refused(REPORT, 'user_unknown'), ({ reply: { id } }) => ({ ...yes(), id })),
  'health-asked: After each call the EHR server is asked how it is, by a method of its own',
  asksForHealth,
  'ttl-capped: The EHR server is sent a ttl of half a day at most',
  sends((out) => {
    const own = authInfoOf(out);
    own.ttl = Math.min(Number(own.ttl), 720);
  }),
  'long-signs-refused: A reported signature of more than 128 characters is refused',
  refuses(REPORT, ({ params }) => String(params.user_sign).length > 128, 'invalid_params'),
  'content-type-of-its-own: The calls are of the type application/json-rpc',
  sends(({ init }) => void Object.assign(init.headers, { 'content-type': 'application/json-rpc' })),
]);
