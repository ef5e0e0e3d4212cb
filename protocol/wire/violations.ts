/** Checks messages against a method table. Every test runs under it, so no violation goes unnoticed. */

import { type MethodSpec, type MethodTable, reasonsOf } from '../methods/method-spec.ts';
import {
  type Call,
  type Id,
  isMalformed,
  isObject,
  isSameId,
  type Malformed,
  readCalls,
} from './envelope.ts';
import { errorTable, isReason, type Reason, RpcError } from './errors.ts';
import { tryJson } from './json.ts';

/** One HTTP exchange with a JSON-RPC endpoint, as texts. */
export type Exchange = { status: number; request: string; reply: string };

/**
 * List the violations of the contract in an exchange, one sentence each. A request may violate it, because
 * tests send broken ones on purpose. But then the reply must be the right refusal.
 */
export function violationsOf({ status, request, reply }: Exchange, methods: MethodTable): string[] {
  const asked = readRequest(request, methods);
  if (status === 204) return silenceViolations(request, reply, asked);
  const answer = tryJson(reply);
  if (!answer) return [`An HTTP ${status} carries no JSON body.`];
  if (status !== 200)
    return HTTP_ERRORS.includes(status) ? [] : [`An HTTP ${status} is no way to answer a call.`];
  const [first] = asked.due;
  if (first === undefined) return ['A notification was answered.'];
  if (!asked.batch) return replyViolations(answer.value, first);
  if (!Array.isArray(answer.value)) return ['A batch was answered with a single reply.'];
  const replies: unknown[] = answer.value;
  if (asked.due.length !== replies.length) {
    return [`A batch with ${asked.due.length} calls to answer got ${replies.length} replies.`];
  }
  return asked.due.flatMap((due, index) => replyViolations(replies[index], due));
}

/** The due reply: the answer to a call of a method, or a refusal for an error found before the method. */
type Due = { id: Id } & ({ spec: MethodSpec; paramsFit: boolean } | { refusal: Reason });
type Asked = { batch: boolean; readable: boolean; due: Due[] };

/** The HTTP errors of decision 2. */
const HTTP_ERRORS: readonly number[] = [404, 405, 413, 415, 429];

/** The reasons that are found before the parameters are validated, or by validating them (decision 8). */
const UP_TO_PARAMS: readonly Reason[] = ['access_forbidden', 'not_authorized', 'invalid_params'];

function readRequest(request: string, methods: MethodTable): Asked {
  try {
    const { batch, calls } = readCalls(request);
    return { batch, readable: true, due: calls.flatMap((call) => dueTo(call, methods)) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { batch: false, readable: false, due: [{ id: null, refusal: error.reason }] };
  }
}

function dueTo(call: Call | Malformed, methods: MethodTable): Due[] {
  const { id } = call;
  if (isMalformed(call)) return [{ id: call.id, refusal: call.error.reason }];
  if (id === undefined) return [];
  if (!Object.hasOwn(methods, call.method)) return [{ id, refusal: 'method_not_found' }];
  const spec = methods[call.method] as MethodSpec;
  return [{ id, spec, paramsFit: spec.params.safeParse(call.params).success }];
}

function silenceViolations(request: string, reply: string, asked: Asked): string[] {
  if (reply !== '') return ['A 204 carries a body.'];
  // A request without a text is a preflight, for which 204 is right.
  if (request === '' || (asked.readable && asked.due.length === 0)) return [];
  return ['A call that asks for a reply was answered with HTTP 204.'];
}

function replyViolations(reply: unknown, due: Due): string[] {
  if (!isObject(reply)) return ['A reply is not an object.'];
  const violations: string[] = [];
  if (reply.jsonrpc !== '2.0') violations.push('A reply lacks jsonrpc "2.0".');
  if (!('id' in reply)) violations.push('A reply lacks its id.');
  else if (!isSameId(reply.id, due.id)) violations.push('A reply carries the id of another call.');
  const unknown = Object.keys(reply).filter((name) => !['jsonrpc', 'result', 'error', 'id'].includes(name));
  if (unknown.length > 0)
    violations.push(`A reply has members JSON-RPC does not know: ${unknown.join(', ')}.`);
  if ('error' in reply === 'result' in reply)
    violations.push('A reply must have either a result or an error.');
  return [
    ...violations,
    ...('error' in reply ? errorViolations(reply.error, due) : resultViolations(reply.result, due)),
  ];
}

function resultViolations(result: unknown, due: Due): string[] {
  if ('refusal' in due)
    return [`A request that is to be refused as ${due.refusal} was answered with a result.`];
  const violations = due.paramsFit
    ? []
    : ['A call with parameters that do not fit was answered with a result.'];
  const parsed = due.spec.result.safeParse(result);
  if (!parsed.success) {
    return [
      ...violations,
      ...parsed.error.issues.map(({ path, message }) => `${['result', ...path].join('.')}: ${message}`),
    ];
  }
  const strangers = strangersIn(result, parsed.data, 'result');
  return [...violations, ...strangers.map((path) => `${path} is not declared for this method.`)];
}

/** The paths of members that the schema dropped. A server that sends undeclared members may leak data. */
function strangersIn(given: unknown, known: unknown, path: string): string[] {
  if (Array.isArray(given) && Array.isArray(known)) {
    return given.flatMap((item, index) => strangersIn(item, known[index], `${path}.${index}`));
  }
  if (!isObject(given) || !isObject(known)) return [];
  return Object.keys(given).flatMap((name) =>
    Object.hasOwn(known, name)
      ? strangersIn(given[name], known[name], `${path}.${name}`)
      : [`${path}.${name}`],
  );
}

function errorViolations(error: unknown, due: Due): string[] {
  if (!isObject(error) || !isObject(error.data)) return ['An error lacks its data.'];
  const { code, message, data } = error;
  const { reason, errors } = data;
  if (!isReason(reason)) return ['An error carries a reason that is not in the table.'];
  const row = errorTable[reason];
  const violations: string[] = [];
  if (code !== row.code) violations.push(`The reason ${reason} came with code ${code} and not ${row.code}.`);
  if (message !== row.message) violations.push(`The reason ${reason} came with another message.`);
  if (errors !== undefined && !(Array.isArray(errors) && errors.every((line) => typeof line === 'string'))) {
    violations.push('error.data.errors is not a list of sentences.');
  }
  if (reason === 'internal_error') violations.push('The server answered internal_error.');
  else violations.push(...reasonViolations(reason, due));
  return violations;
}

function reasonViolations(reason: Reason, due: Due): string[] {
  if ('refusal' in due)
    return reason === due.refusal ? [] : [`The reason ${reason} came where ${due.refusal} was due.`];
  if (!reasonsOf(due.spec).includes(reason)) return [`The reason ${reason} is not declared for this method.`];
  if (due.paramsFit || UP_TO_PARAMS.includes(reason)) return [];
  return [`The reason ${reason} came although the parameters do not fit (decision 8).`];
}
