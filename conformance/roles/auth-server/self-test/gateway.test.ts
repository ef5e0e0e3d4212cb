import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { foundFault, smallestChangeTo } from '../../../engine/check/testing/smallest-change.ts';
import { lastAttempts } from '../../../engine/journal/played-steps.ts';
import { JournalView } from '../../../engine/journal/view.ts';
import { gatewayFails } from '../flows/codes/gateway-fails.ts';
import { playVariant } from './self-test.ts';

const options = { clock: systemClock, seed: 1, signal: new AbortController().signal };

test('each check of an SMS gateway passes, and can be red', async () => {
  const reference = { id: 'carried-sign', title: 'A server with a gateway', shape: 'carried-sign' as const };
  const played = await playVariant(reference, [gatewayFails], options, gatewayFails.checks);
  const changed = smallestChangeTo({ ...played, entries: lastAttempts(played.entries) });
  for (const check of gatewayFails.checks) {
    expect(check.judge(new JournalView(played.entries)).outcome, check.id).toBe('pass');
    expect(foundFault, check.id).toContain(changed(check).verdict.outcome);
  }
}, 60_000);
