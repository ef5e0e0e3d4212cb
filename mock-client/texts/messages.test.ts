import { expect, test } from 'vitest';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { reasonsOf } from '#protocol/methods/method-spec.ts';
import { errorTable, type Reason } from '#protocol/wire/errors.ts';
import { proves } from '#testing/proves.ts';
import type { Failure, ServerName } from '../calls.ts';
import { refused } from '../flow/testing/walk.ts';
import { failureMessage, serverWords, wayAfter } from './messages.ts';
import { languages, table } from './texts.ts';

const servers: ServerName[] = ['auth', 'ehr'];
const failures = (server: ServerName): Failure[] => [
  ...(Object.keys(errorTable) as Reason[]).map((reason) => refused(server, reason)),
  { ...refused(server, 'not_authorized'), reason: undefined } as Failure,
  { kind: 'unreachable', server },
  { kind: 'timeout', server },
  { kind: 'nonsense', server },
  { kind: 'http', server, status: 500 },
  { kind: 'http', server, status: 429 },
];

test('every failure is told in whole sentences without jargon', () => {
  for (const server of servers)
    for (const failure of failures(server)) {
      const { title, text } = failureMessage(failure);
      expect(title).toMatch(/^[A-Z][^.{}_]+$/);
      expect(text).toMatch(/^[A-Z][^{}_]+\.$/);
      expect(`${title} ${text}`).not.toMatch(/token|JSON|RPC|EHR|parameter|credential|authoriz/i);
    }
});

test('a failure of the connection names the server in plain words', () => {
  for (const kind of ['unreachable', 'timeout', 'nonsense'] as const) {
    expect(failureMessage({ kind, server: 'ehr' }).title).toContain('The records server');
    expect(failureMessage({ kind, server: 'auth' }).title).toContain('The sign-in server');
  }
  expect(failureMessage({ kind: 'http', server: 'ehr', status: 503 })).toMatchObject({
    title: 'The records server has a problem',
    text: expect.stringContaining('503'),
  });
  expect(failureMessage({ kind: 'http', server: 'auth', status: 429 }).text).toContain('wait');
});

test('the trouble of a server is told as that server’s, in every language', () => {
  for (const language of languages)
    for (const server of servers)
      for (const failure of failures(server).filter(({ kind }) => kind !== 'refused')) {
        const { title, text } = failureMessage(failure, language);
        expect(`${title} ${text}`).toContain(serverWords[language][server].Server);
        expect(`${title} ${text}`).not.toMatch(/your connection|соединение/i);
      }
});

proves(
  ['7-client-handles-errors', 'K-client-errors-told'],
  'each error of authenticate has its own words and a way onward',
  () => {
    const reasons = reasonsOf(ehrMethods['embedded_storage.authenticate']);
    const texts = reasons.map((reason) => failureMessage(refused('ehr', reason)).text);
    expect(new Set(texts).size).toBe(texts.length);
    for (const reason of reasons)
      expect(['retry', 'correct', 'log-out']).toContain(wayAfter(refused('ehr', reason)));
  },
);

test('every failure has Russian words, with every place filled', () => {
  const letters = /^[А-ЯЁ0-9][^{}_]*$/;
  for (const failure of servers.flatMap(failures)) {
    const { title, text } = failureMessage(failure, 'ru');
    expect(title).toMatch(letters);
    expect(text).toMatch(letters);
    expect(text).not.toBe(failureMessage(failure).text);
  }
});

test('each text keeps the places of its English form', () => {
  const placesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([place]) => place).sort();
  for (const row of Object.values(table)) {
    expect(row).toHaveLength(languages.length);
    for (const text of row) {
      expect(text).not.toBe('');
      expect(placesOf(text)).toEqual(placesOf(row[0]));
    }
  }
});
