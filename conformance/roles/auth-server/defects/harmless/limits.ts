/** Right servers with limits on codes, requests and known people, which their adapter files state. */
import { RpcError } from '#protocol/wire/errors.ts';
import type { Harmless } from '../defect.ts';

const MINUTE_MS = 60_000;

const FOUR_PHONES = { phones: ['79995550001', '79995550002', '79995550003', '79995550004'], perDay: 20 };

/**
 * A phone that loses its correspondence entry can take part in nothing else; four phones are too few for
 * that.
 */
const LOST = 'removed-correspondence-told';

/** A phone whose code is guessed at is needed for nothing else meanwhile. */
const GUESSED_AT = ['tries-kept-beside-others', 'tries-kept-over-restart'];

/** The mock's refusal of a call, as the text of its answer. */
export const refusal = ({ id }: { id: unknown }, reason: 'otp_wrong' | 'otp_throttled') =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { ...new RpcError(reason).toObject() } });

export const harmlessLimits: readonly Harmless[] = [
  {
    id: 'twenty-codes-a-minute',
    title: 'One address is sent twenty codes in a minute, as its adapter file says',
    file: { perMinute: 20 },
    variation: () => ({
      pipeline: (pipeline, { clock }) => {
        let sent: number[] = [];
        return async (text, channel) => {
          if (!text.includes('"auth.request_otp"')) return pipeline(text, channel);
          sent = sent.filter((at) => at > clock.now() - MINUTE_MS);
          if (sent.length >= 20) return { body: refusal(JSON.parse(text) as { id: unknown }, 'otp_throttled') };
          sent.push(clock.now());
          return pipeline(text, channel);
        };
      },
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
    env: { AUTH_RATE_LIMIT: 'on', AUTH_RATE_PER_ADDRESS: '90' },
    file: { requestsPerSecond: 60 },
  },
];
