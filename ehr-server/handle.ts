/**
 * The EHR server's pipeline: its methods, and how its credentials are verified. The order of steps is
 * `createPipeline`'s.
 */
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { Cred, CredKind } from '#protocol/methods/method-spec.ts';
import { openRpcDocument } from '#protocol/methods/openrpc.ts';
import {
  type CallReport,
  createPipeline,
  type MaybePromise,
  type Pipeline,
  whenKnown,
} from '#protocol/methods/pipeline.ts';
import { JsonText } from '#protocol/wire/envelope.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { digest, hashToken, sameText } from '#protocol/wire/hashes.ts';
import type { Caller, Context } from './context.ts';
import { authenticate } from './methods/embedded_storage/authenticate.ts';
import { remove_auth_info } from './methods/embedded_storage/remove_auth_info.ts';
import { remove_authentication } from './methods/embedded_storage/remove_authentication.ts';
import { save_auth_info } from './methods/embedded_storage/save_auth_info.ts';
import { save_exchange_token } from './methods/embedded_storage/save_exchange_token.ts';
import { get_patient } from './methods/patient/get_patient.ts';
import { beyondLimits } from './new-session.ts';

/**
 * Create the pipeline that turns request bodies into answers. `onCall` receives a report of every call
 * without its contents, and with its duration if there is a `stopwatch`.
 */
export function createHandler(
  context: Context,
  onCall: (report: CallReport) => void,
  stopwatch?: () => number,
): Pipeline {
  const { config } = context;
  let openRpc: JsonText | undefined;
  const info = { title: 'Embedded EHR Storage Interface: EHR server', version: config.apiVersion };
  const pipeline = createPipeline({
    methods: ehrMethods,
    replyId: config.replyId,
    onCall,
    stopwatch,
    limits: (params) => beyondLimits(params, config),
    verify: createVerifier(context),
    run: {
      'embedded_storage.save_auth_info': (params, caller) => save_auth_info(context, params, caller),
      'embedded_storage.save_exchange_token': (params) => save_exchange_token(context, params),
      'embedded_storage.authenticate': (params) => authenticate(context, params),
      'patient.get_patient': (params, caller) => get_patient(context, params, caller),
      'embedded_storage.remove_auth_info': (params, caller) => remove_auth_info(context, params, caller),
      'embedded_storage.remove_authentication': (params, caller) =>
        remove_authentication(context, params, caller),
      // Written with the first call: it takes as long as opening the database.
      'rpc.discover': () => (openRpc ??= new JsonText(JSON.stringify(openRpcDocument(ehrMethods, info)))),
    },
  });
  const endReads = endingReads(context);
  return (...given) => {
    const answer = pipeline(...given);
    return answer instanceof Promise ? answer.then(endReads) : answer;
  };
}

/**
 * Create the function that passes on an answer after ending the reads. A call that waited for a commit goes
 * on late in its tick, and its reads then stay open into the next tick. But a caller that gets its answer,
 * changes the database from another process and calls again must see its change.
 */
function endingReads({ store, mis }: Context) {
  return <Answer>(answer: Answer): Answer => {
    store.endReads?.();
    mis.endReads?.();
    return answer;
  };
}

/**
 * Verify `cred` for a call whose cred and params have the right shape.
 * @throws RpcError `not_authorized`; `session_expired` for a session past its ttl; `user_unknown` for a save
 *   for a user without an entry in the correspondence table
 */
type Verifier = (kind: CredKind, cred: Cred, params: Record<string, unknown>) => MaybePromise<Caller>;

const NO_TOKEN = new Uint8Array(0);
const NOBODY: Caller = { link: { user: '', patientId: '', userSign: '' }, tokenHash: NO_TOKEN };

/** Create the verifier of one server. */
function createVerifier({ store, clock, config }: Context): Verifier {
  const isInternal = (cred: Cred) => sameText(cred.user, config.internalUser);
  const isDigest = (cred: Cred, secret: string) =>
    sameText(cred.token, digest(config.internalPassword, secret));

  function verifySession(cred: Cred): MaybePromise<Caller> {
    const tokenHash = hashToken(cred.token);
    return whenKnown(store.findSession(tokenHash), (session): Caller => {
      if (session?.link.user !== cred.user) throw new RpcError('not_authorized');
      if (clock.now() >= session.expiresAt) throw new RpcError('session_expired');
      return { link: session.link, tokenHash };
    });
  }

  function verifyUserSign(cred: Cred, user: string): MaybePromise<Caller> {
    if (!isInternal(cred)) throw new RpcError('not_authorized');
    return whenKnown(store.findLink(user), (link): Caller => {
      if (!link) throw new RpcError('user_unknown');
      if (!isDigest(cred, link.userSign)) throw new RpcError('not_authorized');
      return { link, tokenHash: NO_TOKEN };
    });
  }

  function verifyExchangeToken(cred: Cred, exchangeToken: string): Caller {
    if (isInternal(cred) && isDigest(cred, exchangeToken)) return NOBODY;
    throw new RpcError('not_authorized');
  }

  return (kind, cred, params) => {
    switch (kind) {
      case 'none':
        return NOBODY;
      case 'session':
        return verifySession(cred);
      case 'exchange_token_digest':
        return verifyExchangeToken(cred, params.exchangeToken as string);
      case 'user_sign_digest':
        return verifyUserSign(cred, (params.authInfo as { user: string }).user);
    }
  };
}
