/** Proves the kit on known servers: it finds each defect, and no harmless variant changes a verdict. */
import type { Clock } from '#protocol/time/clock.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import type { Check } from '../../../engine/check/check.ts';
import { judge } from '../../../engine/check/judge.ts';
import type { Finding, Verdict } from '../../../engine/check/verdict.ts';
import { recorded } from '../../../engine/defects/recorded.ts';
import type { Run } from '../../../engine/journal/run-file.ts';
import { SESSION } from '../../../engine/party/requests/build-request.ts';
import type { LoadedAdapter } from '../adapter/file/load.ts';
import { checks } from '../checks/index.ts';
import { conduct } from '../conduct.ts';
import type { Defect, Harmless, Shape, Variant } from '../defects/defect.ts';
import { defects, harmless } from '../defects/index.ts';
import { examine } from '../doctor/doctor.ts';
import type { Flow } from '../flows/flow.ts';
import { scenarios } from '../flows/index.ts';
import { certificates } from '../flows/trouble/certificates.ts';
import { openRun } from '../run.ts';
import { SELF_TEST_TLS } from './certificates.ts';
import { shapes } from './shapes.ts';

export type SelfTestRow = {
  kind: 'reference' | 'defect' | 'harmless';
  id: string;
  shape: Shape;
  title: string;
  /** For a defect: the check that must find it. */
  check?: string;
  ok: boolean;
  /** What was found; for a row that is not ok, what should have been. */
  found: string;
};

type Outcomes = Pick<Verdict, 'check' | 'outcome'>;

export type SelfTestOptions = {
  clock: Clock;
  seed: number;
  signal: AbortSignal;
  /** Takes every `of`-th defect and harmless variant, starting with number `part`; all unless given. */
  share?: { part: number; of: number };
  /** Only variants whose id contains one of these texts, between commas. */
  only?: string | undefined;
  /** Verdicts on right servers that are known already. These servers are not played again. */
  references?: ReadonlyMap<Shape, readonly Outcomes[]>;
  onRow?: (row: SelfTestRow, done: number, total: number) => void;
};

/** Runs the right server of each shape, the defects and the harmless variants. Returns a row for each. */
export async function selfTest(options: SelfTestOptions): Promise<SelfTestRow[]> {
  const { seed, share, only, onRow } = options;
  const chosen = <V extends Variant>(variants: readonly V[]) =>
    variants.filter(
      ({ id }, index) =>
        (only ?? '').split(',').some((part) => id.includes(part)) &&
        (!share || (index + seed) % share.of === share.part),
    );
  const wrong = chosen(defects);
  const fine = chosen(harmless);
  // A part, or what was asked for, plays only the right servers of its harmless variants.
  const compared = new Set(fine.map(({ shape = 'mock' }) => shape));
  const references = new Map<Shape, readonly Outcomes[]>(options.references);
  const used = (Object.keys(shapes) as Shape[]).filter(
    (shape) => !references.has(shape) && ((!share && !only) || compared.has(shape)),
  );
  const total = used.length + wrong.length + fine.length;
  const rows: SelfTestRow[] = [];
  const add = (row: SelfTestRow) => {
    rows.push(row);
    onRow?.(row, rows.length, total);
  };
  for (const shape of used) {
    // The plain shape with challenges uses plain HTTP, so that no check passes only because of a certificate.
    const tls = shape !== 'challenge' && { change: { tls: 'checked' as const } };
    const verdicts = await verdictsOn({ id: shape, title: shapes[shape].title, shape, ...tls }, scenarios, options);
    references.set(shape, verdicts);
    add(referenceRow(shape, verdicts));
  }
  for (const defect of wrong) add(await defectRow(defect, options));
  for (const variant of fine) add(await harmlessRow(variant, references.get(variant.shape ?? 'mock') ?? [], options));
  return rows;
}

/** A right server passes: the mock every check, the other shapes all checks that apply. */
function referenceRow(shape: Shape, verdicts: readonly Verdict[]): SelfTestRow {
  const bad = verdicts.filter(
    ({ outcome }) => outcome !== 'pass' && !(shape !== 'mock' && outcome === 'not applicable'),
  );
  const passed = verdicts.filter(({ outcome }) => outcome === 'pass').length;
  const found =
    bad.length === 0
      ? `${passed} of ${verdicts.length} checks pass`
      : `not passed: ${bad.map(({ check, outcome, finding }) => `${check} (${outcome}: ${wordsOf(finding)})`).join(', ')}`;
  return { kind: 'reference', id: shape, shape, title: shapes[shape].title, ok: bad.length === 0, found };
}

async function defectRow(defect: Defect, options: SelfTestOptions): Promise<SelfTestRow> {
  const { id, title, caughtBy, shape = 'mock' } = defect;
  const about = { kind: 'defect' as const, id, shape, title, check: caughtBy };
  const check = checks.find((each) => each.id === caughtBy);
  if (!check) return { ...about, ok: false, found: 'there is no check of this name' };
  const played = scenarios.filter((scenario) => check.scenarios.includes(scenario.id));
  let verdicts: Verdict[];
  try {
    verdicts = await verdictsOn(defect, played, options);
  } catch (error) {
    if (!(error instanceof NotSetUp)) throw error;
    return { ...about, ok: false, found: error.message };
  }
  const verdict = verdicts.find((each) => each.check === caughtBy);
  // An inconclusive verdict is red as well, but does not say what is wrong: it does not count as found.
  const ok = (verdict?.outcome === 'fail' || verdict?.outcome === 'warning') && verdict.finding.blame === 'auth server';
  const others = verdicts
    .filter(({ check: name, outcome }) => name !== caughtBy && (outcome === 'fail' || outcome === 'warning'))
    .map(({ check: name }) => name);
  const found = ok
    ? `found${others.length > 0 ? `, and by ${others.length} others` : ''}`
    : `not found: ${verdict?.outcome}${verdict?.finding.outcome === 'inconclusive' ? ` (${verdict.finding.because})` : ''}${others.length > 0 ? `; found by ${others.join(', ')}` : ''}`;
  return { ...about, ok, found };
}

