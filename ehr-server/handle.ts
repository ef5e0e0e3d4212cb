/**
 * The EHR server's pipeline: its methods, and how its credentials are verified. The order of steps is
 * `createPipeline`'s.
 */
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { type OpenRpcDocument, openRpcDocument } from '#protocol/methods/openrpc.ts';
import { type CallReport, createPipeline, type Pipeline } from '#protocol/methods/pipeline.ts';
import type { Context } from './context.ts';
import { authenticate } from './methods/embedded_storage/authenticate.ts';
import { remove_auth_info } from './methods/embedded_storage/remove_auth_info.ts';
import { remove_authentication } from './methods/embedded_storage/remove_authentication.ts';
import { save_auth_info } from './methods/embedded_storage/save_auth_info.ts';
import { save_exchange_token } from './methods/embedded_storage/save_exchange_token.ts';
import { get_patient } from './methods/patient/get_patient.ts';
import { beyondLimits } from './new-session.ts';
import { createVerifier } from './verify-cred.ts';

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
  let openRpc: OpenRpcDocument | undefined;
  const title = 'Embedded EHR Storage Interface: EHR server';
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
      // Created with the first call: it takes as long as opening the database.
      'rpc.discover': () => (openRpc ??= openRpcDocument(ehrMethods, { title, version: config.apiVersion })),
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
