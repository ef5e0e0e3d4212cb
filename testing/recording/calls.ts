/** The calls that crossed, in clear, in the order of their answers: each after those it waited for. */
import type { Entry, ExchangeEntry, Link } from '#conformance/engine/journal/entry.ts';
import type { Recorder } from '#conformance/engine/journal/recorder.ts';
import { isObject, membersOf } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';

export type CrossedCall = {
  /** Its place in the journal, and its number on the page. */
  readonly seq: number;
  readonly link: Link;
  readonly method: string;
  /** `ok`, the reason of a refusal, or what came in place of a reply; then what breaks the contract. */
  readonly outcome: string;
  /** The session that the call announces, or that is its result. */
  readonly authInfo: CalledSession | undefined;
  readonly userSign: string | undefined;
};

/** A session as the authorization server announces it (§2.3). */
export type CalledSession = { readonly user: string; readonly token: string; readonly ttl: number };

export type FlawOf = (entry: ExchangeEntry) => string | undefined;

export class Calls {
  readonly #calls: CrossedCall[] = [];
  readonly #leaks: string[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #flawOf: FlawOf;

  /** @param flawOf what breaks the contract in a message; nothing unless given */
  constructor(recorder: Recorder, flawOf: FlawOf = () => undefined) {
    this.#flawOf = flawOf;
    recorder.onEntry((entry) => this.#take(entry));
  }

  all(): readonly CrossedCall[] {
    return [...this.#calls];
  }

  /** Patient data that reached the authorization server, each with its place. */
  leaks(): readonly string[] {
    return this.#leaks;
  }

  clear(): void {
    this.#calls.length = 0;
    this.#leaks.length = 0;
  }

  /** Whether the EHR server has taken a session, so that its user is linked. */
  isSaved(token: string): boolean {
    return this.#calls.some(
      ({ method, outcome, authInfo }) =>
        method === 'embedded_storage.save_auth_info' && outcome === 'ok' && authInfo?.token === token,
    );
  }

  /** Calls `wake` after each call. Returns how to stop. */
  onCall(wake: () => void): () => void {
    this.#listeners.add(wake);
    return () => void this.#listeners.delete(wake);
  }

  #take(entry: Entry): void {
    if (entry.kind !== 'exchange') return;
    this.#leaks.push(...(entry.facts.patientData ?? []));
    const { call } = entry.facts;
    if (!call) return;
    const params = membersOf(jsonOf(entry.request.body).params);
    const result = membersOf(jsonOf(entry.response?.body ?? '').result);
    const { seq, link } = entry;
    const flaw = this.#flawOf(entry);
    const broken = flaw === undefined ? '' : `, which breaks the contract: ${flaw}`;
    this.#calls.push({
      ...{ seq, link, method: call.method, outcome: `${outcomeOf(entry)}${broken}` },
      authInfo: sessionIn(params) ?? sessionIn(result),
      userSign: typeof result.user_sign === 'string' ? result.user_sign : undefined,
    });
    for (const wake of this.#listeners) wake();
  }
}

function outcomeOf({ facts: { reply }, response }: ExchangeEntry): string {
  if (!response) return 'no answer';
  if (reply?.result) return 'ok';
  if (reply) return reply.reason ?? `error ${reply.code}`;
  return `HTTP ${response.status}`;
}

function sessionIn({ authInfo }: Record<string, unknown>): CalledSession | undefined {
  if (!isObject(authInfo)) return undefined;
  const { user, token, ttl } = authInfo;
  if (typeof user !== 'string' || typeof token !== 'string') return undefined;
  return { user, token, ttl: Number(ttl) };
}

const jsonOf = (body: string) => membersOf(tryJson(body)?.value);

const PARTIES: Readonly<Record<string, string>> = {
  client: 'client',
  auth: 'authorization server',
  ehr: 'EHR server',
  sms: 'gateway',
};

/** Who calls on a link, and who is called, in words. */
export function partiesOf(link: Link): [from: string, to: string] {
  const [from = '', to = ''] = link.split('->').map((name) => PARTIES[name] ?? name);
  return [from, to];
}

/** A call in words, such as "client to EHR server: patient.get_patient, answered with ok". */
export function wordsOf({ link, method, outcome }: Pick<CrossedCall, 'link' | 'method' | 'outcome'>): string {
  const [from, to] = partiesOf(link);
  return `${from} to ${to}: ${method}, answered with ${outcome}`;
}
