/** §4.6: delete all that is held of the user. The client has disconnected the EHR server first. */
import type { authMethods } from '#protocol/methods/auth-methods.ts';
import type { Params, Result } from '#protocol/methods/method-spec.ts';
import type { Caller, Context } from '../../context.ts';

type Spec = (typeof authMethods)['auth.delete_user'];

export function delete_user({ store }: Context, _params: Params<Spec>, { user }: Caller): Result<Spec> {
  store.deleteUser(user);
  return {};
}
