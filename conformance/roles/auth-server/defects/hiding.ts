/**
 * Lists the defects that hide other defects, with the reason. The self-test puts two defects into one
 * authorization server and requires that both are found; where one hides the other, it need not be.
 */

/** By the reason, the ids of the defects that hide others for this reason, separated by blanks. */
const HIDING: Readonly<Record<string, string>> = {
  'The EHR server refuses every call, or its replies are not understood, so nobody gets an exchange token.': `
    digest-upper-case digest-base64 digest-sha256 digest-md5 digest-twice secret-first separator line-end
    latin1-password latin1-password-marks password-alone password-in-clear password-trimmed
    password-decomposed challenge-password-decomposed cred-user-is-end-user no-cred cred-in-params
    cred-members-renamed jsonrpc-missing jsonrpc-number id-missing params-by-position content-type-text
    form-encoded method-put path-without-version path-other-version ttl-as-string ttl-missing ttl-fraction
    ttl-in-milliseconds ttl-zero ttl-as-date user-missing user-as-number auth-info-flat
    exchange-token-renamed body-cut-short digest-over-session-token challenge-digest-over-session-token
    string-id-not-understood`,
  'The EHR server refuses every session, so nobody stays linked.': `
    sign-secret-first sign-trimmed sign-lower-case sign-separator sign-left-out sign-sanitised
    accepts-nothing carried-sign-digest-over-session-token carried-sign-sign-cut
    carried-sign-sign-lower-case`,
  'The session of a linked user who returns is not saved, so nothing else shows at such a sign-in.': `
    returning-user-not-saved one-returning-user link-not-recorded other-token-saved sign-on-record-unused
    sign-not-kept sign-cut-when-kept sign-of-last-link-kept challenge-signature-cut
    challenge-signature-not-kept challenge-signature-of-last-link`,
  'The EHR server does not know the exchange tokens when clients use them, so nobody is linked.': `
    token-before-ehr token-never-sent other-token-sent challenge-token-before-stored
    challenge-token-never-stored carried-sign-token-before-stored carried-sign-token-never-stored`,
  'Users who come at the same moment are mixed up or refused, so few of them are linked.': `
    sign-of-first-user carried-sign-sign-of-first-user exchange-for-last-session reports-last-session
    challenge-auth-info-of-last-session carried-sign-auth-info-of-last-session everybody-linked
    exchange-token-in-shared-variable session-in-shared-variable message-to-last-asker
    carried-sign-session-in-shared-variable carried-sign-message-to-last-asker eight-at-once`,
  'After the first such trouble no call works, or the server is down, so it meets no later one.': `
    broken-after-500 broken-after-one-break locked-after-failure dies-at-html challenge-dies-at-gzip
    challenge-dies-at-wrong-code carried-sign-dies-at-empty-code`,
  'A session is given the exchange token that it has already, so the EHR server is sent nothing more.': `
    exchange-token-cached`,
  'The newest code of a phone is the one before it, so nothing shows which of them counts.': `
    same-code-for-all challenge-code-same-for-all code-from-phone carried-sign-code-from-phone`,
  'The client is given another token than the EHR server, so it reads and removes nothing there.': `
    challenge-bearer-told-as-token`,
  'Wrong codes confirm, so the sign-in says nothing about the right one.': `
    any-code phone-alone challenge-no-confirmation carried-sign-no-confirmation`,
  'Tries are not limited, so nothing shows what gives them back or who is locked out.': `
    tries-not-limited challenge-tries-not-limited carried-sign-tries-not-limited tries-counted-late
    challenge-tries-counted-late carried-sign-tries-counted-late`,
  'A phone that was locked once stays locked, so nothing more is tried with it.': `
    phone-locked-for-good`,
  'Codes are sent without a pause, so nothing shows what ends the pause.': `
    no-resend-pause challenge-no-pause carried-sign-no-pause`,
  'Another exchange token is refused, and the checks of later calls ask for one.': `
    exchange-token-once challenge-exchange-token-once no-exchange-token-when-linked`,
  'Sessions end when they ought to live on, so nothing shows what else ends them.': `
    session-ends-early ttl-in-seconds-everywhere code-request-ends-sessions wrong-code-ends-sessions
    second-sign-in-ends-first challenge-wrong-code-ends-sessions carried-sign-second-sign-in-ends-first
    logout-ends-everybody deletion-ends-everybody logout-ends-all challenge-logout-ends-all
    link-ends-other-devices challenge-link-ends-others logout-ends-newest`,
  'Users are not known again, so nothing is kept of them.': `
    users-new-each-time everything-in-memory carried-sign-user-id-in-memory-only signs-in-memory`,
  'A session that nobody opened is taken for one, so no refusal tells of it.': `
    token-not-verified unknown-token-opens-last challenge-unknown-bearer-opens-last no-session-needed`,
  'The reply to a call is not understood where it is late or has an id of another form.': `
    impatient`,
  'Tokens come again after a restart, and the EHR server refuses them as stored.': `
    exchange-tokens-counted exchange-tokens-hash-of-counter exchange-tokens-derived
    carried-sign-exchange-tokens-derived carried-sign-tokens-counting challenge-tokens-counting`,
  'The ttl is sent too short or too long, so the EHR server ends the session at another time.': `
    ttl-in-seconds challenge-ttl-in-seconds carried-sign-ttl-in-seconds ttl-in-hours`,
  'A failure is taken for success, so no attempt after it shows whether the server recovers.': `
`,
  'Calls wait for each other, so a call may reach the EHR server only after its trouble is over.': `
    challenge-one-ehr-call-at-a-time carried-sign-one-ehr-call-at-a-time
    carried-sign-two-ehr-calls-at-a-time`,
};

/** The ids of the defects that hide others, each with the reason. */
const REASONS = Object.entries(HIDING).flatMap(([because, ids]) =>
  ids
    .trim()
    .split(/\s+/)
    .map((id) => ({ id, because })),
);

/** Returns why this defect may hide a second one in the same server; undefined when it hides none. */
export function whyHidden(id: string): string | undefined {
  return REASONS.find((reason) => reason.id === id)?.because;
}

/** The ids of all defects that hide others. */
export const hidingIds: readonly string[] = REASONS.map(({ id }) => id);
