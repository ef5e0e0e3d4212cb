/** Whether tokens could be guessed, from their looks beside each other. */
import type { Check } from './check.ts';
import { failed, inconclusive } from './judging.ts';

const MIN_BITS = 128;

export function entropy(id: string, kind: 'exchange-token' | 'session-token', name: string): Check {
  return {
    id,
    title: `The ${name} carry at least ${MIN_BITS} bits that cannot be guessed`,
    level: 'ADVICE',
    requirements: ['K-token-entropy'],
    scenarios: ['many-tokens'],
    watchable: true,
    judge(journal) {
      const fresh = journal.internalCalls.flatMap(({ seq, facts }) =>
        Object.values(facts.fresh ?? {})
          .filter((each) => each.kind === kind)
          .map((each) => ({ seq, ...each })),
      );
      if (fresh.length === 0) return inconclusive(`no ${name} crossed the wire`);
      const weakest = fresh.reduce((least, each) => (each.bits < least.bits ? each : least));
      if (weakest.bits >= MIN_BITS) return { outcome: 'pass', evidence: fresh.slice(0, 3).map(({ seq }) => seq) };
      return failed(
        `at least ${MIN_BITS} bits`,
        `at most ${weakest.bits} bits in ${weakest.length} characters, as they look beside each other`,
        [weakest.seq],
        'Draw tokens from a cryptographic generator: 32 random bytes in base64url.',
      );
    },
  };
}
