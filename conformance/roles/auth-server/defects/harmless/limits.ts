/** Right servers with limits on codes, requests and known people, which their adapter files state. */
import type { Harmless } from '../defect.ts';
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

export const harmlessLimits: readonly Harmless[] = [
  {
    id: 'twenty-codes-a-minute',
    title: 'One address is sent twenty codes in a minute, as its adapter file says',
    file: { perMinute: 20 },
    change: instead(REQUEST, ({ seen, parts: { clock } }) => {
      const sent = seen.notes<number>('codes sent');
      const minute = [...sent.values()].filter((at) => at > clock.now() - MINUTE_MS);
      if (minute.length >= 20) return no('otp_throttled');
      sent.set(sent.size, clock.now());
      return undefined;
    }),
  },
  {
    id: 'four-phones',
    title: 'Only four phones are known, and one of them is sent twenty codes in a day',
    file: FOUR_PHONES,
    notPlayable: ['same-ending-other-user', 'code-to-named-phone', ...GUESSED_AT, LOST],
  },
  {
    id: 'challenge-four-phones',
    shape: 'challenge',
    title: 'Only four phones are known, and one of them is sent twenty codes in a day',
    file: FOUR_PHONES,
    notPlayable: [...GUESSED_AT, LOST],
  },
  {
    id: 'requests-limited',
    title: 'It takes ninety requests a second from one address, as its adapter file says',
    change: { env: { AUTH_RATE_LIMIT: 'on', AUTH_RATE_PER_ADDRESS: '90' } },
    file: { requestsPerSecond: 60 },
  },
];
