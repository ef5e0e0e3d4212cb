/** For tests: a right server that sends the same code again while it lives. */
import { expect } from 'vitest';
import { CODE_LIFETIME_MS } from '#protocol/limits.ts';
import { systemClock } from '#protocol/time/clock.ts';
import type { Verdict } from '../../../../engine/check/verdict.ts';
import { judge } from '../../../judge.ts';
import type { Mock } from '../../defects/defect.ts';
import type { Flow } from '../../flows/flow.ts';
import { playVariant } from '../self-test.ts';

/** Sends the same code to a phone again until it is used or expired. */
function sameCodeAgain({ codes, clock, ledger }: Mock): void {
  const { issue, claim } = codes;
  const sent = ledger.notes<{ shown: string; real: string; until: number }>('sent');
  codes.issue = (attribute) => {
    const real = issue(attribute);
    const known = sent.get(attribute.value);
    const isAlive = known !== undefined && known.until > clock.now();
    const { shown, until } = isAlive ? known : { shown: real, until: clock.now() + CODE_LIFETIME_MS };
    sent.set(attribute.value, { shown, real, until });
    return shown;
  };
  codes.claim = (attribute, code) => {
    const own = sent.get(attribute.value);
    const claimed = claim(attribute, own?.shown === code && own.until > clock.now() ? own.real : 'none');
    return {
      ...claimed,
      consume() {
        claimed.consume();
        sent.delete(attribute.value);
      },
    };
  };
}

const VARIANT = {
  id: 'same-code-again',
  title: 'The same code is sent again while it lives',
  parts: sameCodeAgain,
};

/** Plays scenarios on that server, which must fail no check. Returns the outcome of each check by its id. */
export async function outcomesOfSameCodeAgain(
  played: readonly Flow[],
): Promise<ReadonlyMap<string, Verdict['outcome']>> {
  const options = { clock: systemClock, seed: 1, signal: new AbortController().signal };
  const run = await playVariant(VARIANT, played, options);
  const again = run.entries.filter((entry) => entry.kind === 'code' && entry.facts.again);
  expect(again.length).toBeGreaterThan(0);
  const verdicts = judge(run);
  expect(verdicts.filter(({ outcome }) => outcome === 'fail').map(({ check }) => check)).toEqual([]);
  return new Map(verdicts.map(({ check, outcome }) => [check, outcome]));
}
