import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { serve } from '#service/http/testing.ts';
import { startProgram } from '#testing/programs/program.ts';
import { example, inDirectory, runCli, startCli } from '../../../testing/cli.ts';
import { linkAndDisconnect, SESSION } from '../../../testing/link-and-disconnect.ts';
import { loadEhrFile } from '../settings.ts';

const RUN = { timeout: 120_000 };
const INTERNAL = { user: 'learned-internal', password: 'learned-internal-password' };
const ORIGIN = 'http://localhost:4300';
const env = { EHR_INTERNAL_USER: INTERNAL.user, EHR_INTERNAL_PASSWORD: INTERNAL.password };

afterEach(() => void vi.unstubAllEnvs());

/** The plain EHR server, with one endpoint for both channels. */
async function startPlainEhr(): Promise<string> {
  const patients = ['--patients', example('plain-ehr/patients.json'), '--origins', ORIGIN];
  const { says, stop } = startProgram([example('plain-ehr/server.mjs'), ...patients, '--port', '0'], { env });
  onTestFinished(async () => void (await stop()));
  return `${(await says(/ready at (http:[^\s,]+)/))[1]}/1.0-alpha/`;
}

const learn = (server: string, file: string, ...more: string[]) =>
  startCli('learn', '--role', 'ehr-server', '--server', server, '--port', '0', ...more, file);

test('one walk with an own client makes a file that the doctor passes', RUN, () =>
  inDirectory(async (directory) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const server = await startPlainEhr();
    const file = join(directory, 'ehr.yaml');
    const cli = learn(server, file);
    onTestFinished(() => void cli.child.kill('SIGKILL'));
    const [, here = ''] = await cli.says(/use (http\S+) in place of/);
    await linkAndDisconnect({ clients: here, authServer: here }, INTERNAL, ORIGIN);
    cli.child.kill('SIGINT');
    const { code, output } = await cli.ended;
    expect(output).toContain('POST /1.0-alpha/  embedded_storage.authenticate  200');
    expect(output).toContain(`Wrote ${file}.`);
    expect([code, output]).toEqual([0, expect.stringContaining('the server can be judged')]);
    const { settings } = loadEhrFile(file, env);
    expect(settings).toMatchObject({ server: { url: server }, origin: ORIGIN, ttlUnit: 'minutes' });
    for (const secret of [...Object.values(SESSION), INTERNAL.password]) {
      expect(output).not.toContain(secret);
      expect(readFileSync(file, 'utf8')).not.toContain(secret);
    }
  }),
);

test('a server that does not answer is told, and nothing is written', RUN, () =>
  inDirectory(async (directory) => {
    const gone = await serve(() => undefined);
    await gone.stop();
    const file = join(directory, 'ehr.yaml');
    const { code, output } = await learn(gone.url, file).ended;
    expect([code, output]).toEqual([
      2,
      expect.stringMatching(/Not set up\.\nserver not started: nothing listens/),
    ]);
    expect(existsSync(file)).toBe(false);
  }),
);

test('a recording of nothing ends by itself, and writes nothing', RUN, () =>
  inDirectory(async (directory) => {
    const server = await serve((_request, response) => void response.end());
    const file = join(directory, 'ehr.yaml');
    const { code, output } = await learn(server.url, file, '--for-seconds', '1').ended;
    expect([code, output]).toEqual([
      2,
      expect.stringMatching(/Nothing came to http\S+: no file was written\./),
    ]);
    expect(existsSync(file)).toBe(false);
  }),
);

test('a file that exists and an address that is none are refused at once', RUN, () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'ehr.yaml');
    writeFileSync(file, 'mine');
    const there = await learn('http://127.0.0.1:9', file).ended;
    expect(there.output).toContain('it is there already');
    const none = await runCli('learn', '--server', 'localhost:8080', join(directory, 'other.yaml'));
    expect([none.code, none.output]).toEqual([
      2,
      expect.stringContaining('must be an http or https address'),
    ]);
    const client = await runCli('learn', '--server', 'http://127.0.0.1:9', '--role', 'client');
    expect(client.output).toContain('Allowed choices are auth-server, ehr-server.');
  }),
);
