/** Each fault of the independent servers exists and shows, and none shows at the right server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { loadAdapter } from '../adapter/file/load.ts';
import { defects } from '../defects/index.ts';
import * as carriedSign from './carried-sign.mjs';
import * as challenge from './challenge.mjs';
import { codeProbes } from './testing/code-probes.ts';
import { startWorld } from './testing/drive.ts';
import { dyingProbes } from './testing/dying-probes.ts';
import { furtherProbes } from './testing/further-probes.ts';
import type { Probe } from './testing/probe.ts';
import { sessionProbes } from './testing/session-probes.ts';

const shapes = { challenge, 'carried-sign': carriedSign };
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const probes: Readonly<Record<string, Probe>> = { ...codeProbes, ...sessionProbes, ...dyingProbes, ...furtherProbes };

async function shows(shape: keyof typeof shapes, { options, keeps, shows: run }: Probe, faults: string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'shape-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const kept = keeps ? { stateFile: join(directory, 'state.json') } : {};
  return run(await startWorld(shape, { ...options, ...kept, faults }));
}

for (const [name, { FAULTS, startServer }] of Object.entries(shapes)) {
  const shape = name as keyof typeof shapes;

  test(`every fault of ${shape} has a probe here, or a defect that the self-test finds`, () => {
    const found = defects.filter((defect) => defect.shape === shape).flatMap((defect) => defect.faults ?? []);
    expect(Object.keys(FAULTS).filter((fault) => !probes[fault] && !found.includes(fault))).toEqual([]);
  });

  for (const [fault, { title }] of Object.entries(FAULTS)) {
    const probe = probes[fault];
    if (!probe) continue;
    test(`${shape}, ${fault}: ${title}`, async () => {
      expect(await shows(shape, probe, [])).toBe(false);
      expect(await shows(shape, probe, [fault])).toBe(true);
    });
  }

  test(`the faults of ${shape} are those that its source asks for, two or more of each class`, () => {
    const files = readdirSync(here(shape)).map((file) => here(`${shape}/${file}`));
    const source = files.map((file) => readFileSync(file, 'utf8')).join('\n');
    const table = readFileSync(here(`${shape}.mjs`), 'utf8');
    const asked = [...`${source}\n${table}`.matchAll(/fault\('([a-z-]+)'\)/g)].map(([, fault]) => fault);
    expect([...new Set(asked)].sort()).toEqual(Object.keys(FAULTS).sort());
    const classes = Object.values(FAULTS).map((fault) => fault.class);
    for (let number = 0; number <= 12; number++) {
      expect(classes.filter((each) => each === number).length, `class ${number}`).toBeGreaterThanOrEqual(2);
    }
  });

  test(`${shape} does not start with a fault that it does not know`, async () => {
    await expect(startServer({ faults: ['no-such-fault'] })).rejects.toThrow('There is no fault no-such-fault.');
  });

  test(`${shape} imports Node's own modules and its own files alone`, () => {
    for (const file of [`${shape}.mjs`, ...readdirSync(here(shape)).map((each) => `${shape}/${each}`)]) {
      const from = [...readFileSync(here(file), 'utf8').matchAll(/ from '([^']+)'/g)].map(([, module]) => module);
      expect(
        from.filter((module) => !/^(?:node:|\.\.?\/[a-z/-]+\.mjs$)/.test(module as string)),
        file,
      ).toEqual([]);
    }
  });

  test(`${shape} runs as a program, and SIGTERM ends it`, async () => {
    const child = spawn(process.execPath, [here(`${shape}.mjs`)], {
      env: { PORT: '0', CONTROL_PORT: '0', PHONES: '7999555####', FAULTS: 'no-pause' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    expect(line).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+$/);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test(`the adapter file of ${shape} can be loaded`, async () => {
    const { settings } = await loadAdapter(here(`${shape}.yaml`), {});
    expect(settings.server.start?.command).toEqual([expect.any(String), `${shape}.mjs`]);
  });
}
