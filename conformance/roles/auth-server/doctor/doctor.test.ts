import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import type { Diagnosis } from '../../../engine/party/diagnosis.ts';
import { explainUnreachable } from '../../../engine/party/explain-unreachable.ts';
import { inDirectory, readReport, runCli } from '../../../testing/cli.ts';
import { openTestRun } from '../../../testing/open-test-run.ts';
import { type PlainFile, writePlainFile } from '../../../testing/plain-file.ts';
import { type LoadedAdapter, loadAdapter } from '../adapter/file/load.ts';
import { closedUrl, send, startFakeServer } from '../adapter/testing/fake-server.ts';
import type { Variant } from '../defects/defect.ts';
import { defects } from '../defects/index.ts';
import type { OpenRun } from '../run.ts';
import { shapes } from '../self-test/shapes.ts';
import { examine } from './doctor.ts';

const RUN = { timeout: 60_000 };

/** Returns the doctor's output on the plain server with this file: exit code 2 and no verdict. */
function diagnosed(change: (file: PlainFile) => void): Promise<string> {
  return inDirectory(async (directory) => {
    const reports = join(directory, 'reports');
    const { code, output } = await runCli(
      'auth-server',
      '--config',
      writePlainFile(directory, change),
      '--report',
      reports,
    );
    expect(code, output).toBe(2);
    const { verdicts, summary, notSetUp } = readReport(reports);
    expect(verdicts).toEqual([]);
    expect(summary.conclusion).toBe('not set up');
    expect(notSetUp).toHaveLength(1);
    expect(output).not.toMatch(/^(?:not )?conformant$/m);
    const [{ problem, remedy } = { problem: '', remedy: '' }] = notSetUp ?? [];
    return `${problem}\n${remedy}`;
  });
}

/** Makes it the file of a server that the kit does not start. */
function startedElsewhere(file: PlainFile, url: string): void {
  file.server = { url };
  file.ports = {};
}

const setEnv = (name: string, value: string) => (file: PlainFile) => {
  if (file.server.start) file.server.start.env[name] = value;
};

test('the doctor names a server that was not started', RUN, async () => {
  const url = await closedUrl();
  await inDirectory(async (directory) => {
    const run = await openTestRun(
      await loadAdapter(
        writePlainFile(directory, (file) => startedElsewhere(file, url)),
        {},
      ),
    );
    const said: boolean[] = [];
    const diagnoses = await examine({
      ...run,
      clock: systemClock,
      ehrConfiguredIn: undefined,
      // This machine may run servers of other people.
      findPort: async () => undefined,
      onDiagnosis: ({ ok }) => said.push(ok),
    });
    await run.close();
    expect(said).toEqual([true, false]);
    expect(diagnoses.at(-1)).toMatchObject({
      id: 'server-reachable',
      ok: false,
      found: `server not started: nothing listens on ${new URL(url).host}`,
      remedy: expect.stringContaining('Start your authorization server'),
    });
  });
  expect(await diagnosed((file) => startedElsewhere(file, url))).toContain(`nothing listens on ${new URL(url).host}`);
});

test('the doctor names a wrong port, and the port on which a server answers', RUN, async () => {
  // The port beside the server's must be closed: it was bound a moment ago, or else another pair is tried.
  for (;;) {
    const { url } = await startFakeServer();
    const port = Number(new URL(url).port);
    if (!(await isFree(port + 1))) continue;
    const said = await diagnosed((file) => startedElsewhere(file, `http://127.0.0.1:${port + 1}`));
    expect(said).toMatch(
      new RegExp(
        `^wrong port: nothing listens on 127\\.0\\.0\\.1:${port + 1}, but an HTTP server does on \\d+\nCorrect server\\.url`,
      ),
    );
    return;
  }
});

test('a port that web clients refuse is named as the reason', async () => {
  const url = 'http://127.0.0.1:6000';
  const error = await fetch(url).catch((reason: unknown) => reason);
  expect(await explainUnreachable(url, error, async () => undefined)).toEqual({
    found: 'web clients refuse port 6000, because another protocol uses it',
    remedy: 'Have the server listen on another port, such as 8080, and correct server.url.',
  });
});

test('the doctor names a wrong internal password', RUN, async () => {
  const said = await diagnosed(setEnv('EHR_PASSWORD', 'not the one of the settings'));
  expect(said).toMatch(/^wrong password: /);
  expect(said).toContain('Use the same internal password in your server');
  expect(said).not.toContain('not the one of the settings');
});

