import { expect, test } from 'vitest';
import type { ExchangeEntry, StepResult } from '../../../engine/journal/entry.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { SAVE_EXCHANGE_TOKEN } from '../internal-calls.ts';
import { endedBy } from './ending.ts';

const result: StepResult = { kind: 'refused', status: 502 };
const save = { link: 'auth->ehr', facts: { call: { method: SAVE_EXCHANGE_TOKEN } } } as ExchangeEntry;

/** Judges a refused request for an exchange token during which the server made these calls. */
const found = (exchanges: ExchangeEntry[]) =>
  endedBy('the logout ended it', { result, exchanges } as PlayedStep);

test('a refusal shows no ended session where its save got no answer', () => {
  expect(found([])).toMatchObject({ actual: expect.stringContaining('the logout ended it') });
  expect(found([save])).toMatchObject({ unclear: 'the EHR server did not acknowledge the exchange token' });
});
