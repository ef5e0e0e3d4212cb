/** For tests: records a client of an example, has `init` write a file from it, and runs the doctor on that. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { propertiesOf } from '#mis-fixtures/personas.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { callText } from '#protocol/wire/envelope.ts';
import { startProgram } from '#testing/programs/program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { runInit } from '../../../../engine/cli/commands/init.ts';
import { type RecordedExchange, seenExchanges } from '../../../../engine/learn/exchange.ts';
import { readHarFile } from '../../../../engine/learn/har.ts';
import { choosePorts } from '../../../../engine/party/process/server-process.ts';
import type { Diagnosis } from '../../../../engine/role.ts';
import { harFileOf } from '../../../../testing/har-file.ts';
import { openSink } from '../../adapter/otp/sink.ts';
import { role } from '../../index.ts';
import { patientNumber } from '../../people/patients.ts';
import { openTestBed } from '../../people/test-bed.ts';
import type { Walk, WalkParts } from './example-walks.ts';

/** A phone that the recording has, and the file must not. */
const PHONE = '79995554821';
const WAIT_MS = 5_000;

export const INTERNAL = { user: 'learned', password: 'only for this test' };

type Ports = { ehr: number; sms: number };

export const freePorts = async (): Promise<Ports> => (await choosePorts({ ehr: 0, sms: 0 })) as Ports;

export async function startExample(program: string, ports: Ports): Promise<string> {
  const { auth, control } = await choosePorts({ auth: 0, control: 0 });
  const ehr = `http://127.0.0.1:${ports.ehr}`;
  const env = {
    PORT: String(auth),
    EHR_URL: ehr,
    EHR_USER: INTERNAL.user,
    EHR_PASSWORD: INTERNAL.password,
    AUTH_PORT: String(auth),
    AUTH_CONTROL_PORT: String(control),
    AUTH_DATABASE: ':memory:',
    AUTH_EHR_URL: ehr,
    EHR_INTERNAL_USER: INTERNAL.user,
    EHR_INTERNAL_PASSWORD: INTERNAL.password,
    AUTH_OTP_RESEND_AFTER: '0',
    SMS_WEBHOOK: `http://127.0.0.1:${ports.sms}/sms`,
    RESEND_SECONDS: '0',
  };
  const file = fileURLToPath(new URL(`../../../../examples/${program}`, import.meta.url));
  const { says, stop } = startProgram([file], { env });
  onTestFinished(async () => void (await stop()));
  await says(/listening on|ready at/);
  return `http://127.0.0.1:${auth}`;
}

/** Returns the HAR of a client that is played as `walk` says. */
export async function harOf(walk: Walk, url: string, ports: Ports): Promise<string> {
  const ehrSettings = {
    apiVersion: '1.0-alpha',
    ttlUnit: 'minutes',
    host: '127.0.0.1',
    listen: ports.ehr,
  } as const;
  const settings = { internal: INTERNAL, ehr: ehrSettings };
  const bed = await openTestBed({ loaded: { settings }, clock: systemClock });
  const sink = await openSink({ port: ports.sms, host: '127.0.0.1', shape: 'json' }, systemClock);
  const crossed: RecordedExchange[] = [];
  const send: WalkParts['send'] = async (to, { method = 'GET', headers = {}, body = '' } = {}) => {
    const sent = body === '' ? {} : { body };
    const response = await fetch(to, { method, headers, ...sent });
    const text = await response.text();
    crossed.push({
      startedAt: crossed.length,
      request: { method, url: to, headers: Object.entries(headers), body },
      answer: { status: response.status, headers: [...response.headers], body: text },
    });
    return Object(text === '' ? {} : JSON.parse(text));
  };
  const ehr = async (call: Parameters<typeof callText>[0]) => {
    const headers = { 'content-type': 'application/json' };
    return Object((await send(bed.ehrEndpoint, { method: 'POST', headers, body: callText(call) })).result);
  };
  const parts: WalkParts = {
    send,
    url,
    phone: PHONE,
    codeFor: {
      count: (phone) => sink.messagesTo(phone),
      next: async (phone, since) => (await sink.codeFor(phone, since, WAIT_MS)) ?? '',
    },
    async linkAtEhr(exchangeToken, cred) {
      const patientProperties = propertiesOf(patientNumber(7));
      const params = { exchangeToken, patientProperties };
      const { user_sign } = await ehr({ id: 1, method: 'embedded_storage.authenticate', params });
      await ehr({ id: 2, method: 'patient.get_patient', cred });
      return user_sign;
    },
  };
  try {
    await walk(parts);
    return readFileSync(harFileOf(seenExchanges(crossed)), 'utf8');
  } finally {
    await sink.close();
    await bed.close();
  }
}

/** Has `init` write the file of a server from a recording. */
export async function initFrom(har: string, ports: Ports, answers: readonly string[] = []) {
  const directory = temporaryFolder();
  const [from, file] = [join(directory, 'sign-in.har'), join(directory, 'server.yaml')];
  writeFileSync(from, har);
  const output = new PassThrough();
  const input = Readable.from(answers.map((answer) => `${answer}\n`).join('') || []);
  await runInit({ input, output, role, file, seen: readHarFile(from) });
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, withPorts(text, ports));
  return { file, text };
}

/** The file with other ports than those of a person, so that tests can go on beside each other. */
export const withPorts = (text: string, { ehr, sms }: Ports): string =>
  text.replace('listen: 4180', `listen: ${ehr}`).replace('port: 4181', `port: ${sms}`);

export async function diagnosesOf(file: string): Promise<readonly Diagnosis[]> {
  const run = await role.open({
    config: file,
    env: { EHR_INTERNAL_USER: INTERNAL.user, EHR_INTERNAL_PASSWORD: INTERNAL.password },
    seed: 5,
    clock: systemClock,
    random: systemRandom,
    signal: new AbortController().signal,
    tell: () => undefined,
    ask: async () => undefined,
    checks: [],
    slow: false,
  });
  try {
    return await run.examine(() => undefined);
  } finally {
    await run.close();
  }
}
