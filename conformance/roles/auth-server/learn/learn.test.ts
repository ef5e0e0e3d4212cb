import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram } from '#testing/programs/program.ts';
import { choosePorts } from '../../../engine/party/process/ports.ts';
import { patientStems } from '../people/patients/patients.ts';
import { type CorePorts, INTERNAL } from './testing/core.ts';
import { walkPlain, walkRpc } from './testing/example-walks.ts';
import { startFormServer, walkForms } from './testing/form-server.ts';
import { startGraphqlServer, walkGraphql } from './testing/graphql-server.ts';
import { examined, freePorts, learnedFrom, recorded } from './testing/learned.ts';
import { startRestServer, walkRest } from './testing/rest-server.ts';
import type { Walk } from './testing/walk.ts';

/** Starts an example server until the test ends, and returns its address. */
const startExample =
  (program: string, more: string[] = []) =>
  async (ports: CorePorts) => {
    const { auth, control } = await choosePorts({ auth: 0, control: 0 });
    const ehr = `http://127.0.0.1:${ports.ehr}`;
    const plain = {
      PORT: String(auth),
      EHR_URL: ehr,
      EHR_USER: INTERNAL.user,
      EHR_PASSWORD: INTERNAL.password,
    };
    const mock = {
      AUTH_PORT: String(auth),
      AUTH_CONTROL_PORT: String(control),
      AUTH_DATABASE: ':memory:',
      AUTH_EHR_URL: ehr,
      EHR_INTERNAL_USER: INTERNAL.user,
      EHR_INTERNAL_PASSWORD: INTERNAL.password,
      AUTH_OTP_RESEND_AFTER: '0',
    };
    const sms = { SMS_WEBHOOK: `http://127.0.0.1:${ports.sms}/sms`, RESEND_SECONDS: '0' };
    const file = fileURLToPath(new URL(`../../../examples/${program}`, import.meta.url));
    const { says, stop } = startProgram([file, ...more], { env: { ...plain, ...mock, ...sms } });
    onTestFinished(async () => void (await stop()));
    await says(/listening on|ready at/);
    return `http://127.0.0.1:${auth}`;
  };

/** The answers to the questions of `init`, in order: name, address, and the number of the way of codes. */
const OUTBOX = ['', '', 'outbox'];

const servers: [string, (ports: CorePorts) => Promise<string>, Walk, string[]][] = [
  ['forms with cookies and a CSRF field', startFormServer, walkForms, []],
  ['REST with nested JSON', startRestServer, walkRest, []],
  ['GraphQL', startGraphqlServer, walkGraphql, []],
  ['the plain JavaScript server', startExample('plain-js/server.mjs'), walkPlain, []],
  ['the mock', startExample('mock-server.mjs'), walkRpc(true), OUTBOX],
  [
    'the mock with its test login',
    startExample('mock-server.mjs', ['--allow-test-login']),
    walkRpc(false),
    [],
  ],
];

for (const [name, start, walk, answers] of servers) {
  test(`the file learned from a recording of ${name} passes the doctor`, { timeout: 60_000 }, async () => {
    const ports = await freePorts();
    const har = await recorded(walk, await start(ports), ports);
    const { file, text } = await learnedFrom(har, ports, answers);
    expect((await examined(file)).filter(({ ok }) => !ok)).toEqual([]);
    expect(secretsIn(text, har)).toEqual([]);
  });
}

/** The values of a recording that look like secrets or belong to a person, and stand in a text. */
function secretsIn(text: string, har: string): string[] {
  const drawn = har.match(/[\w-]{20,}/g) ?? [];
  const people = ['4821', ...patientStems.keys()];
  const given = new Set([...drawn.filter((value) => /\d/.test(value) && /[A-Za-z]/.test(value)), ...people]);
  return [...given].filter((value) => text.includes(value));
}
