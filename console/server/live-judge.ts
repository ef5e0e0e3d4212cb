/** Judges all three parties by what crossed, as it grows, by those checks of the kit that can watch. */

import type { Check } from '#conformance/engine/check/check.ts';
import type { Verdict } from '#conformance/engine/check/verdict.ts';
import type { Entry, ExchangeEntry, ObservationEntry } from '#conformance/engine/journal/entry.ts';
import { Newest } from '#conformance/engine/journal/newest.ts';
import type { RunMeta } from '#conformance/engine/journal/run-file.ts';
import { messageRules } from '#conformance/roles/client/flows/every-step/message-rules.ts';
import { callIn, labelOf, type MessageRule } from '#conformance/roles/client/servers/calls.ts';
import { faultsOf } from '#conformance/roles/client/servers/messages.ts';
import { ScenarioMemory } from '#conformance/roles/client/servers/scenario-memory.ts';
import { judge, judgedRoles, type RoleName } from '#conformance/roles/judge.ts';
import { requirement } from '#protocol/requirements.ts';
import type { Clock } from '#protocol/time/clock.ts';
import type { LiveVerdict, PartyName } from '../api.ts';
import type { EventHub } from './events.ts';
import { KEPT } from './wires/feed.ts';

/** The rules that one message is enough for, and the checks that judge by them. */
const SINGLE_MESSAGE_RULES: Readonly<Partial<Record<MessageRule, string>>> = {
  'post-json': 'post-of-json',
  path: 'version-in-path',
  envelope: 'jsonrpc-member',
  method: 'methods-of-clients',
  params: 'params-by-name',
  'no-cred': 'authenticate-without-cred',
  'authenticate-params': 'params-of-authenticate',
  'date-form': 'date-of-birth-in-full-form',
  'removal-params': 'removals-without-params',
};

/** Checks of what the journal shows of a message. */
const MASKED_MESSAGE_CHECKS = [
  ...['no-patient-data-to-auth-server', 'no-record-to-auth-server'],
  ...['no-secrets-in-addresses', 'no-secrets-in-headers'],
];

/**
 * The checks of a client that one message is enough for. Several clients may be at work here at once, and
 * nobody can tell them apart: what needs the course of one client is not judged live.
 */
const singleMessageChecks = messageRules.filter(({ id }) =>
  [...Object.values(SINGLE_MESSAGE_RULES), ...MASKED_MESSAGE_CHECKS].includes(id),
);

/** Calls that a developer makes: no method of the interface. */
const DEVELOPER_METHODS: ReadonlySet<unknown> = new Set(['rpc.discover', 'auth.login']);

/** Whether an entry is not a call of a client: a page that is asked for, a look at what a server can do. */
function isNoCallOfClient(entry: Entry): boolean {
  if (entry.kind !== 'exchange') return false;
  const { method, body } = entry.request;
  return (body === '' && /^(?:GET|HEAD)$/.test(method)) || DEVELOPER_METHODS.has(callIn(body)?.method);
}

export type Surroundings = {
  /** Signatures that the EHR server gave. */
  signs: ReadonlySet<string>;
  /** The version segment of the EHR endpoint. */
  apiVersion: string;
};

/** The rules that a message breaks, as entries in its place. @param exchange in clear */
export function brokenRules(
  exchange: ExchangeEntry,
  { signs, apiVersion }: Surroundings,
): ObservationEntry[] {
  const { link, seq, at } = exchange;
  if ((link !== 'client->auth' && link !== 'client->ehr') || isNoCallOfClient(exchange)) return [];
  const to = link === 'client->auth' ? 'auth' : 'ehr';
  const known = { ...new ScenarioMemory().known(to), signs };
  return faultsOf(to, exchange, known, apiVersion)
    .filter(({ rule }) => rule in SINGLE_MESSAGE_RULES)
    .map(({ rule, method, what }) => {
      return {
        kind: 'observation',
        seq,
        at,
        scenario: '',
        label: labelOf(rule),
        values: { to, method, what },
      };
    });
}

const watchable = (role: RoleName) => judgedRoles[role].checks.filter((check) => check.watchable);

const judged: Readonly<Record<RoleName, readonly Check[]>> = {
  'auth-server': watchable('auth-server'),
  'ehr-server': watchable('ehr-server'),
  client: singleMessageChecks,
};

