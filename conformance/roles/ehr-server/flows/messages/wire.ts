/** Rules of every answer of an EHR server: HTTP status, form of replies and errors, no secrets. */
import { isObject } from '#protocol/wire/envelope.ts';
import type { Check } from '../../../../engine/check/check.ts';
import type { About } from '../../../../engine/check/flow.ts';
import type { Judgement } from '../../../../engine/check/steps.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { checkOfAll, type EhrScenario } from '../../check.ts';
import { jsonIn, membersOf } from '../../world/answer.ts';
import { headerIn } from '../../world/played.ts';

type Rule = About & {
  of: (exchange: ExchangeEntry) => boolean;
  wrong: (exchange: ExchangeEntry) => string | false | undefined;
  expected: string;
  advice: string;
  isOfCalls?: true;
};

const jsonOf = ({ response }: ExchangeEntry): unknown => jsonIn(response?.body);

function replyOf(exchange: ExchangeEntry): Record<string, unknown> | undefined {
  const reply = jsonOf(exchange);
  return isObject(reply) && ('result' in reply || isRpcError(reply.error)) ? reply : undefined;
}

function isCall({ request }: ExchangeEntry): boolean {
  const type = headerIn(request, 'content-type') ?? '';
  const isPostOfJson = request.method === 'POST' && /^application\/json *(;|$)/i.test(type);
  return isPostOfJson && typeof membersOf(jsonIn(request.body)).method === 'string';
}

const isAnswered = (exchange: ExchangeEntry) => isCall(exchange) && replyOf(exchange) !== undefined;

const pathOf = ({ request }: ExchangeEntry) => request.path.replace(/[?].*$/, '').replace(/\/+$/, '');

/** The exchanges at the path to which most calls go. */
function atEndpoint(exchanges: readonly ExchangeEntry[]): readonly ExchangeEntry[] {
  const counts = new Map<string, number>();
  for (const path of exchanges.map(pathOf)) counts.set(path, (counts.get(path) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return exchanges.filter((exchange) => pathOf(exchange) === most?.[0]);
}

const isRpcError = (error: unknown): error is Record<string, unknown> => isObject(error) && 'code' in error;

function errorOf(exchange: ExchangeEntry): Record<string, unknown> | undefined {
  const error = replyOf(exchange)?.error;
  return isObject(error) ? error : undefined;
}

/** An exchange with a fault is left out: the kit itself changed its response. */
function judged({ of, wrong, expected, isOfCalls }: Rule, journal: JournalView): Judgement {
  const channels = (['client->ehr', 'auth->ehr'] as const).map((link) => journal.exchanges(link));
  const about = channels
    .flatMap((exchanges) => (isOfCalls ? atEndpoint(exchanges) : exchanges))
    .filter((exchange) => exchange.fault === undefined && of(exchange))
    .sort((a, b) => a.seq - b.seq);
  if (about.length === 0) return { notApplicable: 'no such message crossed' };
  const shownBy = about.filter((exchange) => wrong(exchange));
  if (shownBy.length === 0) return { right: about };
  const words = [...new Set(shownBy.map(wrong))].slice(0, 3).join('; ');
  return { expected, actual: `${words} (${shownBy.length} of ${about.length} messages)`, shownBy };
}

const RULES: readonly Rule[] = [
  {
    id: 'outcomes-are-http-200',
    title: 'Every outcome of a call of a client, errors included, is HTTP 200',
    requirements: ['D2-rpc-is-200'],
    isOfCalls: true,
    // A client in a browser reads no other; the internal channel has none.
    of: (exchange) => exchange.link === 'client->ehr' && isAnswered(exchange),
    wrong: ({ response }) => response?.status !== 200 && `HTTP ${response?.status}`,
    expected: 'HTTP 200',
    advice: 'Clients of the field read no body from status 400 up: answer errors of a call with 200.',
  },
  {
    id: 'result-or-error',
    title: 'Every reply has jsonrpc "2.0" and either a result or an error',
    requirements: ['4-json-rpc-reply'],
    isOfCalls: true,
    of: isAnswered,
    wrong: (exchange) => {
      const reply = replyOf(exchange);
      if (reply?.jsonrpc !== '2.0') return 'jsonrpc is not "2.0"';
      return 'result' in reply && 'error' in reply && 'it has a result and an error';
    },
    expected: 'jsonrpc "2.0" and one of the two',
    advice: 'Build replies as JSON-RPC 2.0 says.',
  },
  {
    id: 'shape-of-errors',
    title: 'An error is an object of a whole number as code, and a message',
    requirements: ['DE-error-object'],
    isOfCalls: true,
    of: (exchange) => isAnswered(exchange) && errorOf(exchange) !== undefined,
    wrong: (exchange) => {
      const { code, message } = errorOf(exchange) ?? {};
      if (!Number.isInteger(code)) return 'code is no whole number';
      return (typeof message !== 'string' || message === '') && 'message is no text';
    },
    expected: '{ code, message, data }',
    advice: 'Send code as a number and message as a sentence.',
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
      return STACK.test(text) && 'it shows the inside of the server';
    },
    expected: 'sentences that name members, never their values',
    advice: 'Name the member that is wrong, and leave its value out.',
  },
];

const SECRET = /‹(session-token|exchange-token|user-sign|digest|password|patient-data) \d+›/;
/** Signs of the server's inside: a stack trace, an SQL statement, a path of a library. */
const STACK = /\bat [\w.<>]+ \(|node_modules|SQLITE|SELECT |INSERT |Traceback|\.java:\d/;

export function wireChecks(played: readonly EhrScenario[]): Check[] {
  const scenarios = played.map(({ id }) => id);
  return RULES.map((rule) => {
    const { of: _of, wrong: _wrong, expected: _expected, isOfCalls: _isOfCalls, ...about } = rule;
    return checkOfAll({ ...about, scenarios, watchable: true, judge: (journal) => judged(rule, journal) });
  });
}
