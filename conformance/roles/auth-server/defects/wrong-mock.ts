/** Starts a wrong mock authorization server: the right mock with the change of a defect. */
import { createHandler } from '#mock-auth-server/handle.ts';
import { type AuthServer, type AuthServerParts, openAuthServer } from '#mock-auth-server/index.ts';
import { authMethods } from '#protocol/methods/auth-methods.ts';
import { onText } from '#protocol/methods/pipeline.ts';
import { logCall } from '#service/process/log.ts';
import { Ledger, type UserSession } from '../../../engine/defects/ledger.ts';
import { seenBy } from '../../../engine/defects/operators.ts';
import { membersOf } from '../../../engine/defects/rpc-call.ts';
import type { Change, Mock } from './defect.ts';

/** Starts the mock with this change. `print` takes what a change writes to its output. */
export async function startWrongMock(
  parts: AuthServerParts,
  change: Change = {},
  print: (line: string) => void = () => undefined,
): Promise<AuthServer> {
  // Without `fetch` the mock sends its calls in its own way. A change of the calls needs a `fetch` to wrap.
  const given = change.fetch ? (parts.fetch ?? fetch) : parts.fetch;
  const { http } = change;
  const { context, listen } = await openAuthServer({
    ...parts,
    ...(given && { fetch: (...args) => mock.send(...args) }),
    ...(http && { http: (listener) => http(listener, mock) }),
  });
  const seen = new Ledger(({ result }) => ({ session: sessionIn(result.authInfo) }));
  const send = given ?? fetch;
  const mock: Mock = Object.assign(context, {
    seen,
    password: parts.config.internalPassword,
    send: change.fetch?.(send, seen) ?? send,
    print,
  });
  // A digest that is computed in another way needs the user_sign with which each session is saved.
  const { saveAuthInfo } = mock.ehr;
  mock.ehr.saveAuthInfo = (info, sign) => {
    seen.notes<string>('signs').set(info.token, sign);
    return saveAuthInfo(info, sign);
  };
  change.parts?.(mock);
  const right = seenBy(
    seen,
    onText(createHandler(mock, (report) => logCall(parts.log, report, authMethods))),
  );
  const pipeline = change.pipeline?.(right, mock) ?? right;
  return listen(({ text }, channel) => pipeline(text, channel));
}

function sessionIn(authInfo: unknown): UserSession | undefined {
  const { user, token } = membersOf(authInfo);
  return typeof user === 'string' && typeof token === 'string' ? { user, token } : undefined;
}
