/** Overrides one method of one server in a test. All other calls go to the handlers behind. */
import { HttpResponse, http, type RequestHandler } from 'msw';
import { authMethods } from '#protocol/methods/auth-methods.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { Cred, MethodSpec, Params, Result } from '#protocol/methods/method-spec.ts';
import { createPipeline, onText } from '#protocol/methods/pipeline.ts';
import {
  type Call,
  callText,
  type Id,
  isMalformed,
  type ReplyId,
  readCalls,
} from '#protocol/wire/envelope.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { tryJson, writeJson } from '#protocol/wire/json.ts';
import { corsHeaders, jsonText, pathBelow, readBase } from './http-rules.ts';

const tables: typeof ehrMethods & typeof authMethods = { ...ehrMethods, ...authMethods };

/** The methods of both servers. */
export type MethodName = keyof typeof tables;
type Spec<Name extends MethodName> = (typeof tables)[Name];

/** A call as the resolver gets it: no `id` in a notification, no `cred` where the method takes none. */
export type ResolverCall<Name extends MethodName> = {
  params: Params<Spec<Name>>;
  cred: Spec<Name>['cred'] extends 'none' ? undefined : Cred;
  id: Id | undefined;
};

/** Answers a call: returns its result, or throws an `RpcError` to refuse it. */
export type Resolver<Name extends MethodName> = (
  call: ResolverCall<Name>,
) => Result<Spec<Name>> | Promise<Result<Spec<Name>>>;

export type OverrideOptions = {
  /** Answers only the first request that contains the method. */
  once?: boolean;
};

export type RpcOverrides = {
  /**
   * Creates a handler that answers calls of `name` only. A call whose parameters or cred do not have the
   * shape of the method table is refused, as by the server. Credentials are not verified; the resolver may do
   * so. In a batch, the other calls are sent on as separate batches, one after another, in order.
   */
  method<Name extends MethodName>(
    name: Name,
    resolver: Resolver<Name>,
    options?: OverrideOptions,
  ): RequestHandler;
};

/**
 * Creates overrides for the server at `url`, the base URL that its handlers were given.
 * @throws {TypeError} when `url` is no URL
 * @example
 * server.use(
 *   rpc('http://ehr.test').method('patient.get_patient', () => {
 *     throw new RpcError('session_expired');
 *   }),
 * );
 */
export function rpc(url: string | URL): RpcOverrides {
  const base = readBase(url);
  return {
    method(name, resolver, { once = false } = {}) {
      // The endpoint is the base itself or, with a version segment, one level below.
      const isEndpoint = (request: Request) => /^\/([^/]+\/)?$/.test(pathBelow(base, request) ?? '');
      return http.post(
        async ({ request }) =>
          isEndpoint(request) && callsOf(await request.clone().text()).some((call) => isOf(call, name)),
        async ({ request }) => answer(request, name, (call) => answerCall(call, name, resolver)),
        { once },
      );
    },
  };
}

type ReadCall = ReturnType<typeof readCalls>['calls'][number];

function callsOf(text: string): ReadCall[] {
  try {
    return readCalls(text).calls;
  } catch {
    // An unreadable body contains no method. The server behind refuses it.
    return [];
  }
}

function isOf(call: ReadCall, name: MethodName): call is Call {
  return !isMalformed(call) && call.method === name;
}

async function answer(
  request: Request,
  name: MethodName,
  own: (call: Call) => Promise<string | undefined>,
): Promise<Response> {
  const cors = corsHeaders(request);
  const text = await request.text();
  const { batch, calls } = readCalls(text);
  const sent = tryJson(text)?.value;
  const raw: unknown[] = batch ? (sent as unknown[]) : [sent];
  const replies: string[] = [];
  let passing: unknown[] = [];
  const passOn = async (): Promise<Response | undefined> => {
    if (passing.length === 0) return undefined;
    const headers = new Headers(request.headers);
    // msw 3 hands over the length of the whole batch as well.
    headers.delete('content-length');
    const response = await fetch(request.url, { method: 'POST', headers, body: writeJson(passing) });
    passing = [];
    if (response.status === 204) return undefined;
    const body = response.status === 200 ? tryJson(await response.clone().text())?.value : undefined;
    if (!Array.isArray(body)) return response;
    replies.push(...body.map(writeJson));
    return undefined;
  };
  for (const [index, call] of calls.entries()) {
    if (!isOf(call, name)) {
      passing.push(raw[index]);
      continue;
    }
    const failure = await passOn();
    if (failure) return failure;
    const reply = await own(call);
    if (reply !== undefined) replies.push(reply);
  }
  const failure = await passOn();
  if (failure) return failure;
  if (replies.length === 0) return new HttpResponse(null, { status: 204, headers: cors });
  return jsonText(batch ? `[${replies.join(',')}]` : (replies[0] as string), 200, cors);
}

/** Does what precedes a method on a server (shape of cred, parameters), then runs the resolver. */
async function answerCall<Name extends MethodName>(
  call: Call,
  name: Name,
  resolver: Resolver<Name>,
): Promise<string | undefined> {
  const spec: MethodSpec = tables[name];
  const mistakes: unknown[] = [];
  const pipeline = createPipeline({
    methods: { [name]: spec },
    replyId: replyIdOf(name),
    verify: (kind, cred) => (kind === 'none' ? undefined : cred),
    run: {
      [name]: async (params: Record<string, unknown>, cred: unknown): Promise<Record<string, unknown>> => {
        try {
          return await resolver({ params, cred, id: call.id } as ResolverCall<Name>);
        } catch (error) {
          if (!(error instanceof RpcError)) mistakes.push(error);
          throw error;
        }
      },
    },
  });
  const { id, params, cred } = call;
  const { body } = await onText(pipeline)(
    callText({ id, method: name, params, cred: cred as Cred | undefined }),
    'any',
  );
  // A mistake in the resolver fails the test instead of looking like an internal_error of the server.
  if (mistakes.length > 0) throw mistakes[0];
  return body;
}

/** Returns the default of the server that has the method. */
function replyIdOf(name: MethodName): ReplyId {
  return Object.hasOwn(authMethods, name) ? 'echo' : 'string';
}
