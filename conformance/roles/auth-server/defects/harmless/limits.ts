/** Right servers with limits on codes, requests and known people, which their adapter files state. */
import { harmlessOf } from '../defect.ts';
import { instead, no, REQUEST } from '../operators.ts';

const MINUTE_MS = 60_000;

const FOUR_PHONES = { phones: ['79995550001', '79995550002', '79995550003', '79995550004'], perDay: 20 };

/**
 * A phone that loses its correspondence entry can take part in nothing else; four phones are too few for
 * that.
 */
const LOST = 'removed-correspondence-told';

/** A phone whose code is guessed at is needed for nothing else meanwhile. */
const GUESSED_AT = ['tries-kept-beside-others', 'tries-kept-over-restart'];

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
  { file: FOUR_PHONES, notPlayable: ['same-ending-other-user', 'code-to-named-phone', ...GUESSED_AT, LOST] },
  'challenge-four-phones: Only four phones are known, and one of them is sent twenty codes in a day',
  { shape: 'challenge', file: FOUR_PHONES, notPlayable: [...GUESSED_AT, LOST] },
  'requests-limited: It takes ninety requests a second from one address, as its adapter file says',
  { env: { AUTH_RATE_LIMIT: 'on', AUTH_RATE_PER_ADDRESS: '90' } },
  { file: { requestsPerSecond: 60 } },
]);
