/** Which calls of the server under test are made for a user. */
import { isObject } from '#protocol/envelope.ts';
import type { Armed } from '../servers/proxy/proxy.ts';
import type { User } from './user.ts';

/** Calls on behalf of a user: by the user's id or the token of their session. Before they have either, any call. */
export function callsOf({ user, token }: User): NonNullable<Armed['of']> {
  return ({ params }) => {
    const info = isObject(params) && isObject(params.authInfo) ? params.authInfo : {};
    if (user === undefined && token === undefined) return true;
    return info.user === user || info.token === token;
  };
}
