/** Proves the kit on servers whose faults are known: every defect is found by the check it names, and no harmless variant changes a verdict. */
import { fileURLToPath } from 'node:url';
import { readAuthConfig } from '#mock-auth-server/config.ts';
import { createAuthServer } from '#mock-auth-server/index.ts';
import { type Clock, movableClock } from '#protocol/clock.ts';
import { seededRandom, systemRandom } from '#protocol/random.ts';
import { openControl } from '#service/control.ts';
import { createLog } from '#service/log.ts';
import { type LoadedAdapter, loadAdapter } from '../adapter/load.ts';
import { checks } from '../checks/index.ts';
import type { Defect, Variant } from '../defects/defect.ts';
import { defects, harmless } from '../defects/index.ts';
import { SELF_TEST_PASSWORD } from '../defects/wire-defects.ts';
import type { Run } from '../journal/run-file.ts';
import { judge } from '../judge.ts';
import { scenarios } from '../scenarios/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { openSession } from '../session.ts';
import { playAll } from '../stage/play.ts';
import type { Finding, Verdict } from '../verdict.ts';

export type SelfTestRow = {
  kind: 'reference' | 'defect' | 'harmless';
  id: string;
  title: string;
  /** For a defect: the check that must find it. */
  check?: string;
  ok: boolean;
  /** What was found; for a row that is not ok, what ought to have been. */
  found: string;
};

export type SelfTestOptions = {
  clock: Clock;
  seed: number;
  signal: AbortSignal;
  /** Takes every `of`-th defect and harmless variant, beginning with number `part`; all of them unless given. */
  share?: { part: number; of: number };
  /** Only variants whose id has this in it. */
  only?: string | undefined;
  onRow?: (row: SelfTestRow, done: number, total: number) => void;
};

const MOCK = fileURLToPath(new URL('../examples/mock.yaml', import.meta.url));

/** Runs the reference, the defects and the harmless variants; a row for each. */
export async function selfTest(options: SelfTestOptions): Promise<SelfTestRow[]> {
  const { seed, share, only, onRow } = options;
  const chosen = <V extends Variant>(variants: readonly V[]) =>
    variants.filter(
      ({ id }, index) =>
        (only === undefined || id.includes(only)) && (!share || (index + seed) % share.of === share.part),
    );
  const wrong = chosen(defects);
  const fine = chosen(harmless);
  const total = 1 + wrong.length + fine.length;
  const rows: SelfTestRow[] = [];
  const add = (row: SelfTestRow) => {
    rows.push(row);
    onRow?.(row, rows.length, total);
  };
  const reference = await verdictsOn({ id: 'reference', title: 'The reference server' }, scenarios, options);
  add(referenceRow(reference));
  for (const defect of wrong) add(await defectRow(defect, options));
  for (const variant of fine) add(await harmlessRow(variant, reference, options));
  return rows;
}

function referenceRow(verdicts: readonly Verdict[]): SelfTestRow {
  const bad = verdicts.filter(({ outcome }) => outcome !== 'pass');
  const found =
    bad.length === 0
      ? `all ${verdicts.length} checks pass`
      : `not passed: ${bad.map(({ check, outcome, finding }) => `${check} (${outcome}: ${wordsOf(finding)})`).join(', ')}`;
  return { kind: 'reference', id: 'reference', title: 'The reference server itself', ok: bad.length === 0, found };
}

async function defectRow(defect: Defect, options: SelfTestOptions): Promise<SelfTestRow> {
  const { id, title, caughtBy } = defect;
  const check = checks.find((each) => each.id === caughtBy);
  if (!check) return { kind: 'defect', id, title, check: caughtBy, ok: false, found: 'there is no check of this name' };
  const played = scenarios.filter((scenario) => check.scenarios.includes(scenario.id));
  const verdicts = await verdictsOn(defect, played, options);
  const verdict = verdicts.find((each) => each.check === caughtBy);
  // Inconclusive is red as well, but it does not say what is wrong: it does not count as found.
  const ok = verdict?.outcome === 'fail' || verdict?.outcome === 'warning';
  const others = verdicts
    .filter(({ check: name, outcome }) => name !== caughtBy && (outcome === 'fail' || outcome === 'warning'))
    .map(({ check: name }) => name);
  const found = ok
    ? `found${others.length > 0 ? `, and by ${others.length} others` : ''}`
    : `not found: ${verdict?.outcome}${verdict?.finding.outcome === 'inconclusive' ? ` (${verdict.finding.because})` : ''}${others.length > 0 ? `; found by ${others.join(', ')}` : ''}`;
  return { kind: 'defect', id, title, check: caughtBy, ok, found };
}

