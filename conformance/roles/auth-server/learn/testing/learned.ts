/** For tests: records a played client of a server, has `init` write its file, and runs the doctor on it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { propertiesOf } from '#mis-fixtures/personas.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { callText } from '#protocol/wire/envelope.ts';
import { runInit } from '../../../../engine/cli/init/init.ts';
import { temporaryDirectory } from '../../../../engine/journal/testing/directory.ts';
import { readHarFile } from '../../../../engine/learn/har.ts';
import type { Diagnosis } from '../../../../engine/party/diagnosis.ts';
import { choosePorts } from '../../../../engine/party/process/ports.ts';
import { openSink } from '../../adapter/otp/sink.ts';
import { role } from '../../index.ts';
import { patientNumber } from '../../people/patients/patients.ts';
import { openTestBed } from '../../people/test-bed.ts';
import { openBrowser } from './browser.ts';
import { type CorePorts, INTERNAL } from './core.ts';
import type { Walk, WalkParts } from './walk.ts';

/** A phone that the recording has, and the file must not. */
const PHONE = '79995554821';
const WAIT_MS = 5_000;

/** The ports at which the server under test looks for the EHR server and for the SMS gateway. */
export const freePorts = async (): Promise<CorePorts> => (await choosePorts({ ehr: 0, sms: 0 })) as CorePorts;

/** Plays a client of the server at `url`, and returns the HAR of it as a text. */
export async function recorded(walk: Walk, url: string, ports: CorePorts): Promise<string> {
  const { user: internalUser, password: internalPassword } = INTERNAL;
  const about = {
    internalUser,
    internalPassword,
    apiVersion: '1.0-alpha',
    ehrHost: '127.0.0.1',
    ehrPort: ports.ehr,
  };
  const bed = await openTestBed({ ...about, clock: systemClock });
  const sink = await openSink({ port: ports.sms, host: '127.0.0.1', shape: 'json' }, systemClock);
  const browser = openBrowser();
  const ehr = async (call: Parameters<typeof callText>[0]) =>
    Object(
      (
        await browser.send(bed.ehrEndpoint, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: callText(call),
        })
      ).json.result,
    );
  const parts: WalkParts = {
    browser,
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
    return JSON.stringify(browser.har());
  } finally {
    await sink.close();
    await bed.close();
  }
}

/** Has `init` write the file of a HAR; the answers to its questions come from a pipe. */
export async function learnedFrom(har: string, ports: CorePorts, answers: readonly string[] = []) {
  const directory = temporaryDirectory();
  const [from, file] = [join(directory, 'sign-in.har'), join(directory, 'server.yaml')];
  writeFileSync(from, har);
  const output = new PassThrough();
  const input = Readable.from(answers.map((answer) => `${answer}\n`).join('') || []);
  await runInit({ input, output, role, file, seen: readHarFile(from) });
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, withPorts(text, ports));
  return { file, text, shown: String(output.read() ?? '') };
}

/** The file with other ports than those of a person, so that tests can go on beside each other. */
export const withPorts = (text: string, { ehr, sms }: CorePorts): string =>
  text.replace('listen: 4180', `listen: ${ehr}`).replace('port: 4181', `port: ${sms}`);

/** Lets the doctor look at a file. */
export async function examined(file: string): Promise<readonly Diagnosis[]> {
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
