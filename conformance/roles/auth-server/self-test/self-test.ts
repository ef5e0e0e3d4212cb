/**
 * The authorization servers on which the kit proves its checks (right ones, some with a defect, some with a
 * harmless difference), and how one of these is started and played in this process.
 */
import { isObject } from '#protocol/wire/envelope.ts';
import type { Check } from '../../../engine/check/check.ts';
import { judge } from '../../../engine/check/judge.ts';
import type { Verdict } from '../../../engine/check/verdict.ts';
import { type Catalogue, NotSetUp, type PlayOptions } from '../../../engine/defects/catalogue.ts';
import { recorded } from '../../../engine/defects/recorded.ts';
import type { Run } from '../../../engine/journal/run-file.ts';
import { SESSION } from '../../../engine/party/requests/build-request.ts';
import type { LoadedAdapter } from '../adapter/file/load.ts';
import { checks } from '../checks.ts';
import { conduct } from '../conduct.ts';
import type { AuthVariant, Shape } from '../defects/defect.ts';
import { defects, harmless } from '../defects/index.ts';
import { examine } from '../doctor/doctor.ts';
import { gatewayFails } from '../flows/codes/gateway-fails.ts';
import type { Flow } from '../flows/flow.ts';
import { scenarios } from '../flows/index.ts';
import { certificates } from '../flows/trouble/certificates.ts';
import { openRun } from '../run.ts';
import { SELF_TEST_TLS } from './certificates.ts';
import { shapes } from './shapes.ts';

/**
 * Whether a check does not apply because the server runs over plain HTTP, where no certificate is verified.
 */
function isWithoutTls({ scenarios: needed, outcome }: Verdict): boolean {
  return outcome === 'not applicable' && needed.every((id) => id === certificates.id);
}

/** Every check must apply to the mock, except those below. The other servers lack some steps. */
const FIRST: Shape = 'mock';

/** The checks of failures of an SMS gateway: the mock has none, but an outbox. */
const OF_GATEWAYS: ReadonlySet<string> = new Set(gatewayFails.checks.map(({ id }) => id));

/** What the self-test plays for the role of the authorization server. */
export const catalogue: Catalogue<AuthVariant> = {
  party: 'auth server',
  checks,
  // The right servers. `challenge` uses plain HTTP, so that no check passes only because of a certificate.
  references: (Object.keys(shapes) as Shape[]).map((shape) => {
    const { title } = shapes[shape];
    return { id: shape, title, shape, ...(shape !== 'challenge' && { tls: 'checked' as const }) };
  }),
  defects,
  harmless,
  mayNotApply: ({ shape }, check) => shape !== FIRST || OF_GATEWAYS.has(check),
  mayDiffer: ({ tls }, verdict) => tls === undefined && isWithoutTls(verdict),
  play: (variant, options, { checks: asked, scenarios: ids }) =>
    playVariant(variant, ids ? scenarios.filter(({ id }) => ids.includes(id)) : scenarios, options, asked),
};

/** Examines a variant as the doctor examines a user's server, plays scenarios on it, and judges them. */
export async function verdictsOn(
  variant: AuthVariant,
  played: readonly Flow[],
  options: PlayOptions,
): Promise<Verdict[]> {
  const names = new Set(played.map(({ id }) => id));
  const asked = checks.filter(({ scenarios: needed }) => needed.some((scenario) => names.has(scenario)));
  return judge(await playVariant(variant, played, options, asked), { checks: asked, party: 'auth server' });
}

/** The adapter file of a variant's server, with the changes that the variant asks for. */
export function withFile(
  loaded: LoadedAdapter,
  { requestsPerSecond, ttlUnit, perMinute, perDay, phones, namesUser = [] }: NonNullable<AuthVariant['file']>,
): LoadedAdapter {
  const settings = { ...loaded.settings, steps: { ...loaded.settings.steps } };
  if (requestsPerSecond !== undefined) settings.server = { ...settings.server, requestsPerSecond };
  if (ttlUnit) settings.ehr = { ...settings.ehr, ttlUnit };
  if (settings.otp && perMinute !== undefined) settings.otp = { ...settings.otp, perMinute };
  if (settings.otp && perDay !== undefined) settings.otp = { ...settings.otp, perDay };
  if (phones) settings.people = { phones: [...phones], unknown: '7888555####' };
  for (const name of namesUser) {
    const step = settings.steps[name];
    if (!step || !('method' in step)) throw new Error(`The step ${name} has no JSON body.`);
    settings.steps[name] = {
      ...step,
      json: { ...(isObject(step.json) ? step.json : {}), user: SESSION.user },
    };
  }
  return { ...loaded, settings };
}

/**
 * Plays scenarios on a variant in this process and returns the run. Where RECORDED_RUNS names a directory,
 * reuses an earlier run from there.
 * @throws NotSetUp when the doctor finds a problem
 */
export function playVariant(
  variant: AuthVariant,
  played: readonly Flow[],
  options: PlayOptions,
  asked: readonly Check[] = checks,
): Promise<Run> {
  return recorded([variant, options.seed, played.map(({ id }) => id)], () =>
    play(variant, played, options, asked),
  );
}

async function play(
  variant: AuthVariant,
  played: readonly Flow[],
  { clock, seed, signal }: PlayOptions,
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
    ...(variant.tls && { ehrTls: SELF_TEST_TLS }),
    serve: (ehrUrl, smsUrl) => shape.serve(variant, { ehrUrl, smsUrl, clock, seed }),
  });
  const meta = () => run.meta({ tool: 'self-test', finished: true });
  try {
    const diagnoses = await examine({
      ...run,
      clock,
      ehrConfiguredIn: undefined,
      onDiagnosis: () => undefined,
    });
    const missing = diagnoses.find(({ ok }) => !ok);
    if (missing) throw new NotSetUp(`the doctor says: ${missing.found}`);
    await conduct(run, { scenarios: played, checks: asked, meta });
    return { meta: meta(), entries: run.bed.recorder.entries() };
  } finally {
    await run.close();
  }
}