async function harmlessRow(
  variant: Variant,
  reference: readonly Verdict[],
  options: SelfTestOptions,
): Promise<SelfTestRow> {
  const verdicts = await verdictsOn(variant, scenarios, options);
  const changed = verdicts.filter(({ outcome }, index) => outcome !== reference[index]?.outcome);
  const found =
    changed.length === 0
      ? 'no verdict changed'
      : `changed: ${changed.map(({ check, outcome, finding }) => `${check} (${outcome}: ${wordsOf(finding)})`).join(', ')}`;
  return { kind: 'harmless', id: variant.id, title: variant.title, ok: changed.length === 0, found };
}

function wordsOf(finding: Finding): string {
  if (finding.outcome === 'pass') return 'it passed';
  return finding.outcome === 'fail' ? finding.actual : finding.because;
}

/** Plays scenarios on a variant of the reference server, and judges them. */
async function verdictsOn(variant: Variant, played: readonly Scenario[], options: SelfTestOptions): Promise<Verdict[]> {
  const run = await playVariant(variant, played, options);
  const names = new Set(played.map(({ id }) => id));
  return judge(run, { only: ({ scenarios: needed }) => needed.some((scenario) => names.has(scenario)) });
}

/** Plays scenarios on a variant of the reference server in this process, and gives the journal. */
export async function playVariant(
  variant: Variant,
  played: readonly Scenario[],
  { clock, seed, signal }: Pick<SelfTestOptions, 'clock' | 'seed' | 'signal'>,
): Promise<Run> {
  const session = await openSession({
    loaded: await loadedMock(),
    clock,
    seed,
    env: {},
    signal,
    tell: () => undefined,
    ask: async () => undefined,
    serve: (ehrUrl) => serveVariant(variant, ehrUrl, clock, seed),
  });
  try {
    await playAll(session.stage, played, session.ground.recorder);
    const meta = session.meta({ tool: 'self-test', mode: 'scenarios', finished: true });
    return { meta, entries: session.ground.recorder.entries() };
  } finally {
    await session.close();
  }
}

async function loadedMock(): Promise<LoadedAdapter> {
  const loaded = await loadAdapter(MOCK, {});
  const { settings } = loaded;
  const internal = { ...settings.internal, password: SELF_TEST_PASSWORD };
  return {
    ...loaded,
    settings: {
      ...settings,
      internal,
      ...(settings.otp && { otp: { ...settings.otp, resendAfterSeconds: RESEND_AFTER } }),
      timeouts: { ...settings.timeouts, stepMs: 4_000, patienceMs: 3_500 },
    },
  };
}

/** Seconds between two codes to one phone: the example has none, and a pause must be found right as well. */
const RESEND_AFTER = 30;

/** How long the reference waits for the EHR server here, in milliseconds: long for a slow machine, short for a test. */
const EHR_TIMEOUT = '1500';

async function serveVariant(variant: Variant, ehrUrl: string, clock: Clock, seed: number) {
  const movable = movableClock(clock);
  const config = readAuthConfig([], {
    AUTH_PORT: '0',
    AUTH_DATABASE: ':memory:',
    AUTH_RATE_LIMIT: 'off',
    AUTH_EHR_URL: ehrUrl,
    AUTH_EHR_TIMEOUT: EHR_TIMEOUT,
    AUTH_OTP_RESEND_AFTER: String(RESEND_AFTER),
    AUTH_WITHOUT_CORRESPONDENCE: '79995550000',
    EHR_INTERNAL_USER: 'auth-server',
    EHR_INTERNAL_PASSWORD: SELF_TEST_PASSWORD,
    ...variant.env,
  });
  if (!config) throw new Error('No settings were read.');
  const { variation, fetch: vary } = variant;
  const server = await createAuthServer({
    config,
    clock: movable,
    random: seed === 0 ? systemRandom : seededRandom(seed),
    log: createLog('variant', 'silent'),
    ...(vary && { fetch: vary((...args) => fetch(...args)) }),
    ...(variation && { variation: variation() }),
  });
  const control = await openControl(movable, 0, 'the control port', server.controlRoutes);
  return {
    ports: { auth: server.port, control: control.port },
    async close() {
      await control.stop();
      await server.stop();
    },
  };
}
