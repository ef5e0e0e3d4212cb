/** The authorization server's pipeline: its methods, and how its credentials are verified. */
import { authMethods } from '#protocol/methods/auth-methods.ts';
import type { Cred, CredKind } from '#protocol/methods/method-spec.ts';
import { type CallReport, createPipeline, type Pipeline } from '#protocol/methods/pipeline.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { hashToken, sameText } from '#protocol/wire/hashes.ts';
import type { Caller, Context } from './context.ts';
import { confirm_otp } from './methods/auth/confirm_otp.ts';
import { delete_user } from './methods/auth/delete_user.ts';
import { exchange_token } from './methods/auth/exchange_token.ts';
import { login } from './methods/auth/login.ts';
import { logout } from './methods/auth/logout.ts';
import { report_link } from './methods/auth/report_link.ts';
import { request_otp } from './methods/auth/request_otp.ts';

/** Create the pipeline. `onCall` gets a report of every call without its contents. */
export function createHandler(context: Context, onCall: (report: CallReport) => void): Pipeline {
  const common = {
    replyId: 'echo',
    onCall,
    verify: (kind: CredKind, cred: Cred) => verifyCred(context, kind, cred),
  } as const;
  const run = {
    'auth.request_otp': (params) => request_otp(context, params),
    'auth.confirm_otp': (params) => confirm_otp(context, params),
    'auth.exchange_token': (params, caller) => exchange_token(context, params, caller),
    'auth.report_link': (params, caller) => report_link(context, params, caller),
    'auth.logout': (params, caller) => logout(context, params, caller),
    'auth.delete_user': (params, caller) => delete_user(context, params, caller),
  } satisfies Parameters<typeof createPipeline<typeof methods, ReturnType<typeof verifyCred>>>[0]['run'];
  if (!context.config.allowTestLogin) return createPipeline({ ...common, methods, run });
  return createPipeline({
    ...common,
    methods: authMethods,
    run: { ...run, 'auth.login': (params) => login(context, params) },
  });
}

/** The methods that are served without --allow-test-login. */
const { 'auth.login': _testLogin, ...methods } = authMethods;

const NOBODY: Caller = { user: '', token: '', tokenHash: new Uint8Array(0), expiresAt: 0 };

/** Verifies user and token of a session (§5.4). @throws RpcError `not_authorized`, `session_expired` */
function verifyCred({ store, clock }: Pick<Context, 'store' | 'clock'>, kind: CredKind, cred: Cred): Caller {
  if (kind === 'none') return NOBODY;
  const tokenHash = hashToken(cred.token);
  const session = store.sessions.find(tokenHash);
  if (!session || !sameText(session.user, cred.user)) throw new RpcError('not_authorized');
  if (clock.now() >= session.expiresAt) throw new RpcError('session_expired');
  return { user: session.user, token: cred.token, tokenHash, expiresAt: session.expiresAt };
}
