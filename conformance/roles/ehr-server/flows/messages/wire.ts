/** What every message of a run must keep: status, shape of replies and errors, secrets. */

import { isObject } from '#protocol/wire/envelope.ts';
import type { Check } from '../../../../engine/check/check.ts';
import { first, type RedChange } from '../../../../engine/check/red-change.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { MAX_EVIDENCE } from '../../../../engine/check/verdict.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import type { EhrCheck } from '../../check.ts';

type Rule = Pick<Check, 'id' | 'title' | 'requirements'> &
  Partial<Pick<Check, 'level'>> & {
    /** The exchanges that it is about. */
    of: (exchange: ExchangeEntry) => boolean;
    /** Says what is wrong with one; undefined when it is right. */
    wrong: (exchange: ExchangeEntry) => string | undefined;
    expected: string;
    advice: string;
    /** Spoils an exchange that it is about. */
    spoil: (exchange: ExchangeEntry) => void;
  };

/** Without those whose reply the kit spoilt, or gave itself. */
function exchangesOf(journal: JournalView): ExchangeEntry[] {
  return [...journal.exchanges('client->ehr'), ...journal.exchanges('auth->ehr')]
    .filter(({ fault }) => fault === undefined)
    .sort((a, b) => a.seq - b.seq);
}

function jsonOf({ response }: ExchangeEntry): unknown {
  try {
    return JSON.parse(response?.body ?? '');
  } catch {
    // No JSON: the checks of replies have nothing to look at.
    return undefined;
  }
}

/** The reply of an exchange that reached JSON-RPC. */
function replyOf(exchange: ExchangeEntry): Record<string, unknown> | undefined {
  const reply = jsonOf(exchange);
  return isObject(reply) && ('result' in reply || isRpcError(reply.error)) ? reply : undefined;
}

const isRpcError = (error: unknown): error is Record<string, unknown> => isObject(error) && 'code' in error;

function errorOf(exchange: ExchangeEntry): Record<string, unknown> | undefined {
  const error = replyOf(exchange)?.error;
  return isObject(error) ? error : undefined;
}

const isTransportFault = ({ response }: ExchangeEntry) => response !== undefined && response.status >= 400;

const spoilt =
  (status: number, body: unknown) =>
  (exchange: ExchangeEntry): void => {
    Object.assign(exchange, { response: { status, headers: [], body: JSON.stringify(body) } });
  };

/** Creates a check of every exchange that a rule is about. */
function ofAll(rule: Rule, scenarios: readonly string[]): Check {
  const { id, title, level = 'MUST', requirements } = rule;
  const red: RedChange = ({ entries }) =>
    rule.spoil(
      first(entries.filter((entry): entry is ExchangeEntry => entry.kind === 'exchange' && rule.of(entry))),
    );
  return {
    id,
    title,
    level,
    requirements,
    scenarios,
    watchable: true,
    judge: (journal) => judged(rule, journal),
    red,
  };
}

function judged({ of, wrong, expected, advice }: Rule, journal: JournalView): Finding {
  const about = exchangesOf(journal).filter(of);
  if (about.length === 0) return { outcome: 'not applicable', because: 'no such message crossed' };
  const faults = about.flatMap((exchange) => {
    const what = wrong(exchange);
    return what === undefined ? [] : [{ what, seq: exchange.seq }];
  });
  if (faults.length === 0)
    return { outcome: 'pass', evidence: about.map(({ seq }) => seq).slice(0, MAX_EVIDENCE) };
  const words = [...new Set(faults.map(({ what }) => what))].slice(0, 3).join('; ');
  return {
    outcome: 'fail',
    expected,
    actual: `${words} (${faults.length} of ${about.length} messages)`,
    evidence: faults.map(({ seq }) => seq).slice(0, MAX_EVIDENCE),
    blame: 'EHR server',
    advice,
  };
}

