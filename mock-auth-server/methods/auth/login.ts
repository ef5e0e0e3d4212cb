/** For test set-ups only: a session for any user, without proof. Served only with --allow-test-login. */
import type { authMethods } from '#protocol/methods/auth-methods.ts';
import type { Params, Result } from '#protocol/methods/method-spec.ts';
import type { Context } from '../../context.ts';
import { ensureUser, signIn } from '../../sign-in.ts';

type Spec = (typeof authMethods)['auth.login'];

/** `user` is a public user id. A new user gets exactly this id. */
export function login(context: Context, params: Params<Spec>): Promise<Result<Spec>> {
  const known = context.store.directory.identityOf(params.user) !== undefined;
  const user = known ? params.user : ensureUser(context, { kind: 'login', value: params.user });
  return signIn(context, { user, userSign: params.ehr_user_sign });
}
