/**
 * §4.6: delete the user with sessions, correspondence entry, user_sign, pending code and messages. The client
 * has disconnected the EHR server first.
 */
import type { authMethods } from '#protocol/methods/auth-methods.ts';
import type { Params, Result } from '#protocol/methods/method-spec.ts';
import type { Caller, Context } from '../../context.ts';

type Spec = (typeof authMethods)['auth.delete_user'];

export function delete_user({ store }: Context, _params: Params<Spec>, { user }: Caller): Result<Spec> {
  store.deleteUser(user);
  return {};
}