const partyOf: Readonly<Record<RoleName, PartyName>> = {
  'auth-server': 'auth',
  'ehr-server': 'ehr',
  client: 'client',
};

/** Verdicts wait this long, so that a burst of messages is judged once. */
const JUDGE_DELAY_MS = 50;
/** The share of the time that judging may take: a longer journal is judged less often. */
const MAX_SHARE = 0.25;

type JudgeParts = {
  meta: () => RunMeta;
  /** Calls that wait for their answer: a call within them is judged by what they say. */
  underWay: () => readonly Entry[];
  hub: EventHub;
  /** A clock that nobody moves. */
  clock: Clock;
};

export class LiveJudge {
  readonly #parts: JudgeParts;
  readonly #verdicts = new Map<string, LiveVerdict>();
  /** By their numbers, each with what was observed of it. */
  readonly #entries = new Newest<readonly Entry[]>(KEPT);
  #isWaiting = false;
  #pauseMs = JUDGE_DELAY_MS;

  constructor(parts: JudgeParts) {
    this.#parts = parts;
  }

  /** Takes a masked entry with what was observed of it, and judges soon. */
  add(entry: Entry, ...observed: readonly Entry[]): void {
    this.#entries.set(entry.seq, [entry, ...observed]);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#parts.clock.after(this.#pauseMs, () => {
      this.#isWaiting = false;
      this.#judge();
    });
  }

  /** The verdicts on all that came: what waits to be judged is judged first. */
  verdicts(): LiveVerdict[] {
    if (this.#isWaiting) this.#judge();
    return [...this.#verdicts.values()];
  }

  /** The verdicts that name this message as evidence. */
  verdictsOn(message: number): LiveVerdict[] {
    return [...this.#verdicts.values()].filter(({ evidence }) => evidence.includes(message));
  }

  clear(): void {
    this.#entries.clear();
    this.#verdicts.clear();
  }

  #judge(): void {
    const began = this.#parts.clock.now();
    // An exchange has its place from its beginning, and comes here at its end.
    const entries = [...this.#entries.items.flat(), ...this.#parts.underWay()].sort((a, b) => a.seq - b.seq);
    for (const role of Object.keys(judged) as RoleName[]) {
      for (const verdict of this.#verdictsOn(role, entries)) {
        const earlier = this.#verdicts.get(verdict.check);
        this.#verdicts.set(verdict.check, verdict);
        if (JSON.stringify(earlier) !== JSON.stringify(verdict)) this.#parts.hub.publish('verdict', verdict);
      }
    }
    this.#pauseMs = Math.max(JUDGE_DELAY_MS, (this.#parts.clock.now() - began) / MAX_SHARE);
  }

  #verdictsOn(role: RoleName, all: readonly Entry[]): LiveVerdict[] {
    const entries = role === 'client' ? all.filter((entry) => !isNoCallOfClient(entry)) : all;
    return liveVerdictsOf(
      judge({ meta: { ...this.#parts.meta(), role }, entries }, { checks: judged[role] }),
      partyOf[role],
    );
  }
}

/** The party that a run judges. */
export function partyIn({ role = 'auth-server' }: Pick<RunMeta, 'role'>): PartyName {
  return partyOf[role as RoleName];
}

/** Verdicts that were reached; those of checks that saw nothing are left out. */
export function liveVerdictsOf(verdicts: readonly Verdict[], party: PartyName): LiveVerdict[] {
  return verdicts.flatMap(({ check, title, level, requirements, outcome, finding }) => {
    if (outcome === 'inconclusive' || outcome === 'not applicable') return [];
    const clauses = requirements.flatMap((id) => requirement(id).clause.split(', '));
    const evidence = 'evidence' in finding ? (finding.evidence ?? []) : [];
    const clause = [...new Set(clauses)].join(', ');
    const about = { check, party, title, level, outcome, clause, evidence };
    const message = evidence.length > 0 ? { message: Math.max(...evidence) } : {};
    if (finding.outcome !== 'fail') return [{ ...about, ...message }];
    const { expected, actual, advice, blame } = finding;
    return [{ ...about, ...message, expected, actual, advice, blame }];
  });
}
