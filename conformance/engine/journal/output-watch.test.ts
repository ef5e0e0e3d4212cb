import { expect, test } from 'vitest';
import { outputCheck } from '../check/output-check.ts';
import type { RawExchange } from './entry.ts';
import { OutputWatch, outputFound, SERVER_OUTPUT } from './output-watch.ts';
import type { Recorder } from './recorder.ts';
import { openRecorder, request, response } from './testing/exchanges.ts';
import { JournalView } from './view.ts';

const TOKEN = 'Zm9vYmFyYmF6cXV4-1';

/** A watched server whose EHR server knows one patient. */
function watched(password = 'Geheim-7') {
  const patients = new Map([
    ['Petrova', 'surname'],
    ['79990000001', 'phone'],
  ]);
  const recorder = openRecorder(undefined, { password, patients });
  const watch = new OutputWatch(recorder);
  const found = () => {
    recorder.endScenario('one');
    return Object.fromEntries(outputFound(notesOf(recorder)));
  };
  const exchange = (more: Partial<RawExchange['request']> = {}) =>
    recorder.exchange({ link: 'auth->ehr', request: request(more) }).end({ response: response('') });
  return { recorder, write: watch.take, found, exchange };
}

const notesOf = (recorder: Recorder) => new JournalView(recorder.entries()).observationsOf(SERVER_OUTPUT);

test('a token that came before the kit knew it is found, not recorded', () => {
  const { recorder, write, found } = watched();
  write(`saving {"token":"${TOKEN}"}`);
  write(`saved ${TOKEN} twice: ${TOKEN}`);
  recorder.knowledge.pseudonyms.learn('session-token', TOKEN);
  expect(found()).toEqual({ 'a session token': 2 });
  expect(JSON.stringify(recorder.entries())).not.toContain(TOKEN);
});

test.each([
  ['in JSON, escaped', (value: string) => JSON.stringify(`"${value}"`)],
  ['in a URL', (value: string) => encodeURIComponent(`a=${value}`)],
  ['inside of base64', (value: string) => btoa(`token=${value};`)],
])('a secret is found %s', (_how, written) => {
  const { recorder, write, found } = watched();
  const sign = `"${TOKEN}/+`;
  recorder.knowledge.pseudonyms.learn('user-sign', sign);
  write(written(sign));
  expect(found()).toEqual({ 'a user_sign': 1 });
});

test('short values and words are not looked for', () => {
  const { recorder, write, found } = watched('secret');
  for (const value of ['undefined', 'a1', '1234567'])
    recorder.knowledge.pseudonyms.learn('session-token', value);
  write('the secret a1 is undefined after 1234567 ms');
  expect(found()).toEqual({});
});

test('the internal password is found, plain and in base64', () => {
  const { write, found } = watched();
  write('start --password=Geheim-7');
  write(btoa('kit:Geheim-7'));
  expect(found()).toEqual({ 'the internal password': 2 });
});

test('codes are found as whole numbers alone', () => {
  const { recorder, write, found } = watched();
  for (const code of ['204863', '551902', '730418']) recorder.knowledge.learnCode(code, '+79990000001');
  write('10:20:33.204863 took 0.551902 s, id 1730418, 2026-11-730418, a204863');
  write('took 204863.5 ms, until 551902-11');
  expect(found()).toEqual({});
  write('{"text":"Your code is 204863."} code=551902');
  expect(found()).toEqual({ 'a one-time code': 2 });
  write('again: 204863, and 730418');
  expect(found()).toEqual({ 'a one-time code': 3 });
});

test('one number that is a code, and as many as chance explains, prove nothing', () => {
  const { recorder, write, found } = watched();
  recorder.knowledge.learnCode('8080', '+79990000001');
  write('listening on 8080');
  expect(found()).toEqual({});
  for (let code = 1000; code < 2000; code += 10) recorder.knowledge.learnCode(String(code), '+79990000001');
  for (let took = 1000; took < 9000; took += 7) write(`took ${took} ms`);
  expect(found()).toEqual({});
});

test('an access log may have what the kit itself put into a path', () => {
  const { recorder, write, found, exchange } = watched();
  recorder.knowledge.pseudonyms.learn('session-token', TOKEN);
  const path = `/confirm?token=${TOKEN}&code=204863`;
  for (const code of ['204863', '551902']) recorder.knowledge.learnCode(code, '+79990000001');
  exchange({ path });
  write(`GET ${path} 404, 551902 bytes`);
  expect(found()).toEqual({});
});

test('a log may have a token that the kit sent as a user', () => {
  const { recorder, write, found, exchange } = watched();
  const other = `${TOKEN}-other`;
  for (const token of [TOKEN, other]) recorder.knowledge.pseudonyms.learn('session-token', token);
  exchange({ body: JSON.stringify({ cred: { user: TOKEN, token: other } }) });
  write(`refused: the user ${TOKEN}`);
  expect(found()).toEqual({});
  write(`refused: the token ${other}`);
  expect(found()).toEqual({ 'a session token': 1 });
});

test('a patient is looked for from the first message on', () => {
  const { write, found, exchange } = watched();
  write('I know Petrova');
  exchange({});
  write('Petrova again, and +7 (999) 000-00-01');
  expect(found()).toEqual({ 'the phone of a patient': 1 });
});

test('only the first scenario without findings is noted', () => {
  const { recorder, write, found } = watched();
  write('listening');
  found();
  found();
  expect(notesOf(recorder)).toMatchObject([{ values: {} }]);
});

const check = outputCheck({ requirements: ['K-output-no-secrets'], scenarios: [], party: 'EHR server' });

test('the check applies where something was read, and passes where nothing was found', () => {
  const { recorder, found } = watched();
  const judged = () => check.judge(new JournalView(recorder.entries()));
  expect(judged()).toMatchObject({ outcome: 'not applicable' });
  found();
  expect(judged()).toMatchObject({ outcome: 'pass' });
});

test('the check names the kinds of what was found, and how often', () => {
  const { recorder, write, found } = watched();
  recorder.knowledge.pseudonyms.learn('session-token', TOKEN);
  for (let times = 0; times < 2; times++) {
    write(TOKEN);
    found();
  }
  expect(check.judge(new JournalView(recorder.entries()))).toMatchObject({
    outcome: 'fail',
    actual: 'its standard output or standard error has a session token (2 times)',
  });
});
