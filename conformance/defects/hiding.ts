/** Defects that leave others no occasion to show, each with the reason. */

type Row = { readonly because: string; readonly ids: readonly string[] };

const ROWS: readonly Row[] = [
  {
    because: 'The EHR server refuses every call, or its replies are not understood, so nobody gets an exchange token.',
    ids: [
      ...['digest-upper-case', 'digest-base64', 'digest-sha256', 'digest-md5', 'digest-twice', 'secret-first'],
      ...['separator', 'line-end', 'latin1-password', 'password-alone', 'password-in-clear', 'password-trimmed'],
      ...['password-decomposed', 'challenge-password-decomposed', 'cred-user-is-end-user', 'no-cred'],
      ...['cred-in-params', 'cred-members-renamed', 'jsonrpc-missing', 'jsonrpc-number', 'id-missing'],
      ...['params-by-position', 'content-type-text', 'form-encoded', 'method-put', 'path-without-version'],
      ...['path-other-version', 'ttl-as-string', 'ttl-missing', 'ttl-fraction', 'ttl-in-milliseconds', 'ttl-zero'],
      ...['ttl-as-date', 'user-missing', 'user-as-number', 'auth-info-flat', 'exchange-token-renamed'],
      ...['body-cut-short', 'digest-over-session-token', 'challenge-digest-over-session-token'],
      'string-id-not-understood',
    ],
  },
  {
    because: 'The EHR server refuses every session, so nobody stays linked.',
    ids: [
      ...['sign-secret-first', 'sign-trimmed', 'sign-lower-case', 'sign-separator', 'sign-left-out', 'sign-sanitised'],
      ...['accepts-nothing', 'carried-sign-digest-over-session-token', 'carried-sign-sign-cut'],
      'carried-sign-sign-lower-case',
    ],
  },
  {
    because: 'The session of a linked user who returns is not saved, so nothing else shows at such a sign-in.',
    ids: [
      ...['returning-user-not-saved', 'one-returning-user', 'link-not-recorded', 'other-token-saved'],
      ...['sign-on-record-unused', 'sign-not-kept', 'sign-cut-when-kept', 'sign-of-last-link-kept'],
      ...['challenge-signature-cut', 'challenge-signature-not-kept', 'challenge-signature-of-last-link'],
    ],
  },
  {
    because: 'The EHR server does not know the exchange tokens when clients use them, so nobody is linked.',
    ids: [
      ...['token-before-ehr', 'token-never-sent', 'other-token-sent', 'challenge-token-before-stored'],
      ...['challenge-token-never-stored', 'carried-sign-token-before-stored', 'carried-sign-token-never-stored'],
    ],
  },
  {
    because: 'Users who come at the same moment are mixed up or refused, so few of them are linked.',
    ids: [
      ...['sign-of-first-user', 'carried-sign-sign-of-first-user', 'exchange-for-last-session', 'reports-last-session'],
      ...['challenge-auth-info-of-last-session', 'carried-sign-auth-info-of-last-session', 'everybody-linked'],
      ...['exchange-token-in-shared-variable', 'session-in-shared-variable', 'message-to-last-asker'],
      ...['carried-sign-session-in-shared-variable', 'carried-sign-message-to-last-asker', 'eight-at-once'],
    ],
  },
  {
    because: 'After the first such trouble no call works, or the server is down, so it meets no later one.',
    ids: [
      ...['broken-after-500', 'broken-after-500-on-save', 'broken-after-nonsense', 'broken-after-hang'],
      ...['broken-after-hang-of-token', 'broken-after-half-a-reply', 'broken-after-html', 'broken-after-html-on-save'],
      ...['broken-after-one-break', 'broken-after-two-breaks', 'broken-after-two-breaks-on-save'],
      ...['broken-after-three-breaks', 'broken-after-three-breaks-on-save', 'broken-after-wrong-id'],
      ...['broken-after-wrong-id-on-save', 'locked-after-failure', 'dies-at-gzip', 'dies-at-html'],
      ...['challenge-dies-at-gzip', 'challenge-dies-at-wrong-code', 'carried-sign-dies-at-empty-code'],
    ],
  },
  {
    because: 'A session is given the exchange token that it has already, so the EHR server is sent nothing more.',
    ids: ['exchange-token-cached'],
  },
  {
    because: 'The newest code of a phone is the one before it, so nothing shows which of them counts.',
    ids: ['same-code-for-all', 'challenge-code-same-for-all', 'code-from-phone', 'carried-sign-code-from-phone'],
  },
  {
    because: 'The client is given another token than the EHR server, so it reads and removes nothing there.',
    ids: ['challenge-bearer-told-as-token'],
  },
];

const REASONS: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap(({ because, ids }) => ids.map((id): [string, string] => [id, because])),
);

/** Why a second defect may have no occasion to show beside this one; undefined where it always has. */
export function whyHidden(id: string): string | undefined {
  return REASONS.get(id);
}

/** The ids of all defects that hide others. */
export const hidingIds: readonly string[] = [...REASONS.keys()];
