/** Calls a JSON-RPC endpoint in tests and checks every exchange against the method table. */
import type { z } from 'zod';
import type { Cred, MethodSpec, MethodTable } from '#protocol/methods/method-spec.ts';
import { callText } from '#protocol/wire/envelope.ts';
import type { ErrorObject } from '#protocol/wire/errors.ts';
import { type Exchange, violationsOf } from '#protocol/wire/violations.ts';
import { signOfLife } from './runner/signs-of-life.ts';

/** A reply in tests. It has exactly one of the two members, which the guard has checked. */
export type RpcReply<Spec extends MethodSpec = MethodSpec> = {
  id: string | number | null;
  result?: z.output<Spec['result']>;
  error?: ErrorObject;
};

/** Calls one endpoint. The params are sent unchanged, right or wrong. */
export type RpcCaller<Table extends MethodTable> = <Name extends keyof Table & string>(
  method: Name,
  params?: unknown,
  cred?: Cred,
) => Promise<RpcReply<Table[Name]>>;

export type RawReply = { status: number; headers: Headers; text: string };

export async function post(
  url: string,
  body: BodyInit,
  headers: Record<string, string> = {},
  send: typeof fetch = fetch,
): Promise<RawReply> {
  signOfLife();
  const response = await send(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

let lastId = 0;

/** Creates a caller of the methods of `Table` at `endpoint`. An HTTP status other than 200 fails the test. */
export function callerOf<Table extends MethodTable>(endpoint: string, send?: typeof fetch): RpcCaller<Table> {
  return async (method, params = {}, cred) => {
    const reply = await post(endpoint, callText({ id: ++lastId, method, params, cred }), {}, send);
    if (reply.status !== 200)
      throw new Error(`${method} was answered with HTTP ${reply.status}: ${reply.text}`);
    return JSON.parse(reply.text);
  };
}

/** Returns the reason of a refusal. Fails the test when the call succeeded. */
export function reasonOf(reply: RpcReply): string {
  if (!reply.error) throw new Error('The call succeeded, and a refusal is right.');
  return reply.error.data.reason;
}

/** Returns the result of a success. Fails the test when the call was refused. */
export function resultOf<Spec extends MethodSpec>(reply: RpcReply<Spec>): z.output<Spec['result']> {
  if (reply.result === undefined)
    throw new Error(`The call was refused: ${refusalOf(reply)}, and success is right.`);
  return reply.result;
}

function refusalOf({ error }: RpcReply): string {
  return [error?.data?.reason ?? `error ${error?.code}`, ...(error?.data?.errors ?? [])].join(', ');
}

/** @throws Error with the violations of the contract, if there are any */
export function rejectViolations(violations: readonly string[]): void {
  if (violations.length > 0) throw new Error(`A message broke the contract: ${violations.join('\n')}`);
}

/** Creates the wire guard of a test: it observes exchanges and lists how they violated the contract. */
export function wireGuard(methods: MethodTable): {
  observe: (exchange: Exchange) => void;
  violations: string[];
  seen: Exchange[];
} {
  const violations: string[] = [];
  const seen: Exchange[] = [];
  return {
    violations,
    seen,
    observe(exchange) {
      seen.push(exchange);
      for (const violation of violationsOf(exchange, methods))
        violations.push(
          `${violation}\n  sent: ${exchange.request.slice(0, 400)}\n  got:  ${exchange.reply.slice(0, 400)}`,
        );
    },
  };
}
