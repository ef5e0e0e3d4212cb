import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { digest } from '#protocol/wire/hashes/digest.ts';
import type { ExchangeEntry } from '../entry.ts';
import { Recorder } from '../recorder.ts';
import { request, response } from '../testing/exchanges.ts';
import { Knowledge } from './knowledge.ts';

const patient = new Map([
  ['Quokkabergström', 'the surname'],
  ['48601777', "the patient's phone"],
]);
const recorderWith = (password = 'intérnal p@ss/word') =>
  new Recorder(manualClock(), new Knowledge('auth', password, patient));

test('the names of members are kept between client and EHR server, and no value', () => {
  const recorder = recorderWith();
  const properties = { name: 'Nobody', surname: 'Special', date: '1999-09-09', gender: 1 };
  const link = 'client->ehr';
  const say = (call: object, reply: object) => {
    const sent = request({ body: JSON.stringify(call) });
    recorder.exchange(link).end({ link, request: sent, response: response(JSON.stringify(reply)) });
  };
  say(
    { id: 1, method: 'embedded_storage.authenticate', params: { patientProperties: properties } },
    { result: { patient: properties }, id: 1 },
  );
  say([{ id: 1, params: properties }], [{ result: [properties], id: 1 }]);
  say({ id: 1, params: [properties] }, { result: { patient: [properties] } });
  recorder.exchange(link).end({ link, request: request({ body: 'surname=Special' }) });
  const kept = JSON.stringify(recorder.entries());
  for (const value of ['Nobody', 'Special', '1999-09-09']) expect(kept).not.toContain(value);
  expect(kept).toContain('patientProperties');
});

test('secrets of a watched session are known by the names of their members', () => {
  const recorder = recorderWith();
  const sent = (body: string, reply: object, path = '/') => {
    const answer = response(JSON.stringify(reply));
    const link = 'client->auth';
    recorder.exchange(link).end({ link, request: request({ body, path }), response: answer });
  };
  sent('{"phone":"+7 999 000","code":"4711"}', { token: 'tok-1', ehr_user_sign: 'sign-1', code: 4712 });
  sent('otp=815815&phone_number=7999888', { exchangeToken: 'short' }, '/?access_token=abcd');
  const kept = JSON.stringify(recorder.entries());
  for (const value of ['+7 999 000', '4711', 'tok-1', 'sign-1', '815815', '7999888', 'short', 'abcd'])
    expect(kept).not.toContain(value);
  expect(kept).toContain('4712');
});

test('a digest is a digest, whatever its member is called', () => {
  const recorder = recorderWith();
  const token = digest('intérnal p@ss/word', 'some-exchange-token');
  const call = {
    method: 'embedded_storage.save_exchange_token',
    params: { exchangeToken: 'some-exchange-token' },
  };
  const body = JSON.stringify({ ...call, cred: { user: 'auth', token } });
  recorder.exchange('auth->ehr').end({ link: 'auth->ehr', request: request({ body }) });
  expect((recorder.entries()[0] as ExchangeEntry).request.body).toContain('"token":"‹digest 1›"');
});
