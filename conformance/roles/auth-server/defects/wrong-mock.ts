/** The mock with a difference, composed of the public parts of the right one. */
import { createHandler } from '#mock-auth-server/handle.ts';
import { type AuthServer, type AuthServerParts, openAuthServer } from '#mock-auth-server/index.ts';
import { onText } from '#protocol/methods/pipeline.ts';
import { Ledger, type UserSession } from '../../../engine/defects/ledger.ts';
import { seenBy } from '../../../engine/defects/operators.ts';
import { membersOf } from '../../../engine/defects/rpc-call.ts';
import type { Change, Mock } from './change.ts';

/** Starts the mock with this difference. Its ledger holds what it saw since it was started. */
export async function startWrongMock(parts: AuthServerParts, change: Change = {}): Promise<AuthServer> {
  const given = change.fetch || change.layer === 'digests' ? (parts.fetch ?? fetch) : parts.fetch;
  const { context, listen } = await openAuthServer({
    ...parts,
    ...(given && { fetch: (...args) => mock.send(...args) }),
  });
  const ledger = new Ledger(({ result }) => ({ session: sessionIn(result.authInfo) }));
  const send = given ?? fetch;
  const mock: Mock = Object.assign(context, {
    ledger,
    password: parts.config.internalPassword,
    send: change.fetch?.(send, ledger) ?? send,
  });
  const { saveAuthInfo } = mock.ehr;
  mock.ehr.saveAuthInfo = (info, sign) => {
    ledger.notes<string>('signs').set(info.token, sign);
    return saveAuthInfo(info, sign);
  };
  change.parts?.(mock);
  const right = seenBy(ledger, onText(createHandler(mock, () => undefined)));
  const pipeline = change.pipeline?.(right, mock) ?? right;
  return listen(({ text }, channel) => pipeline(text, channel));
}

/** The session that a sign-in is answered with. */
function sessionIn(authInfo: unknown): UserSession | undefined {
  const { user, token } = membersOf(authInfo);
  return typeof user === 'string' && typeof token === 'string' ? { user, token } : undefined;
}
