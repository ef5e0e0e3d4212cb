/**
 * Lists harmless variants of the authorization server that limit codes, requests or known phones. Their
 * adapter files state these limits, so that the kit keeps below them.
 * A text `id: title` begins a variant; its change and the changes of its adapter file follow.
 */
import { harmlessOf } from '../defect.ts';
import { instead, no, REQUEST } from '../operators.ts';

const MINUTE_MS = 60_000;

/** The least that an adapter file may list: four phones. Each can be sent twenty codes a day. */
const FOUR_PHONES = { phones: ['79995550001', '79995550002', '79995550003', '79995550004'], perDay: 20 };

/** The check that guesses at the code of a phone, which can take part in nothing else meanwhile. */
const GUESSED_AT = 'tries-kept-beside-others';

export const harmlessLimits = harmlessOf([
  'twenty-codes-a-minute: One address is sent twenty codes in a minute, as its adapter file says',
  instead(REQUEST, ({ seen, parts: { clock } }) => {
    const sent = seen.notes<number>('codes sent');
    const minute = [...sent.values()].filter((at) => at > clock.now() - MINUTE_MS);
    if (minute.length >= 20) return no('otp_throttled');
    sent.set(sent.size, clock.now());
    return undefined;
  }),
  { file: { perMinute: 20 } },
  'four-phones: Only four phones are known, and one of them is sent twenty codes in a day',
  {
    file: FOUR_PHONES,
    notPlayable: ['same-ending-other-user', 'code-to-named-phone', 'entry-of-own-phone', GUESSED_AT],
  },
  'ttl-unit-stated: It counts ttl in seconds, to both sides, as its adapter file says',
  { env: { AUTH_TTL_UNIT: 'seconds', AUTH_SESSION_TTL: '86400' }, file: { ttlUnit: 'seconds' } },
  'requests-limited: It takes ninety requests a second from one address, as its adapter file says',
  { env: { AUTH_RATE_LIMIT: 'on', AUTH_RATE_PER_ADDRESS: '90' } },
  { file: { requestsPerSecond: 60 } },
]);
