/** Selects the calls that the server under test makes for one user. */
import { isObject } from '#protocol/wire/envelope.ts';
import type { Armed } from '../../../engine/wire/armed-faults.ts';
import type { User } from '../people/user.ts';

/** Matches calls with the user's id or session token. Matches every call before the user has either. */
export function callsOf({ user, token }: User): NonNullable<Armed['of']> {
  return ({ params }) => {
    const info = isObject(params) && isObject(params.authInfo) ? params.authInfo : {};
    if (user === undefined && token === undefined) return true;
    return info.user === user || info.token === token;
  };
}
