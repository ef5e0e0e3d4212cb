import { expect, test } from 'vitest';
import { answersIn, runBash, withAddresses } from '#testing/bash-block.ts';
import { ehrAlone } from '#testing/worlds/linked-ehr.ts';
import { useWorld } from '#testing/worlds/use-world.ts';
import { script, WALK_TIMEOUT_MS, walk } from './testing/walk.ts';

test('the whole flow by curl works', { timeout: WALK_TIMEOUT_MS }, async () => {
  const world = await useWorld();
  expect(await walk(world)).toEqual([
    ...['auth.request_otp: done', 'auth.confirm_otp: linked false', 'patient.get_patient: not_authorized'],
    ...['auth.exchange_token: done', 'embedded_storage.authenticate: Anna', 'auth.report_link: done'],
    ...['patient.get_patient: Anna', 'embedded_storage.remove_auth_info: done', 'auth.logout: done'],
  ]);
});

test('the calls by hand to an EHR server alone answer as their comments say', async () => {
  const { ehr } = await ehrAlone({
    env: { EHR_INTERNAL_PORT: '0', EHR_INTERNAL_PASSWORD: 'internal-password' },
  });
  const here = { 'http://127.0.0.1:4100': ehr.url, 'http://127.0.0.1:4102': ehr.internalUrl };
  const answers = answersIn(await runBash(withAddresses(script('by-hand.sh'), here)));
  const outcomes = answers.map(({ answer }) => Object(answer).error?.data.reason ?? 'ok');
  expect(outcomes).toEqual(['ok', 'ok', 'ok', 'token_already_stored', 'ok', 'ok', 'ok']);
});
