/** Further flows with parties of other makes. */
import { expect, test } from 'vitest';
import { allPassed, example, play } from '../testing/play-parties.ts';

test.each([
  ['auth-server', 'plain-js', ['first-link', 'link-without-ehr-server']],
  [
    'ehr-server',
    'plain-ehr',
    ['session-expired', 'twins', 'namesakes', 'race-for-a-record', 'log-out', 'disconnect'],
  ],
  ['client', 'plain-client', ['first-link']],
] as const)('further flows with a replaced %s pass', async (role, name, names) => {
  expect(await play({ [role]: example(name) }, names)).toEqual(allPassed(names));
});

test('a kept link is seen as the first differing message', async () => {
  const ehr = { 'ehr-server': example('plain-ehr-faulty') };
  const { 'record-passed-on': passedOn } = await play(ehr, ['record-passed-on'], 'disconnect-keeps-link');
  expect(passedOn).toMatchObject({
    outcome: 'failed',
    difference: expect.stringContaining(
      'embedded_storage.authenticate, answered with patient_already_linked',
    ),
  });
});
