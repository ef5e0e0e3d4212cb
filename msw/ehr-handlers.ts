/** msw handlers that answer like the EHR server, for tests of client applications. */
import type { RequestHandler } from 'msw';
import { type Context, DEFAULT_RULES } from '#ehr-server/context.ts';
import { createHandler } from '#ehr-server/handle.ts';
import { createMemoryMis } from '#ehr-server/mis/memory.ts';
import { memoryStore } from '#ehr-server/store/memory.ts';
import { type Persona, personaList } from '#mis-fixtures/personas.ts';
import type { TextPipeline } from '#protocol/methods/pipeline.ts';
import { type Clock, systemClock } from '#protocol/time/clock.ts';
import { type Random, systemRandom } from '#protocol/time/random.ts';
import type { ReplyId } from '#protocol/wire/envelope.ts';
import { readBase, rpcHandler } from './http-rules.ts';
import { strictly } from './strictly.ts';

export type EhrHandlersOptions = {
  /** The server's base URL, as the client is given it, without the version segment. */
  url: string | URL;
  /** Version segment of the endpoint (decision 1); may be empty. Default `1.0-alpha`. */
  apiVersion?: string;
  /** Whose records the MIS holds. `{ patients: […] }` adds records of your own. Default: all personas. */
  personas?: readonly Pick<Persona, 'patients'>[];
  /** Default: the machine's clock. A `manualClock` lets sessions and exchange tokens expire. */
  clock?: Clock;
  /** Default: the platform's random source. A test passes `seededRandom` to get the same tokens each time. */
  random?: Random;
  /** How replies name their call (decision 3). Default `string`. */
  replyId?: ReplyId;
  /** The internal user and password of the authorization server, for callers of the two save methods. */
  internal?: { user: string; password: string };
};

/** The handlers, to be spread into `setupServer` or `setupWorker`, with access to their state. */
export type EhrHandlers = RequestHandler[] & {
  /** Deletes all sessions, exchange tokens and links; for `afterEach`. */
  reset(): void;
  /** What `authHandlers` needs of this server. */
  readonly ehr: {
    pipeline: TextPipeline;
    clock: Clock;
    random: Random;
    internal: { user: string; password: string };
  };
};

/**
 * Creates handlers for the EHR server at `url`, with its state in memory: all methods of the method table,
 * batches, notifications, and the HTTP rules. One endpoint serves the client and the internal methods.
 * @throws {TypeError} when `url` is no URL
 * @example
 * const ehr = ehrHandlers({ url: 'http://ehr.test' });
 * const auth = authHandlers({ url: 'http://auth.test', ehr });
 * const server = setupServer(...ehr, ...auth);
 */
export function ehrHandlers(options: EhrHandlersOptions): EhrHandlers {
  const { url, apiVersion = '1.0-alpha', personas = personaList, replyId = 'string' } = options;
  const {
    clock = systemClock,
    random = systemRandom,
    internal = { user: 'auth-server', password: 'internal-password' },
  } = options;
  const mis = createMemoryMis(personas.flatMap(({ patients }) => patients));
  const config = {
    ...DEFAULT_RULES,
    apiVersion,
    replyId,
    internalUser: internal.user,
    internalPassword: internal.password,
  };
  const open = (): Context => ({ store: memoryStore({ audit: false }), mis, clock, random, config });
  let context = open();
  const pipeline = strictly((report) => createHandler(context, report));
  const endpoint = apiVersion === '' ? '/' : `/${apiVersion}/`;
  const base = readBase(url);
  const served = `${base.path}${endpoint}`;
  const handler = rpcHandler({
    base,
    endpoint,
    answer: (body) => pipeline(body, 'any'),
    notFound: {
      message: `There is nothing here. The JSON-RPC endpoint of this server is POST ${served}`,
      apiVersion,
      endpoint: served,
    },
  });
  const reset = () => {
    context = open();
  };
  return Object.assign([handler], { reset, ehr: { pipeline, clock, random, internal } });
}
