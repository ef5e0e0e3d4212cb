/** The independent servers have the faults of the catalogue, and run as programs of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { isDisturbed } from '../../../engine/check/judge.ts';
import { loadAdapter } from '../adapter/file/load.ts';
import { harmless } from '../defects/harmless/harmless.ts';
import { defects } from '../defects/index.ts';
import type { Flow } from '../flows/flow.ts';
import { firstLink } from '../flows/links/first-link.ts';
import { keptOverRestart } from '../flows/links/kept-over-restart.ts';
import { returningUser } from '../flows/links/returning-user.ts';
import { deletion } from '../flows/sessions/deletion.ts';
import { logout } from '../flows/sessions/logout.ts';
import { disconnectedElsewhere } from '../flows/trouble/disconnected-elsewhere.ts';
import { exchangeTokenTrouble } from '../flows/trouble/exchange-token-trouble.ts';
import { saveTrouble } from '../flows/trouble/save-trouble.ts';
import { verdictsOn } from '../self-test/self-test.ts';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Users who link, return and leave. */
const PLAYED: readonly Flow[] = [
  ...[firstLink, returningUser, logout, deletion, keptOverRestart, disconnectedElsewhere],
];

/** By shape, a flow with an EHR server in trouble. `carried-sign` reports no link: no save to spoil. */
const IN_TROUBLE = { challenge: saveTrouble, 'carried-sign': exchangeTokenTrouble };

for (const shape of ['challenge', 'carried-sign'] as const) {
  test(`${shape} is right: whoever links, returns and leaves finds nothing that is red`, async () => {
    const options = { clock: systemClock, seed: 1, signal: new AbortController().signal };
    const played = [...PLAYED, IN_TROUBLE[shape]];
    const verdicts = await verdictsOn({ id: shape, title: 'The right server', shape }, played, options);
    const names = played.map(({ id }) => id);
    const judged = verdicts.filter(({ scenarios }) => scenarios.every((id) => names.includes(id)));
    expect(judged.filter(({ outcome }) => outcome === 'pass').length).toBeGreaterThan(60);
    const wrong = judged.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'not applicable');
    // The load of this machine says nothing about the server.
    expect(wrong.filter((verdict) => !isDisturbed(verdict))).toEqual([]);
  }, 480_000);

  test(`the source of ${shape} asks for the faults of the catalogue alone`, () => {
    const files = [`${shape}.mjs`, ...readdirSync(here(shape)).map((file) => `${shape}/${file}`)];
    const source = files.map((file) => readFileSync(here(file), 'utf8')).join('\n');
    const asked = new Set([...source.matchAll(/fault\('([a-z-]+)'\)/g)].map(([, fault]) => fault));
    const rows = [...defects, ...harmless].filter((row) => row.shape === shape);
    const named = rows.filter(({ fetch, tls }) => !fetch && !tls).flatMap(({ faults = [] }) => faults);
    expect(named.filter((fault) => !asked.has(fault))).toEqual([]);
    const known = new Set(rows.flatMap(({ faults = [] }) => faults));
    expect([...asked].filter((fault) => !known.has(String(fault)))).toEqual([]);
  });

  test(`${shape} imports Node's own modules and its own files alone`, () => {
    for (const file of [`${shape}.mjs`, ...readdirSync(here(shape)).map((each) => `${shape}/${each}`)]) {
      const from = [...readFileSync(here(file), 'utf8').matchAll(/ from '([^']+)'/g)].map(
        ([, module]) => module,
      );
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
