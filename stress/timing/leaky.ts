/** The positive control: credentials verified the way that comes to mind first, returning at the first thing that is wrong. */

import { type Context, hashToken, sameText } from '#ehr-server/context.ts';
import { digest } from '#protocol/digest.ts';
import { ehrMethods } from '#protocol/ehr-methods.ts';
import { RpcError } from '#protocol/errors.ts';
import { createPipeline, type Pipeline, type PipelineOptions } from '#protocol/pipeline.ts';

type Options = PipelineOptions<typeof ehrMethods, undefined>;

/** A pipeline that refuses as the server does, in a time that tells why; it carries nothing out. */
export function leakyPipeline({ store, config }: Context): Pipeline {
  const refused = () => new RpcError('not_authorized');
  const verify: Options['verify'] = async (kind, cred, params) => {
    if (kind === 'session') {
      const session = await store.findSession(hashToken(cred.token));
      if (!session) throw refused();
      if (!sameText(session.link.user, cred.user)) throw refused();
    } else if (kind !== 'none') {
      if (!sameText(cred.user, config.internalUser)) throw refused();
      const { user } = params.authInfo as { user: string };
      const secret = kind === 'user_sign_digest' ? (await store.findLink(user))?.userSign : params.exchangeToken;
      if (!sameText(cred.token, digest(config.internalPassword, String(secret)))) throw refused();
    }
    return undefined;
  };
  const nothing = () => {
    throw new RpcError('internal_error');
  };
  const names = Object.keys(ehrMethods) as (keyof typeof ehrMethods)[];
  const run = Object.fromEntries(names.map((name) => [name, nothing])) as unknown as Options['run'];
  return createPipeline({ methods: ehrMethods, replyId: config.replyId, verify, run });
}
