/**
 * The authorization servers on which the kit proves its checks (the right mock, and mocks with a defect or a
 * harmless difference), and how one of these is started and played in this process.
 */
import { fileURLToPath } from 'node:url';
import type { Verdict } from '../../../engine/check/verdict.ts';
import {
  type Catalogue,
  NotSetUp,
  type PlayOptions,
  type Selection,
} from '../../../engine/defects/catalogue.ts';
import type { Run } from '../../../engine/journal/run-file.ts';
import { type LoadedAdapter, loadAdapter } from '../adapter/file/load.ts';
import { checks } from '../checks.ts';
import { SELF_TEST_PASSWORD, SELF_TEST_USER } from '../defects/calls.ts';
import type { AuthVariant } from '../defects/defect.ts';
import { defects, harmless } from '../defects/index.ts';
import { examine } from '../doctor/doctor.ts';
import { gatewayFails } from '../flows/codes/gateway-fails.ts';
import { scenarios } from '../flows/index.ts';
import { certificates } from '../flows/trouble/certificates.ts';
import { playUntilClear } from '../play-until-clear.ts';
import { openRun } from '../run.ts';
import { SELF_TEST_TLS } from './certificates.ts';
import { RESEND_AFTER_SECONDS, serveMock } from './serve-mock.ts';

/**
 * Whether a check does not apply because the server runs over plain HTTP, where no certificate is verified.
 */
function isWithoutTls({ scenarios: needed, outcome }: Verdict): boolean {
  return outcome === 'not applicable' && needed.every((id) => id === certificates.id);
}

/** The checks of failures of an SMS gateway: the mock has none, but an outbox. */
const OF_GATEWAYS: ReadonlySet<string> = new Set(gatewayFails.checks.map(({ id }) => id));

/** What the self-test plays for the role of the authorization server. */
export const catalogue: Catalogue<AuthVariant> = {
  party: 'auth server',
  checks,
  reference: { id: 'reference', title: 'The mock authorization server', tls: 'checked' },
  defects,
  harmless,
  mayNotApply: (check) => OF_GATEWAYS.has(check),
  mayDiffer: ({ tls }, verdict) => tls === undefined && isWithoutTls(verdict),
  play,
};

/** The adapter file of the mock, with what the self-test sets: credentials, pause and time limits. */
export async function mockAdapter(): Promise<LoadedAdapter> {
  const file = fileURLToPath(new URL('../../../examples/mock.yaml', import.meta.url));
  const { settings, ...about } = await loadAdapter(file, {});
  return {
    ...about,
    settings: {
      ...settings,
      internal: { ...settings.internal, user: SELF_TEST_USER, password: SELF_TEST_PASSWORD },
      ...(settings.otp && { otp: { ...settings.otp, resendAfterSeconds: RESEND_AFTER_SECONDS } }),
      timeouts: { ...settings.timeouts, stepMs: 4_000, patienceMs: 3_500 },
    },
  };
}

async function play(
  variant: AuthVariant,
  { clock, seed, signal }: PlayOptions,
  { checks: asked = checks, scenarios: ids }: Selection,
): Promise<Run> {
  const { settings, ...about } = await mockAdapter();
  const run = await openRun({
    loaded: { ...about, settings: { ...settings, ...variant.file?.(settings) } },
    clock,
    seed,
    env: {},
    signal,
    tell: () => undefined,
    ask: async () => undefined,
    ...(variant.tls && { ehrTls: SELF_TEST_TLS }),
    serve: (ehrUrl) => serveMock(variant, { ehrUrl, clock, seed }),
  });
  const meta = () => run.meta({ tool: 'self-test', finished: true });
  try {
    const diagnoses = await examine({ ...run, onDiagnosis: () => undefined });
    const missing = diagnoses.find(({ ok }) => !ok);
    if (missing) throw new NotSetUp(`the doctor says: ${missing.found}`);
    const played = scenarios.filter(({ id }) => ids?.includes(id) ?? true);
    await playUntilClear(run, { scenarios: played, checks: asked, meta });
    return { meta: meta(), entries: run.bed.recorder.entries() };
  } finally {
    await run.close();
  }
}
