import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { examineClient } from './doctor.ts';
import { openPlay, type PlayOptions } from './self-test/play.ts';

const TWIN = fileURLToPath(new URL('defects/twin.mjs', import.meta.url));

async function examined(options: PlayOptions): Promise<{ id: string; ok: boolean; found: string }[]> {
  const run = await openPlay(options);
  onTestFinished(() => run.close());
  const shown: string[] = [];
  const diagnoses = await examineClient(run, ({ id }) => void shown.push(id));
  expect(shown).toEqual(diagnoses.map(({ id }) => id));
  return diagnoses.map(({ id, ok, found }) => ({ id, ok, found }));
}

const answering = (answer: object) => [
  'sh',
  '-c',
  `while read -r line; do echo '${JSON.stringify(answer)}'; done`,
];

test('a right client can be judged', async () => {
  expect(await examined({})).toEqual([
    { id: 'client-code', ok: true, found: 'the screen code' },
    { id: 'client-form', ok: true, found: 'the screen form' },
    { id: 'client-record', ok: true, found: 'the screen patient' },
  ]);
});

test('a client with a fault that keeps it from the record is left to the checks', async () => {
  const diagnoses = await examined({ program: TWIN, env: { DEFECT: 'birthday-a-day-off' } });
  expect(diagnoses.map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(diagnoses.at(-1)?.found).toMatch(/No record was found.*the checks will tell why it is not patient$/);
});

test('a client that calls nobody cannot be judged', async () => {
  expect(await examined({ command: answering({ sees: 'code', text: 'Please enter it.' }) })).toEqual([
    {
      id: 'client-code',
      ok: false,
      found:
        'the authorization server was not called, and the person sees the screen code: "Please enter it."',
    },
  ]);
});

test('a client whose messages are refused is left to the checks', async () => {
  const diagnoses = await examined({ program: TWIN, env: { DEFECT: 'text-plain' } });
  expect(diagnoses.map(({ ok }) => ok)).toEqual([true, true, true]);
});

test('a client that signs in and does not call the EHR server cannot be judged', async () => {
  const elsewhere = ['--auth', '$'.concat('{authUrl}'), '--ehr', 'http://127.0.0.1:1'];
  const command = ['$'.concat('{node}'), 'plain-client/client.mjs', ...elsewhere];
  const diagnoses = await examined({ command });
  expect(diagnoses.map(({ ok }) => ok)).toEqual([true, true, false]);
  expect(diagnoses.at(-1)?.found).toMatch(/^the EHR server was not called, although the person is signed in/);
});

test('a program that gives no answer cannot be judged', async () => {
  expect(await examined({ command: ['sh', '-c', 'read -r line; echo ready'] })).toEqual([
    { id: 'client-code', ok: false, found: 'the answer is not one line of JSON: "ready" (it is plain text)' },
  ]);
});

test('the version twice in the address is told as such', async () => {
  const twice = ['plain-client/client.mjs', '--auth', TEMPLATES.auth, '--ehr', `${TEMPLATES.ehr}/1.0-alpha`];
  const [, form] = await examined({ command: [TEMPLATES.node, ...twice] });
  expect(form).toMatchObject({
    ok: false,
    found: expect.stringContaining('POST /1.0-alpha/1.0-alpha/ was answered 404'),
  });
});

const template = (name: string) => `\${${name}}`;
const TEMPLATES = { auth: template('authUrl'), ehr: template('ehrUrl'), node: template('node') };
