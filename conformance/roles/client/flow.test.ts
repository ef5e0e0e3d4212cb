import { expect, test } from 'vitest';
import type { PlayedStep } from '../../engine/journal/view.ts';
import { CLIENT } from './flow.ts';
import { keptBeside } from './people/values-of-seen.ts';
import { tells } from './world.ts';

test('a client that waits longer than the kit for an answer is not judged', () => {
  const played = (fault?: string) =>
    ({
      step: { label: 'no answer' },
      result: { kind: 'failed', what: 'timeout', detail: 'no answer to logout' },
      exchanges: [{ link: 'client->ehr', fault, facts: {} }],
    }) as unknown as PlayedStep;
  const because = expect.stringContaining('raise timeouts.actionMs');
  expect(CLIENT.unmet([played('hang')], tells())).toEqual({ notApplicable: because });
  expect(CLIENT.unmet([played()], tells())).toMatchObject({ actual: 'no answer to logout' });
});

test('a value that may stay is left out wherever it is kept', () => {
  const kept = 'surname in an address of the page, a user_sign in a cookie, the session token';
  expect(keptBeside(kept, ['a user_sign'])).toEqual([
    'surname in an address of the page',
    'the session token',
  ]);
  expect(keptBeside('', [])).toEqual([]);
});