const RULES: readonly Rule[] = [
  {
    id: 'outcomes-are-http-200',
    title: 'Every outcome of a JSON-RPC call, errors included, is HTTP 200',
    requirements: ['D2-rpc-is-200'],
    of: (exchange) => replyOf(exchange) !== undefined,
    wrong: ({ response }) => (response?.status === 200 ? undefined : `HTTP ${response?.status}`),
    expected: 'HTTP 200',
    advice: 'Clients of the field read no body from status 400 up: answer errors of a call with 200.',
    spoil: ({ response }) => void Object.assign(response ?? {}, { status: 400 }),
  },
  {
    id: 'result-or-error',
    title: 'Every reply has jsonrpc "2.0" and either a result or an error',
    requirements: ['4-empty-result', 'DE-shape'],
    of: (exchange) => replyOf(exchange) !== undefined,
    wrong: (exchange) => {
      const reply = replyOf(exchange);
      if (reply?.jsonrpc !== '2.0') return 'jsonrpc is not "2.0"';
      return 'result' in reply && 'error' in reply ? 'it has a result and an error' : undefined;
    },
    expected: 'jsonrpc "2.0" and one of the two',
    advice: 'Build replies as JSON-RPC 2.0 says.',
    spoil: spoilt(200, { result: {}, id: '1' }),
  },
  {
    id: 'shape-of-errors',
    title: 'An error is an object of a whole number as code, and a message',
    requirements: ['DE-shape'],
    of: (exchange) => errorOf(exchange) !== undefined,
    wrong: (exchange) => {
      const { code, message } = errorOf(exchange) ?? {};
      if (!Number.isInteger(code)) return 'code is no whole number';
      return typeof message === 'string' && message !== '' ? undefined : 'message is no text';
    },
    expected: '{ code, message, data }',
    advice: 'Send code as a number and message as a sentence.',
    spoil: spoilt(200, { jsonrpc: '2.0', error: { code: 'E1', message: '' }, id: '1' }),
  },
  {
    id: 'errors-name-reason',
    title: 'The data of an error has the reason by its stable name',
    level: 'SHOULD',
    requirements: ['DE-shape'],
    of: (exchange) => errorOf(exchange) !== undefined,
    wrong: (exchange) => {
      const { data } = errorOf(exchange) ?? {};
      return isObject(data) && typeof data.reason === 'string' ? undefined : 'data.reason is missing';
    },
    expected: 'data.reason',
    advice:
      'Several reasons share a code: send the name of the reason in data.reason, for programs to switch on.',
    spoil: spoilt(200, { jsonrpc: '2.0', error: { code: -33000, message: 'no' }, id: '1' }),
  },
  {
    id: 'errors-are-sentences',
    title: 'data.errors, where it is present, is a list of sentences',
    requirements: ['DE-errors-list'],
    of: (exchange) => 'errors' in Object(errorOf(exchange)?.data),
    wrong: (exchange) => {
      const { errors } = Object(errorOf(exchange)?.data) as { errors?: unknown };
      return Array.isArray(errors) && errors.every((each) => typeof each === 'string')
        ? undefined
        : 'it is no list of texts';
    },
    expected: 'a list of texts',
    advice: 'Send one sentence for each fault of the input.',
    spoil: spoilt(200, {
      jsonrpc: '2.0',
      error: { code: -32602, message: 'no', data: { errors: 'all' } },
      id: '1',
    }),
  },
  {
    id: 'errors-tell-no-secrets',
    title: 'No error repeats a token, a digest, a user_sign or a patient property',
    requirements: ['DE-no-secrets-echoed', 'DE-internal-error-silent'],
    of: (exchange) => errorOf(exchange) !== undefined,
    wrong: (exchange) => {
      const text = JSON.stringify(errorOf(exchange));
      const [, kind] = SECRET.exec(text) ?? [];
      if (kind !== undefined) return `it repeats a ${kind}`;
      return STACK.test(text) ? 'it shows the inside of the server' : undefined;
    },
    expected: 'sentences that name members, never their values',
    advice: 'Name the member that is wrong, and leave its value out.',
    spoil: spoilt(200, { jsonrpc: '2.0', error: { code: -32602, message: 'no ‹session-token 1›' }, id: '1' }),
  },
  {
    id: 'faults-have-json',
    title: 'Every transport fault carries a JSON body',
    requirements: ['D2-faults-have-json'],
    of: isTransportFault,
    wrong: (exchange) =>
      isObject(jsonOf(exchange)) ? undefined : `HTTP ${exchange.response?.status} without a JSON body`,
    expected: 'a JSON object',
    advice: 'Answer 404, 405, 413, 415 and 429 with a JSON object too.',
    spoil: ({ response }) => void Object.assign(response ?? {}, { body: 'Not found' }),
  },
];

const SECRET = /‹(session-token|exchange-token|user-sign|digest|password|patient-data) \d+›/;
const STACK = /\bat [\w.<>]+ \(|node_modules|SQLITE|SELECT |INSERT |Traceback|\.java:\d/;

/** The checks that judge the messages of all scenarios. */
export function wireChecks(checks: readonly EhrCheck[]): Check[] {
  const scenarios = checks.map(({ scenario }) => scenario.id);
  return RULES.map((rule) => ofAll(rule, scenarios));
}
