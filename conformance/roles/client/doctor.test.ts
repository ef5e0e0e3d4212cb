import { expect, onTestFinished, test } from 'vitest';
import { examineClient } from './doctor.ts';
import { openPlay, type PlayOptions, showing, template, variant } from './self-test/self-test.ts';

const PROGRAM = [template('node'), 'plain-client/client.mjs', '--auth', template('authUrl')];
const SHOWS_NOTHING = `require('node:readline').createInterface({ input: process.stdin }).on('line', async () => {
  await fetch(process.argv[1], { method: 'POST', body: '{}' });
  console.log('{"sees":"error","text":""}');
})`;

/** `ok` of each diagnosis: the doctor ends at the first that is not. */
type Examined = { client: PlayOptions; ok: boolean[]; found: RegExp };

test.each(
  Object.entries<Examined>({
    'a right client': {
      client: {},
      ok: [true, true, true],
      found: /^the screen code; the screen form; the screen patient$/,
    },
    'a client with a fault that keeps it from the record': {
      client: variant('birthday-a-day-off'),
      ok: [true, true, true],
      found: /No record was found.*the checks will tell why it is not patient$/,
    },
    'a client whose messages are refused': {
      client: variant('exchange-token-in-snake-case'),
      ok: [true, true, true],
      found: /the checks will tell why it is not patient$/,
    },
    'a client that posts a beacon beside its calls': {
      client: variant('beacon-without-values'),
      ok: [true, true, true],
      found: /^the screen code; the screen form; the screen patient$/,
    },
    'a client that calls nobody': {
      client: { command: showing({ sees: 'code', text: 'Please enter it.' }) },
      ok: [false],
      found:
        /^the authorization server was not called, and the person sees the screen code: "Please enter it/,
    },
    'a client that signs in and does not call the EHR server': {
      client: { command: [...PROGRAM, '--ehr', 'http://127.0.0.1:1'] },
      ok: [true, true, false],
      found: /; the EHR server was not called, although the person is signed in/,
    },
    'a program that gives no answer': {
      client: { command: ['sh', '-c', 'read -r line; echo ready'] },
      ok: [false],
      found: /^the answer is not one line of JSON: "ready" \(it is plain text\)$/,
    },
    'a client that shows no text': {
      client: { command: [template('node'), '-e', SHOWS_NOTHING, template('authUrl')] },
      ok: [true, true, false],
      found: /; no screen has a text that the kit can read$/,
    },
    'a client with the version twice in the address': {
      client: { command: [...PROGRAM, '--ehr', `${template('ehrUrl')}/1.0-alpha`] },
      ok: [true, false],
      found: /POST \/1\.0-alpha\/1\.0-alpha\/ was answered 404/,
    },
  }),
)('%s is examined as far as it can be judged', async (_who, { client, ok, found }) => {
  const run = await openPlay(client);
  onTestFinished(() => run.close());
  const shown: string[] = [];
  const diagnoses = await examineClient(run, ({ id }) => void shown.push(id));
  expect(shown).toEqual(['client-code', 'client-form', 'client-record'].slice(0, ok.length));
  expect(diagnoses.map(({ id }) => id)).toEqual(shown);
  expect(diagnoses.map((each) => each.ok)).toEqual(ok);
  expect(diagnoses.map((each) => each.found).join('; ')).toMatch(found);
});