async function harmlessRow(
  variant: Harmless,
  reference: readonly Outcomes[],
  options: SelfTestOptions,
): Promise<SelfTestRow> {
  const verdicts = await verdictsOn(variant, scenarios, options);
  const right = new Map(reference.map(({ check, outcome }) => [check, outcome]));
  const changed = verdicts.filter((verdict) => {
    const { check, outcome } = verdict;
    if (outcome === 'not applicable' && variant.notPlayable?.includes(check)) return false;
    return outcome !== right.get(check) && !(variant.change?.tls === undefined && isWithoutTls(verdict));
  });
  const found =
    changed.length === 0
      ? 'no verdict changed'
      : `changed: ${changed.map(({ check, outcome, finding }) => `${check} (${outcome}: ${wordsOf(finding)})`).join(', ')}`;
  const { id, title, shape = 'mock' } = variant;
  return { kind: 'harmless', id, shape, title, ok: changed.length === 0, found };
}

/** Over plain HTTP there is no certificate to verify. */
function isWithoutTls({ scenarios: needed, outcome }: Verdict): boolean {
  return outcome === 'not applicable' && needed.every((id) => id === certificates.id);
}

function wordsOf(finding: Finding): string {
  if (finding.outcome === 'pass') return 'it passed';
  return finding.outcome === 'fail' ? finding.actual : finding.because;
}

/** Examines a variant like a user's own server, plays scenarios on it, and judges them. */
export async function verdictsOn(
  variant: Variant,
  played: readonly Flow[],
  options: Pick<SelfTestOptions, 'clock' | 'seed' | 'signal'>,
): Promise<Verdict[]> {
  const names = new Set(played.map(({ id }) => id));
  const asked = checks.filter(({ scenarios: needed }) => needed.some((scenario) => names.has(scenario)));
  return judge(await playVariant(variant, played, options, asked), { checks: asked });
}

/** The adapter file of a shape, changed for a variant. */
function withFile(
  loaded: LoadedAdapter,
  { requestsPerSecond, perMinute, perDay, phones, namesUser = [] }: NonNullable<Variant['file']>,
): LoadedAdapter {
  const settings = { ...loaded.settings, steps: { ...loaded.settings.steps } };
  if (requestsPerSecond !== undefined) settings.server = { ...settings.server, requestsPerSecond };
  if (settings.otp && perMinute !== undefined) settings.otp = { ...settings.otp, perMinute };
  if (settings.otp && perDay !== undefined) settings.otp = { ...settings.otp, perDay };
  if (phones) settings.people = { phones: [...phones], unknown: '7888555####' };
  for (const name of namesUser) {
    const step = settings.steps[name];
    if (!step || !('method' in step)) throw new Error(`The step ${name} has no JSON body.`);
    settings.steps[name] = { ...step, json: { ...(isObject(step.json) ? step.json : {}), user: SESSION.user } };
  }
  return { ...loaded, settings };
}

/** The doctor rejected a variant: nothing was judged. */
export class NotSetUp extends Error {
  override name = 'NotSetUp';
}

/**
 * Plays scenarios on a variant in this process and returns the run. Where RECORDED_RUNS names a directory,
 * reuses an earlier run from there.
 * @throws NotSetUp when the doctor finds a problem
 */
export function playVariant(
  variant: Variant,
  played: readonly Flow[],
  options: Pick<SelfTestOptions, 'clock' | 'seed' | 'signal'>,
  asked: readonly Check[] = checks,
): Promise<Run> {
  return recorded([variant, options.seed, played.map(({ id }) => id)], () => play(variant, played, options, asked));
}

async function play(
  variant: Variant,
  played: readonly Flow[],
  { clock, seed, signal }: Pick<SelfTestOptions, 'clock' | 'seed' | 'signal'>,
  asked: readonly Check[],
): Promise<Run> {
  const shape = shapes[variant.shape ?? 'mock'];
  const run = await openRun({
    loaded: withFile(await shape.load(), variant.file ?? {}),
    clock,
    seed,
    env: {},
    signal,
    tell: () => undefined,
    ask: async () => undefined,
    ...(variant.change?.tls && { ehrTls: SELF_TEST_TLS }),
    serve: (ehrUrl, smsUrl) => shape.serve(variant, { ehrUrl, smsUrl, clock, seed }),
  });
  const meta = () => run.meta({ tool: 'self-test', mode: 'scenarios', finished: true });
  try {
    const diagnoses = await examine({ ...run, clock, ehrConfiguredIn: undefined, onDiagnosis: () => undefined });
    const missing = diagnoses.find(({ ok }) => !ok);
    if (missing) throw new NotSetUp(`the doctor says: ${missing.found}`);
    await conduct(run, { scenarios: played, checks: asked, meta });
    return { meta: meta(), entries: run.bed.recorder.entries() };
  } finally {
    await run.close();
  }
}
