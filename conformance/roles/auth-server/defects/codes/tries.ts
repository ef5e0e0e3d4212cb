/** Defects in how long a code lives, how often it can be tried, and what strangers can do with a phone. */
import { CODE_LIFETIME_MS } from '#protocol/limits.ts';
import { withContext, withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';

type Info = { user: string; token: string };

/** Ends the sessions that were opened for a phone when `ends` says so of a call and its outcome. */
const endsSessions = (
  id: string,
  title: string,
  caughtBy: string,
  ends: { method: string; by: 'success' | 'refusal' },
): Defect =>
  withPipeline(id, title, caughtBy, () => {
    const opened = new Map<unknown, string[]>();
    const ended = new Set<string>();
    return async (call, pass) => {
      const isEnded = call.cred !== undefined && ended.has(call.cred.token);
      const reply = await pass(isEnded && call.cred ? { ...call, cred: { ...call.cred, token: 'ended' } } : call);
      const { phone } = call.params;
      if (call.method === ends.method && (ends.by === 'success') === (reply.result !== undefined))
        for (const token of opened.get(phone) ?? []) ended.add(token);
      const info = reply.result?.authInfo as Info | undefined;
      if (info) opened.set(phone, [...(opened.get(phone) ?? []), info.token]);
      return reply;
    };
  });

export const triesDefects: readonly Defect[] = [
  withContext('tries-prolong-code', 'Each try prolongs the life of a code', 'expired-code-refused', (context) => {
    const { store, clock } = context;
    const { find } = store.codes;
    const ends = new Map<number, number>();
    store.codes.find = (attribute) => {
      const sent = find(attribute);
      if (!sent) return undefined;
      const expiresAt = ends.get(sent.seq) ?? sent.expiresAt;
      if (clock.now() < expiresAt) ends.set(sent.seq, clock.now() + CODE_LIFETIME_MS);
      return { ...sent, expiresAt };
    };
    return context;
  }),
  {
    ...withPipeline(
      'refused-request-resets-tries',
      'A request for another code that is refused begins the count of tries again',
      'tries-survive-refused-request',
      ({ store: { codes } }) => {
        const { find } = codes;
        const forgiven = new Map<number, number>();
        codes.find = (attribute) => {
          const sent = find(attribute);
          return sent && { ...sent, failures: sent.failures - (forgiven.get(sent.seq) ?? 0) };
        };
        return async (call, pass) => {
          const reply = await pass(call);
          const sent = find({ kind: 'phone', value: String(call.params.phone) });
          if (call.method === 'auth.request_otp' && reply.error && sent) forgiven.set(sent.seq, sent.failures);
          return reply;
        };
      },
    ),
  },
  withContext(
    'tries-in-memory',
    'A restart forgets how often a code was tried',
    'tries-kept-over-restart',
    (context) => {
      const { codes } = context.store;
      const { find } = codes;
      const failures = new Map<number, number>();
      codes.countFailure = (seq) => void failures.set(seq, (failures.get(seq) ?? 0) + 1);
      codes.find = (attribute) => {
        const sent = find(attribute);
        return sent && { ...sent, failures: failures.get(sent.seq) ?? 0 };
      };
      return context;
    },
  ),
  endsSessions(
    'code-request-ends-sessions',
    'A request for a code ends the sessions of that phone',
    'code-request-ends-no-session',
    { method: 'auth.request_otp', by: 'success' },
  ),
  endsSessions(
    'wrong-code-ends-sessions',
    'A wrong code ends the sessions of that phone',
    'wrong-code-ends-no-session',
    { method: 'auth.confirm_otp', by: 'refusal' },
  ),
  onShape('challenge', 'tries-prolong-code', 'expired-code-refused'),
  onShape('challenge', 'refused-request-resets-tries', 'tries-survive-refused-request'),
  onShape('challenge', 'pause-by-claimed-address', 'pause-for-every-address'),
  onShape('challenge', 'wrong-code-ends-sessions', 'wrong-code-ends-no-session'),
];
