/** The mock authorization server's methods on the state in memory, served from the method table. */
import { authMethods } from '#protocol/auth-methods.ts';
import { RpcError } from '#protocol/errors.ts';
import type { Cred, CredKind } from '#protocol/method-spec.ts';
import { type CallReport, createPipeline, type Pipeline } from '#protocol/pipeline.ts';
import { type Random, randomToken } from '#protocol/random.ts';
import { type AuthMemory, attributeKey, CODE_DIGITS, CODE_LIFETIME_MS } from './auth-memory.ts';
import type { EhrCaller } from './ehr-caller.ts';
import type { MessageStore } from './outbox.ts';

export type AuthPipelineOptions = {
  memory: AuthMemory;
  outbox: MessageStore;
  ehr: EhrCaller;
  random: Random;
  otpResendAfter: number;
  allowTestLogin: boolean;
  report: (report: CallReport) => void;
};

export function createAuthPipeline(options: AuthPipelineOptions): Pipeline {
  const { memory, ehr, allowTestLogin, report } = options;
  const common = {
    replyId: 'echo',
    onCall: report,
    verify(kind: CredKind, cred: Cred): Cred {
      if (kind !== 'none') memory.verifySession(cred.user, cred.token);
      return cred;
    },
  } as const;
  const run = methodsOf(options);
  if (!allowTestLogin) return createPipeline({ ...common, methods, run });
  return createPipeline({
    ...common,
    methods: authMethods,
    run: {
      ...run,
      'auth.login': ({ user: name, ehr_user_sign }) => {
        const user = memory.isUser(name) ? name : memory.ensureUser(name, () => name);
        return signIn(memory, ehr, { user, userSign: ehr_user_sign });
      },
    },
  });
}

/** The methods that are served with and without `allowTestLogin`. */
function methodsOf({ memory, outbox, ehr, random, otpResendAfter }: AuthPipelineOptions) {
  return {
    'auth.request_otp': (params) => {
      const attribute = attributeOf(params);
      const code = memory.issueCode(attribute);
      outbox.add(
        attribute,
        `Your code is ${code}. It is valid for ${CODE_LIFETIME_MS / 60_000} minutes. Never tell it to anyone.`,
        code,
      );
      return { digits: CODE_DIGITS, expiresIn: CODE_LIFETIME_MS / 1_000, resendAfter: otpResendAfter };
    },
    'auth.confirm_otp': (params) => {
      const attribute = attributeOf(params);
      const code = params.code.replace(/\s/g, '');
      memory.checkCode(attribute, code);
      return signIn(memory, ehr, {
        user: memory.ensureUser(attribute),
        userSign: params.ehr_user_sign,
        before: () => memory.useCode(attribute, code),
      });
    },
    'auth.exchange_token': async (_params, { user, token }) => {
      const exchangeToken = randomToken(random);
      const refusal = await ehr.saveExchangeToken(exchangeToken, memory.remaining(user, token));
      if (refusal) throw new RpcError('ehr_refused', { ehr: refusal });
      return { exchangeToken };
    },
    'auth.report_link': async ({ user_sign }, { user, token }) => {
      const entry = memory.entryOf(user);
      if (!entry) throw noEntry();
      const refusal = await ehr.saveAuthInfo(memory.remaining(user, token), user_sign);
      // A session that is already stored was recorded by an earlier report whose reply was lost.
      if (refusal && refusal.reason !== 'token_already_stored') throw new RpcError('ehr_refused', { ehr: refusal });
      entry.userSign = user_sign;
      return {};
    },
    'auth.logout': (_params, { token }) => {
      memory.endSession(token);
      return {};
    },
    'auth.delete_user': (_params, { user }) => {
      const identity = memory.deleteUser(user);
      if (identity !== undefined) outbox.removeAllTo(identity);
      return {};
    },
  } satisfies Parameters<typeof createPipeline<typeof methods, Cred>>[0]['run'];
}

/** The methods that are served without `allowTestLogin`. */
const { 'auth.login': _testLogin, ...methods } = authMethods;

type SignIn = {
  user: string;
  /** The signature that the client sent. It takes precedence over the one on record. */
  userSign: string | null | undefined;
  /** When it throws, no session is opened. */
  before?: () => void;
};

/** Signs a user in. With a known user_sign, saves the session at the EHR server first (§1 rule 7). */
async function signIn(memory: AuthMemory, ehr: EhrCaller, { user, userSign: sent, before }: SignIn) {
  const entry = memory.entryOf(user);
  const userSign = sent ?? entry?.userSign;
  if (userSign === undefined) {
    const authInfo = memory.newAuthInfo(user);
    before?.();
    memory.openSession(authInfo);
    return { authInfo, linked: false };
  }
  if (!entry) throw noEntry();
  const saved = await saveAtEhr(memory, ehr, user, userSign);
  before?.();
  const authInfo = saved ?? memory.newAuthInfo(user);
  memory.openSession(authInfo);
  if (saved || entry.userSign === userSign) entry.userSign = saved && userSign;
  return { authInfo, linked: saved !== undefined };
}

/**
 * Maximum number of tokens drawn for one session when the EHR server reports that a token is already stored.
 */
const MAX_TOKEN_DRAWS = 3;

/**
 * Saves a session at the EHR server and returns it. Returns undefined when that server does not honour the
 * signature (decision 34).
 */
async function saveAtEhr(memory: AuthMemory, ehr: EhrCaller, user: string, userSign: string) {
  for (let drawn = 1; ; drawn++) {
    const authInfo = memory.newAuthInfo(user);
    const refusal = await ehr.saveAuthInfo(authInfo, userSign);
    if (!refusal) return authInfo;
    if (refusal.reason === 'user_unknown' || refusal.reason === 'not_authorized') return undefined;
    if (refusal.reason !== 'token_already_stored' || drawn === MAX_TOKEN_DRAWS)
      throw new RpcError('ehr_refused', { ehr: refusal });
  }
}

function noEntry(): RpcError {
  return new RpcError('user_unknown', {
    errors: ['The correspondence table of the authorization server has no entry for this user.'],
  });
}

function attributeOf({ phone, email }: { phone?: string | undefined; email?: string | undefined }): string {
  return attributeKey(phone ?? email ?? '');
}
