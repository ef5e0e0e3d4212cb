import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seenExchanges } from '../../../engine/learn/exchange.ts';
import { usualAnswers } from '../../../testing/usual-answers.ts';
import { temporaryDirectory } from '../../auth-server/adapter/testing/adapter-file.ts';
import { loadEhrFile } from '../settings.ts';
import { learnedFile } from './file.ts';

const env = { EHR_INTERNAL_USER: 'kit', EHR_INTERNAL_PASSWORD: 'secret' };

/** A recorded call of JSON-RPC whose page has an origin. */
const called = (url: string, method: string, params: object) => ({
  startedAt: 0,
  request: {
    ...{ method: 'POST', url, headers: [['Origin', 'https://app.test']] as [string, string][] },
    body: JSON.stringify({ id: 5, method, params, cred: { user: 'u-anna', token: 'token-of-anna' } }),
  },
  answer: {
    ...{ status: 200, headers: [['Access-Control-Allow-Origin', 'https://app.test']] as [string, string][] },
    body: JSON.stringify({ id: 5, result: { patient: { surname: 'Quokkabergström' } } }),
  },
});

test('the file has each guess with its evidence, and nothing of the session', async () => {
  const authInfo = { user: 'u-anna', token: 'token-of-anna', ttl: 86_400 };
  const recording = seenExchanges([
    called('http://10.0.0.1/v1/', 'embedded_storage.save_auth_info', { authInfo }),
    called('https://ehr.test/v1/', 'patient.get_patient', {}),
  ]);
  const { text, left } = await learnedFile(recording, usualAnswers);
  const file = join(temporaryDirectory(), 'ehr.yaml');
  writeFileSync(file, text);
  expect(loadEhrFile(file, env).settings).toMatchObject({
    server: { url: 'https://ehr.test/v1/' },
    internalUrl: 'http://10.0.0.1/v1/',
    ...{ ttlUnit: 'seconds', replyId: 'echo', origin: 'https://app.test' },
  });
  for (const because of [
    '  # Guessed: patient.get_patient was sent there (request 2).\n  url:',
    '# Guessed: embedded_storage.save_auth_info was sent there (request 1).\ninternalUrl:',
    '86400 is 1440 hours in minutes, 24 hours in seconds (request 1).\nttlUnit:',
    '# Guessed: a number came back as a number (request 1).\nreplyId:',
    '# Guessed: Access-Control-Allow-Origin names it (request 2).\norigin:',
  ])
    expect(text).toContain(because);
  expect(text).not.toMatch(/u-anna|token-of-anna|Quokka|secret/);
  expect(left.filter((sentence) => sentence.startsWith('Not seen'))).toEqual([]);
});

test('an answer that differs from the guess has no evidence', async () => {
  const recording = seenExchanges([called('https://ehr.test/v1/', 'patient.get_patient', {})]);
  const other: typeof usualAnswers.text = async (question, usual) =>
    question.startsWith('Its public endpoint') ? 'https://other.test/v1/' : usual;
  const { text } = await learnedFile(recording, { ...usualAnswers, text: other });
  expect(text).toContain('version segment.\n  url: "https://other.test/v1/"');
});

test('a recording without a call of the interface is refused with the reason', async () => {
  await expect(learnedFile([], usualAnswers)).rejects.toThrow(
    'it has no call to an EHR server (JSON-RPC 2.0).',
  );
});
