/** Selects the settings of an adapter file that a report may show: none of them can be a secret. */
import { stepNames } from '../../../../engine/journal/entry.ts';
import { isAbsent, isManual, isRpc, type StepSettings } from '../../../../engine/party/file/step-schema.ts';
import type { AdapterSettings } from './schema/schema.ts';

const SOURCES = ['sink', 'outbox', 'fixed', 'ask'] as const;

/** Returns the settings by name, except headers, bodies, arguments, codes and phones. */
export function publicConfiguration({
  server,
  internal,
  ehr,
  otp,
  people,
  steps,
  timeouts,
}: AdapterSettings): Record<string, unknown> {
  return {
    server: {
      url: server.url,
      startedByTheKit: server.start !== undefined,
      ...(server.start && { program: server.start.command[0] }),
    },
    internal: { user: internal.user },
    ehr: {
      apiVersion: ehr.apiVersion,
      ...(ehr.configuredIn !== undefined && { configuredIn: ehr.configuredIn }),
      ...(ehr.tls && { tls: ehr.tls.clientCa === undefined ? 'https' : 'https with client certificates' }),
    },
    otp: otp
      ? {
          source: SOURCES.find((source) => otp[source] !== undefined && otp[source] !== false),
          ...(otp.sink && { shape: otp.sink.shape }),
          ...(otp.lifetimeSeconds !== undefined && { lifetimeSeconds: otp.lifetimeSeconds }),
          ...(otp.resendAfterSeconds !== undefined && { resendAfterSeconds: otp.resendAfterSeconds }),
        }
      : 'none',
    people: {
      // Listed phones may belong to real people.
      phones: typeof people.phones === 'string' ? people.phones : `${people.phones.length} phones`,
      withoutCorrespondence: people.withoutCorrespondence === undefined ? 'none named' : 'named',
    },
    steps: Object.fromEntries(stepNames.map((name) => [name, stepText(steps[name])])),
    timeouts: { ...timeouts },
  };
}

const NOT_DESCRIBED = 'the adapter file does not describe it';

/** A step for the report: its method and address. The query of the address may be secret and is cut off. */
function stepText(step: StepSettings | undefined): string {
  if (step === undefined) return `absent: ${NOT_DESCRIBED}`;
  if (isAbsent(step)) return `absent: ${step.absent}`;
  if (isManual(step)) return 'done by a person';
  const address = (step.url ?? step.path ?? '/').replace(/\?.*$/s, '');
  return isRpc(step) ? `JSON-RPC ${step.rpc} at ${address}` : `${step.method} ${address}`;
}
