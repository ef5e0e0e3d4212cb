import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { randomToken, seededRandom } from '#protocol/time/random.ts';
import type { ExchangeEntry } from '../entry.ts';
import { Recorder } from '../recorder.ts';
import { decodedTexts } from './decoded-texts.ts';
import { Knowledge } from './knowledge.ts';

const ANN = { scenario: 's', user: 'Ann', phone: '79990000001' };

/** The secrets found in an answer to Ann, who was sent this code. */
function seen(body: string, code: string): string[] | undefined {
  const knowledge = new Knowledge('auth', 'secret', new Map());
  const recorder = new Recorder(manualClock(), knowledge);
  knowledge.learnPerson(ANN, ANN.phone);
  recorder.code(ANN, code);
  const step = recorder.step({ scenario: 's', user: 'Ann', step: 'requestOtp', label: 'request' });
  const request = { httpVersion: '1.1', method: 'POST', path: '/', headers: [], body: '' };
  recorder
    .exchange('client->auth', undefined, step.seq)
    .end({ link: 'client->auth', request, response: { status: 200, headers: [], body } });
  return (recorder.entries().at(-1) as ExchangeEntry).facts.toClient;
}

test.each(['204863', '2048', '20486312'])('the code %s is seen in base64 wherever it stands there', (code) => {
  for (const before of ['', 'v', 'v=', 'v=1', '{"phone":"79990000001","code":"']) {
    for (const alphabet of ['base64', 'base64url'] as const) {
      const hidden = Buffer.from(`${before};${code};and more`).toString(alphabet);
      expect(seen(`{"challenge":"${hidden}"}`, code), before).toEqual(['a code that is not confirmed yet in the body']);
    }
  }
});

test('a signed token is read', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg: 'HS256' })}.${part({ otp: 204863 })}.${randomToken(seededRandom(1))}`;
  expect(seen(token, '204863')).toEqual(['a code that is not confirmed yet in the body']);
});

test('tokens, words and numbers decode to nothing that can be read', () => {
  const random = seededRandom(1);
  const tokens = Array.from({ length: 500 }, () => randomToken(random));
  expect(decodedTexts(`${tokens.join(' ')} {"challenge":"sign-in","expiresIn":300,"at":1768467600123}`)).toEqual([]);
});
