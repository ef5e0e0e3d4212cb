import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inDirectory, readReport, runPiped } from '../../../testing/cli.ts';
import { walkPlain } from './testing/example-walks.ts';
import { freePorts, INTERNAL, recorded, startExample, withPorts } from './testing/learned.ts';

const ENV = { EHR_INTERNAL_USER: INTERNAL.user, EHR_INTERNAL_PASSWORD: INTERNAL.password };
const UNSET = { EHR_INTERNAL_USER: '', EHR_INTERNAL_PASSWORD: '' };

test('a recording and piped answers lead to verdicts without an editor', { timeout: 120_000 }, async () => {
  await inDirectory(async (directory) => {
    const ports = await freePorts();
    const [har, file, report] = ['sign-in.har', 'mine.yaml', 'report'].map((name) =>
      join(directory, name),
    ) as [string, string, string];
    writeFileSync(har, await recorded(walkPlain, await startExample('plain-js/server.mjs', ports), ports));
    const answers = ['My REST server', '', 'json-sms', 'a setting'];
    const init = await runPiped(answers, UNSET, 'init', file, '--from', har);
    // The doctor ran by itself, and lacks the credentials.
    expect(init).toMatchObject({ code: 2, output: expect.stringContaining('The doctor on this file:') });
    expect(init.output).toContain(
      'names the environment variable EHR_INTERNAL_USER, which is set, but empty.',
    );
    writeFileSync(file, withPorts(readFileSync(file, 'utf8'), ports));
    const only = ['--only', 'link-recorded'];
    const { code, output } = await runPiped(
      [],
      ENV,
      'auth-server',
      '--config',
      file,
      '--report',
      report,
      ...only,
    );
    expect(code, output).toBe(0);
    expect(readReport(report).verdicts.map(({ outcome }) => outcome)).toEqual(['pass']);
  });
});

test('a recording that is none is told, and no file is written', async () => {
  await inDirectory(async (directory) => {
    const [har, file] = [join(directory, 'sign-in.har'), join(directory, 'mine.yaml')];
    writeFileSync(har, '<html>');
    const { code, output } = await runPiped([], ENV, 'init', file, '--from', har);
    expect(code).toBe(2);
    expect(output).toContain(
      `Failed to use ${har}: it is not JSON, so it is no HAR. Please name a HAR file:`,
    );
    expect(existsSync(file)).toBe(false);
  });
});
