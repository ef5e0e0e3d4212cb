/** Clients with one defect each, the check that must find it, and differences that no check may report. */

export type ClientDefect = {
  /** The name in `twin.mjs`. */
  id: string;
  /** The check that must find it. */
  caughtBy: string;
  /** Rows of public defects that it stands for. */
  seenIn?: readonly string[];
};

const defect = (id: string, caughtBy: string, ...seenIn: readonly string[]): ClientDefect => ({
  id,
  caughtBy,
  ...(seenIn.length > 0 && { seenIn }),
});

export const clientDefects: readonly ClientDefect[] = [
  defect('form-to-auth', 'no-patient-data-to-auth-server'),
  defect('surname-in-base64-to-auth', 'no-patient-data-to-auth-server'),
  defect('record-to-auth', 'no-patient-data-to-auth-server'),
  defect('exchange-token-to-auth', 'exchange-token-to-ehr-server-alone'),
  defect('token-in-address', 'no-secrets-in-addresses', 'cl-token-in-the-address'),
  defect('token-in-header', 'no-secrets-in-headers'),
  defect('text-plain', 'post-of-json'),
  defect('body-cut-short', 'post-of-json', 'cl-body-cut-short'),
  defect('path-without-slash', 'version-in-path'),
  defect('jsonrpc-left-out', 'jsonrpc-member'),
  defect('id-left-out', 'ids-of-calls'),
  defect('params-left-out', 'params-by-name'),
  defect('internal-method', 'methods-of-clients'),
  defect('cred-without-user', 'cred-of-newest-session'),
  defect('cred-in-authenticate', 'authenticate-without-cred'),
  defect('removal-with-user', 'removals-without-params'),
  defect('name-in-capitals', 'names-as-typed'),
  defect('birthday-a-day-off', 'date-of-birth-as-typed', 'cl-birthday-a-day-off'),
  defect('date-in-iso', 'date-of-birth-as-typed'),
  defect('phone-with-plus', 'phone-in-digits'),
  defect('gender-as-text', 'gender-as-code'),
  defect('form-without-asking', 'sign-in-comes-first'),
  defect('form-at-any-error', 'no-form-after-other-errors'),
  defect('no-form-when-expired', 'form-after-refusal', 'cl-deleted-elsewhere-still-shown'),
  defect('link-not-reported', 'exchange-token-first'),
  defect('report-given-up', 'report-made-up-for'),
  defect('lost-link-not-reported', 'link-reported-after-lost-reply', 'cl-repeat-after-landing'),
  defect('auth-first', 'logout-ehr-first'),
  defect('auth-despite-refusal', 'logout-after-success-alone'),
  defect('logout-at-home-only', 'logout-ehr-first', 'cl-logout-at-home-only'),
  defect('no-way-out', 'way-out-without-session', 'cl-stuck-in-the-session'),
  defect('leaves-without-logout', 'leaving-logs-out', 'cl-logout-lost-on-closing'),
  defect('exchange-token-kept', 'exchange-token-renewed', 'cl-form-lost-when-token-ended'),
  defect('signature-dropped', 'user-sign-kept'),
  defect('signature-outlives-link', 'disconnect-forgets'),
  defect('signature-for-everybody', 'signs-of-each-person'),
  defect('record-kept-after-logout', 'logout-forgets', 'cl-storage-left-after-logout'),
  defect('session-kept-after-logout', 'logout-forgets', 'cl-former-token-used'),
  defect('record-of-another-when-offline', 'signs-of-each-person', 'cl-offline-shows-another'),
  defect('hiccup-ends-session', 'hiccup-keeps-session', 'cl-hiccup-ends-the-session'),
  defect('endless-exchange', 'no-endless-exchange', 'cl-endless-exchange'),
  defect('reason-swallowed', 'errors-told-apart'),
  defect('codes-for-words', 'no-match-keeps-form'),
  defect('takes-any-reply', 'trouble-at-get-patient', 'cl-token-from-a-cached-reply'),
];

/** Differences of a right client, by their names in `twin.mjs`. */
export const harmlessClients: readonly string[] = [
  'ids-as-text',
  'gender-left-out',
  'members-in-another-order',
  'charset-in-content-type',
  'names-decomposed',
  'indented-json',
  'accept-header',
  'exchange-token-for-each-try',
  'reads-once-more',
  'longer-texts',
];
