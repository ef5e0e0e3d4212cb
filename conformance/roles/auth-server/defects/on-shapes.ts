/**
 * Lists the defects of the mock that the plain shapes have as well, so that a check proves itself on servers
 * of different makes.
 */

/**
 * The plain shapes: small authorization servers of another make than the mock. `challenge` speaks REST and
 * binds a code to a challenge; `carried-sign` speaks JSON-RPC, and its sign-in carries the user's signature.
 */
export type PlainShape = 'challenge' | 'carried-sign';

/**
 * By shape, the ids of defects of the mock that the shape has as well, separated by blanks. `id=name` is a
 * defect that has another name in the source of the shape.
 */
const ALSO_ON: Readonly<Record<PlainShape, string>> = {
  challenge: `
    password-decomposed digest-over-session-token ttl-in-seconds password-in-header
    session-token-in-header=session-in-header session-token-in-query=session-in-query follows-redirects
    any-code=no-confirmation session-in-refusal code-accepted-twice=code-works-twice
    old-codes-live-on=old-challenge-lives codes-never-expire tries-prolong-code digits-in-any-order
    code-sought-in-text used-code-emptied no-message-cap=no-cap
    pause-reset-by-sign-in=pause-reset-by-success pause-reset-by-deletion unknown-phones-told
    tries-not-limited tries-counted-late refused-request-resets-tries tries-evicted
    wrong-code-ends-sessions code-in-reply refusal-names-the-code=code-in-refusal
    same-code-for-all=code-same-for-all codes-counting codes-of-c-library empty-code=empty-code-accepted
    date-as-code logout-opens-session logout-ends-all deletion-leaves-others
    link-ends-other-devices=link-ends-others session-never-ends logout-in-memory=logout-not-stored
    deletion-in-memory=deletion-not-stored used-code-in-memory=used-code-not-stored
    sessions-renewed-at-start sign-not-kept=signature-not-kept sign-cut-when-kept=signature-cut
    sign-of-last-link-kept=signature-of-last-link signs-in-memory=signature-memory-only
    second-report-not-sent logout-forgets-sign sign-in-outlives-deletion
    unknown-token-opens-last=unknown-bearer-opens-last session-by-prefix last-character-not-compared
    session-in-any-case session-sought-in-text report-without-session=link-without-session
    saves-when-code-requested=save-before-confirmation report-saves-all-sessions=link-saves-all
    saves-with-exchange-token=save-with-exchange-token stale-sign-locks-out=stale-link-locks-out
    unauthorized-sign-locks-out=unauthorized-locks-out ttl-rounded-down ttl-never-less
    token-before-ehr=token-before-stored token-never-sent=token-never-stored
    exchange-token-cached=exchange-token-repeated tokens-hash-of-counter
    exchange-for-last-session=auth-info-of-last-session exchange-token-of-first-session exchange-token-once
    logout-not-looked-at password-in-errors=password-in-refusal digest-told=digest-in-reply
    ehr-error-told=ehr-error-passed-on correspondence-cached=correspondence-looked-up-once
    correspondence-unchecked-at-sign-in=entry-unchecked-at-sign-in hangs-with-the-ehr=exchange-token-hangs`,
  'carried-sign': `
    sign-lower-case sign-sanitised sign-of-first-user ttl-in-seconds password-in-header follows-redirects
    certificate-not-verified host-name-not-verified session-in-refusal phone-alone=no-confirmation
    code-accepted-twice=code-works-twice code-not-bound-to-phone=code-of-any-phone
    old-codes-live-on=older-code-accepted codes-never-expire last-four-compared sign-skips-code
    no-message-cap=no-cap pause-reset-by-sign-in=pause-reset-by-success pause-per-spelling pause-read-early
    phones-split=phones-split-at-comma last-ten-digits message-to-last-asker tries-not-limited
    tries-counted-late code-in-reply refusal-names-the-code=code-in-error codes-counting code-from-phone
    empty-code=empty-code-accepted second-sign-in-ends-first session-never-ends session-by-prefix
    session-in-any-case saves-before-comparing=save-before-confirmation
    token-before-ehr=token-before-stored token-never-sent=token-never-stored
    exchange-token-cached=exchange-token-repeated exchange-tokens-derived exchange-tokens-short
    exchange-for-last-session=auth-info-of-last-session exchange-token-of-first-session
    session-in-shared-variable password-in-errors=password-in-error digest-told=digest-in-reply
    ehr-error-told=ehr-error-passed-on repeats-thirty-times=retries-pile-up
    hangs-with-the-ehr=exchange-token-hangs id-not-compared`,
};

/** The lists as rows: the shape, the id of the defect on the mock, and its name on the shape. */
export const onShapes = Object.entries(ALSO_ON).flatMap(([shape, ids]) =>
  ids
    .trim()
    .split(/\s+/)
    .map((names) => {
      const [id = '', name = id] = names.split('=');
      return { shape: shape as PlainShape, id, name };
    }),
);
