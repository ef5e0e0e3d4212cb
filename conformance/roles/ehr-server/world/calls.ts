/** The calls of the kit to the EHR server under test, which the journal records as steps. */
import type { Clock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import { digest } from '#protocol/wire/hashes.ts';
import type { EhrStepName, Expects, OtherEhrStepName, StepResult } from '../../../engine/journal/entry.ts';
import type { Recorder } from '../../../engine/journal/recorder.ts';
import type { RequestBudget } from '../../../engine/party/pace.ts';
import type { Ending } from '../../../engine/party/process/child.ts';
import type { HttpRequest } from '../../../engine/party/requests/build-request.ts';
import { type Answer, type Failed, send } from '../../../engine/party/requests/send.ts';
import type { Traces } from '../../../engine/party/requests/traces.ts';
import type { CertificatePair } from '../../../engine/wire/tls-side.ts';
import type { EhrSettings, KnownPerson } from '../settings.ts';
import { replyOf, resultOf } from './messages.ts';
import type { Pace } from './pace.ts';
import { type Patients, propertiesOf } from './patients.ts';
import type { ReplySearch } from './reply-search.ts';

export type WorldParts = {
  settings: EhrSettings;
  publicUrl: string;
  /** The endpoint for the authorization server; the public one where one endpoint serves both. */
  internalUrl: string;
  /** Shown at the internal endpoint. */
  certificate: CertificatePair | undefined;
  recorder: Recorder;
  patients: Patients;
  replySearch: ReplySearch;
  requests: RequestBudget;
  traces: Traces;
  /** What the server takes instead of what the interface says, for the steps that prepare others. */
  dialect: Dialect;
  pace: Pace;
  /** The clock of the kit, not of the server. */
  clock: Clock;
  /** Invents users and tokens; different values in each run. */
  random: Random;
  signal: AbortSignal;
  /** Turns the id of a record into a name such as `patient 1`; the same id always has the same name. */
  patientName: (id: string) => string;
  seed: number;
  canAdvance: boolean;
  /** Whether time can pass for the server: by moving its clock, or, with --slow, by waiting in real time. */
  canWait: boolean;
  /** Lets these milliseconds pass for the server. @throws NotPlayable where `canWait` is false */
  advance: (ms: number) => Promise<void>;
  /** `killed`: the process is not asked to end, where the kit has started it. @throws NotPlayable */
  restart: (how?: Ending) => Promise<void>;
};

export type DigestParts = { password: string; internalUser: string; secret: string };

type Dialect = {
  digest: (parts: DigestParts) => string;
  properties: (person: KnownPerson) => Record<string, unknown>;
};

export type CallOptions = {
  /** The deliberate mistake, in words for the report; absent when the call is right. */
  mistake?: string;
  /** Replaces the cred of the call. `undefined` leaves the member out; `null` sends null. */
  cred?: unknown;
  /** Each member replaces or adds to one of the call; `undefined` leaves it out. */
  envelope?: Record<string, unknown>;
  params?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** Sends an internal call to the public endpoint, or a client's call to the internal one. */
  otherChannel?: boolean;
  /** Takes the place of the client certificate at the internal endpoint; `undefined`: none is shown. */
  certificate?: CertificatePair | undefined;
};

export type SendOptions = {
  step?: StepName;
  isInternal?: boolean;
  /** Whether the journal keeps only the length of the body, because the body would fill the journal. */
  isBig?: boolean;
  mistake?: string | undefined;
};

export type Called = {
  result: StepResult;
  reply: Record<string, unknown> | undefined;
  answer: Answer | Failed;
};

/** What the interface says. */
export const rightDialect = (): Dialect => ({
  digest: ({ password, secret }) => digest(password, secret),
  properties: propertiesOf,
});

type StepName = EhrStepName | OtherEhrStepName;

/** The request as one to the internal endpoint. */
export function inside({ internalUrl: url, certificate }: WorldParts, request: HttpRequest): HttpRequest {
  return { ...request, url, certificate };
}

/** Sends a request as a step of the scenario, and records what comes of it. */
export async function played(
  parts: WorldParts,
  { scenario, label, request: asked }: { scenario: string; label: string; request: HttpRequest },
  { step = 'send', isInternal = false, isBig = false, mistake }: SendOptions,
  expects: readonly Expects[],
): Promise<Called> {
  const { recorder, clock, signal, settings, replySearch, requests, traces, patientName, pace } = parts;
  await requests.take();
  signal.throwIfAborted();
  const open = recorder.step({ scenario, user: '', step, label, defect: mistake, expects });
  const request = { ...asked, headers: traces.added(asked.headers, open.seq) };
  const link = isInternal ? 'auth->ehr' : 'client->ehr';
  const crossed = { link, request: recorded(request, isBig) } as const;
  const begun = clock.now();
  const exchange = recorder.exchange(crossed, open.seq);
  const answer = await pace.measured(settings.timeouts.callMs, (timeoutMs) =>
    send(request, { clock, timeoutMs, signal }),
  );
  if (answer.kind === 'answer') {
    const { status, headers, text: body } = answer;
    exchange.end({ response: { status, headers: [...headers], body } });
    replySearch.examine({ scenario, label }, isBig ? '' : (request.body ?? ''), answer);
  } else {
    exchange.end({ broke: answer.what === 'timeout' ? 'timeout' : 'closed-early' });
  }
  const result = resultOf(answer, patientName);
  recorder.outcome(open, result, clock.now() - begun);
  signal.throwIfAborted();
  return { result, reply: replyOf(answer), answer };
}

function recorded({ method, url, headers, body = '' }: HttpRequest, isBig: boolean) {
  const kept = isBig ? `‹${body.length} characters›` : body;
  return { httpVersion: '1.1', method, path: new URL(url).pathname, headers, body: kept };
}
