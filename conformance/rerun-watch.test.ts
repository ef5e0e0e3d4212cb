import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type StartedProgram, startProgram } from '#testing/programs/program.ts';
import { choosePorts } from './engine/party/process/ports.ts';
import { example, inDirectory, runCli, startCli } from './testing/cli.ts';

const RUN = { timeout: 120_000 };

const CHECK = 'exchange-token-used-once';

/** Starts the EHR server in plain JavaScript, or its twin with one fault, as its own user would. */
async function serve(program: 'server' | 'faulty', ports: TwoPorts): Promise<StartedProgram> {
  const { user, password } = parse(readFileSync(example('plain-ehr.yaml'), 'utf8')).internal;
  const flags = ['--patients', example('plain-ehr/patients.json')];
  const at = ['--port', String(ports.public), '--internal-port', String(ports.internal)];
  const started = startProgram([example(`plain-ehr/${program}.mjs`), ...flags, ...at], {
    env: { EHR_INTERNAL_USER: user, EHR_INTERNAL_PASSWORD: password, FAULTS: 'token-works-twice' },
  });
  await started.says(/ready at/);
  return started;
}

type TwoPorts = { public: number; internal: number };

/** Writes a file about a server at these ports, which the kit does not start. */
function writeFile(directory: string, ports: TwoPorts): string {
  const { control, ports: _ports, origin, ...file } = parse(readFileSync(example('plain-ehr.yaml'), 'utf8'));
  const urlOf = (port: number) => `http://127.0.0.1:${port}/1.0-alpha/`;
  const server = { url: urlOf(ports.public) };
  const path = join(directory, 'mine.yaml');
  writeFileSync(path, JSON.stringify({ ...file, server, internalUrl: urlOf(ports.internal) }));
  return path;
}

test('--watch plays again when the server is back, and Ctrl-C ends it', RUN, () =>
  inDirectory(async (directory) => {
    const ports = (await choosePorts({ public: 0, internal: 0 })) as TwoPorts;
    const config = writeFile(directory, ports);
    const faulty = await serve('faulty', ports);
    await runCli('ehr-server', '--config', config, '--only', CHECK, '--report', directory);
    const cli = startCli('rerun', join(directory, 'report.json'), '--watch');
    try {
      await cli.says(/: still broken\n[\s\S]*Waiting until http/);
      await faulty.stop();
      await cli.says(/It is gone/);
      const right = await serve('server', ports);
      await cli.says(/It is back\.\n\n✓ [\w-]+: fixed\n[\s\S]*Waiting until http/);
      cli.child.kill('SIGINT');
      expect(await cli.ended).toMatchObject({ code: 0 });
      await right.stop();
    } finally {
      cli.child.kill('SIGKILL');
      await faulty.stop();
    }
  }),
);

test('--until-green ends when nothing is red; --watch needs a restart', RUN, () =>
  inDirectory(async (directory) => {
    const faulty = example('plain-ehr-faulty.yaml');
    await runCli('ehr-server', '--config', faulty, '--only', CHECK, '--report', directory);
    const again = (...args: string[]) => runCli('rerun', join(directory, 'report.json'), ...args);
    const red = await again('--until-green', '--for-seconds', '1');
    expect(red, red.output).toMatchObject({ code: 1 });
    expect(red.output.match(/still broken$/gm)).toHaveLength(1);
    expect(await again('--until-green', '--config', example('plain-ehr.yaml'))).toMatchObject({ code: 0 });
    const refused = await again('--watch');
    expect(refused.code).toBe(2);
    expect(refused.output).toContain(`by server.start of ${faulty} each round starts it`);
  }),
);