test('the doctor names a wrong internal user', RUN, async () => {
  expect(await diagnosed(setEnv('EHR_USER', 'somebody'))).toMatch(
    /^wrong internal user: .*\nUse the same internal user/,
  );
});

test('the doctor names a wrong EHR address in the server, and where it is set', RUN, async () => {
  const said = await diagnosed(setEnv('EHR_URL', await closedUrl()));
  expect(said).toMatch(/^EHR address wrong: nothing came to http:\/\/127\.0\.0\.1:\d+ /);
  expect(said).toContain('It is set in: the environment variable EHR_URL.');
});

test('the doctor names a code that is not found, and why', RUN, async () => {
  const said = await diagnosed((file) => {
    file.otp.sink = { port: 0, pattern: 'PIN: ([A-Z]+)' };
  });
  expect(said).toMatch(/^code not found: A message came to the SMS sink, and the pattern .* finds no code in it\./);
  expect(said).toContain('Check the section otp of the adapter file');
});

test.each([
  [3_600_000, '60 minutes ahead'],
  [-3_600_000, '60 minutes behind'],
])('the doctor names a clock that is off by %d ms', RUN, async (skew, words) => {
  const { url } = await startFakeServer((_request, response) => {
    response.setHeader('date', new Date(systemClock.now() + skew).toUTCString());
    send(response, {});
  });
  const said = await diagnosed((file) => startedElsewhere(file, url));
  expect(said).toBe(
    `clock off: the server's is ${words}\nSynchronize both machines by NTP. Exchange tokens live ten minutes, so a wrong clock breaks them.`,
  );
});

test('the doctor alone finds a set-up in order', RUN, async () => {
  await inDirectory(async (directory) => {
    const { code, output } = await runCli(
      'doctor',
      '--config',
      writePlainFile(directory, () => undefined),
    );
    expect(output).toContain('The set-up is in order');
    expect(code).toBe(0);
  });
});

test.each<[string, Variant, string]>([
  [
    'an exchange token that is stored late',
    { id: 'late', title: '', shape: 'challenge', faults: ['token-before-stored'] },
    'but after the answer: this is judged',
  ],
  [
    'an exchange token that is never stored',
    { id: 'never', title: '', shape: 'carried-sign', faults: ['token-never-stored'] },
    'no call came, and an exchange token was given all the same: this is judged',
  ],
  [
    'a digest over another value of the call',
    { id: 'digest', title: '', shape: 'challenge', faults: ['digest-over-session-token'] },
    'a call came to',
  ],
  [
    'a call that belongs to the client before the save',
    { id: 'reads', title: '', ...defects.find(({ id }) => id === 'reads-before-exchange-token') },
    'the digest is right',
  ],
])('the doctor lets %s be judged', RUN, async (_what, variant, found) => {
  const shape = shapes[variant.shape ?? 'mock'];
  await examining(await shape.load(), variant, async (diagnoses) => {
    expect(diagnoses.filter(({ ok }) => !ok)).toEqual([]);
    expect(diagnoses.map((each) => each.found).join('\n')).toContain(found);
  });
});

test('where phones are few, the scenarios have those of the doctor as well', RUN, async () => {
  const phones = ['79995550001', '79995550002', '79995550003', '79995550004'];
  const loaded = await shapes.mock.load();
  const few = { ...loaded, settings: { ...loaded.settings, people: { phones, unknown: '7888555####' } } };
  await examining(few, { id: 'few', title: '' }, async (diagnoses, { driver }) => {
    expect(diagnoses.filter(({ ok }) => !ok)).toEqual([]);
    const people = await Promise.race([driver.people.take(4), Promise.resolve(undefined)]);
    expect(people?.map(({ phone }) => phone).sort()).toEqual(phones);
  });
});

/** Lets the doctor examine a variant in this process. */
async function examining(
  loaded: LoadedAdapter,
  variant: Variant,
  then: (diagnoses: Diagnosis[], run: OpenRun) => Promise<void>,
): Promise<void> {
  const shape = shapes[variant.shape ?? 'mock'];
  const signal = new AbortController().signal;
  const run = await openTestRun(loaded, {
    signal,
    serve: (ehrUrl, smsUrl) => shape.serve(variant, { ehrUrl, smsUrl, clock: systemClock, seed: 1 }),
  });
  try {
    const diagnoses = await examine({
      ...run,
      ...{ clock: systemClock, ehrConfiguredIn: undefined, onDiagnosis: () => undefined },
    });
    await then(diagnoses, run);
  } finally {
    await run.close();
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => {
      expect((probe.address() as AddressInfo).port).toBe(port);
      probe.close(() => resolve(true));
    });
  });
}
