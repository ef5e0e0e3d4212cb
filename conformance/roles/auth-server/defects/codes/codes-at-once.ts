/** Defects of codes that show when requests come at the same moment. */
import { randomCode } from '#protocol/time/random.ts';
import { withContext, withPipeline } from '../calls/varied.ts';
import type { Defect } from '../defect.ts';
import { onShape } from '../on-shape.ts';
import { later, SLOW_PART_MS, slowly } from '../trouble/slow-parts.ts';

/** Long enough (ms) for a round of guesses on a busy machine. */
const GUESS_ROUND_MS = 2_000;

export const codesAtOnceDefects: readonly Defect[] = [
  withContext(
    'code-used-up-last',
    'A code is used up after the slow part, so equal confirmations all succeed',
    'code-works-once-at-once',
    (context) => ({
      ...context,
      codes: {
        ...context.codes,
        claim(attribute, code) {
          const claim = context.codes.claim(attribute, code);
          claim.release();
          return { consume: () => later(context, SLOW_PART_MS, () => claim.consume()), release: () => undefined };
        },
      },
    }),
    { seenIn: ['better-auth/better-auth#8067', 'AnirudhPhophalia/MedInternia#966'] },
  ),
  onShape('challenge', 'code-used-late', 'code-works-once-at-once', { seenIn: ['better-auth/better-auth#8067'] }),
  onShape('carried-sign', 'code-used-late', 'code-works-once-at-once', { seenIn: ['better-auth/better-auth#8067'] }),
  withContext('tries-counted-late', 'Tries are counted a while later', 'tries-limited-at-once', (context) => {
    const { codes } = context.store;
    const count = codes.countFailure;
    codes.countFailure = (seq) => later(context, GUESS_ROUND_MS, () => count(seq));
    return context;
  }),
  onShape('challenge', 'tries-counted-late', 'tries-limited-at-once'),
  onShape('carried-sign', 'tries-counted-late', 'tries-limited-at-once'),
  {
    id: 'batch-counts-as-one-try',
    title: 'A batch of guesses counts as one try',
    caughtBy: 'tries-limited-in-batch',
    seenIn: ['terra-money/hive-graph#25', 'VilnaCRM-Org/user-service#315', 'OpenCTI-Platform/opencti#6898'],
    variation: () => ({
      pipeline: (pipeline, { store: { codes } }) => {
        const count = codes.countFailure;
        return async (text, channel) => {
          if (!text.startsWith('[')) return pipeline(text, channel);
          let isCounted = false;
          codes.countFailure = (seq) => {
            if (!isCounted) count(seq);
            isCounted = true;
          };
          try {
            return await pipeline(text, channel);
          } finally {
            codes.countFailure = count;
          }
        };
      },
    }),
  },
  withContext(
    'concurrent-sends-keep-first',
    'Of two codes that are requested at once both are sent, and the first is kept',
    'newest-code-after-two-requests',
    (context) => ({
      ...context,
      codes: {
        ...context.codes,
        issue(attribute) {
          const last = context.store.codes.find(attribute);
          if (last && context.clock.now() < last.sentAt + GUESS_ROUND_MS) return randomCode(context.random, 6);
          return context.codes.issue(attribute);
        },
      },
    }),
    { seenIn: ['better-auth/better-auth#11181'] },
  ),
  withPipeline(
    'wrong-try-writes-old-code-back',
    'A wrong try writes the row of the code back that it has read, over the code that was sent meanwhile',
    'newest-code-survives-wrong-try',
    (context) => {
      const { codes } = context.store;
      const read = new Map<string, NonNullable<ReturnType<typeof codes.find>>>();
      return async (call, pass) => {
        const attribute = { kind: 'phone' as const, value: String(call.params.phone) };
        if (call.method === 'auth.confirm_otp') {
          const row = codes.find(attribute);
          const reply = await pass(call);
          if (row && !reply.result) {
            read.set(attribute.value, row);
            later(context, GUESS_ROUND_MS, () => read.delete(attribute.value));
          }
          return reply;
        }
        if (call.method !== 'auth.request_otp') return pass(call);
        await slowly(context);
        const reply = await pass(call);
        const row = read.get(attribute.value);
        if (row && reply.result) codes.put(attribute, row, row.sentAt, row.expiresAt);
        return reply;
      };
    },
    { seenIn: ['better-auth/better-auth#10443'] },
  ),
];
