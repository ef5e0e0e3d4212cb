/** Words the diagnoses of the doctor: what it found, and what the user should do. */
import type { ExchangeEntry, StepResult } from '../../../engine/journal/entry.ts';
import { describe } from '../../../engine/journal/played-steps.ts';
import type { Diagnosis } from '../../../engine/role.ts';
import type { HandshakeTrouble } from '../../../engine/wire/tls-side.ts';
import type { Adapter } from '../adapter/adapter.ts';
import type { AdapterSettings } from '../adapter/file/schema/schema.ts';
import { NO_MESSAGE } from '../adapter/otp/sink.ts';

const TITLES = {
  runtime: 'Runtime',
  'server-reachable': 'The server under test answers',
  clock: 'The clocks agree',
  'code-requested': 'A code can be requested',
  'code-found': 'The one-time code is found',
  'signed-in': 'A user can sign in',
  'exchange-token': 'An exchange token can be asked for',
  'ehr-reached': 'The server under test reaches the EHR server',
  'internal-user': 'The internal user is the one of the settings',
  'internal-password': 'The internal password is the one of the settings',
} as const;

/** Makes a diagnosis. With a remedy it says that something is not in order, without one that all is well. */
export function diagnosis(id: keyof typeof TITLES, found: string, remedy?: string): Diagnosis {
  const about = { id, title: TITLES[id], ok: remedy === undefined, found };
  return remedy === undefined ? about : { ...about, remedy };
}

/** A server that needs no call has no wrong address: a check judges the missing call. */
export const NEVER_STORED = diagnosis(
  'ehr-reached',
  'no call came, and an exchange token was given all the same: this is judged',
);

/** Diagnoses a request for a code. `waited`: it is the second one, after the pause. */
export function codeRequested(
  result: StepResult,
  otpTrouble: string | undefined,
  waited: boolean,
): Diagnosis {
  const id = 'code-requested';
  const after = waited ? ', after the pause that the server makes between two codes for one phone' : '';
  const found = `${describe(result)}${after}`;
  if (result.kind === 'done') return diagnosis(id, found);
  // HTTP 429: there was a request for a code a moment ago.
  if (result.kind === 'refused' && result.status === 429)
    return diagnosis(
      id,
      found,
      'Your server limits codes. State its pause as otp.resendAfterSeconds, or wait for its limits to pass. Where people.phones is a pattern, each run takes other phones.',
    );
  if (result.kind === 'failed' && otpTrouble !== undefined && otpTrouble !== NO_MESSAGE)
    return diagnosis(
      id,
      `${found}. ${otpTrouble}`,
      'Choose the otp.sink.shape that your SMS gateway speaks: your server failed because the sink did not take its message.',
    );
  return diagnosis(
    id,
    found,
    'Compare steps.requestOtp of the adapter file with what your own client sends: path, headers, members.',
  );
}

export function signedIn(
  adapter: Adapter,
  result: StepResult,
  otherNumbers: readonly string[] = [],
): Diagnosis {
  const id = 'signed-in';
  const found = describe(result);
  if (result.kind === 'done') return diagnosis(id, found);
  const missing = foundNothing(adapter);
  if (missing !== undefined)
    return diagnosis(
      id,
      `${found}; ${missing}`,
      'Correct that place in the adapter file: later steps are sent what it finds.',
    );
  if (result.kind === 'refused' && otherNumbers.length > 0)
    return diagnosis(
      id,
      `${found}; the message has other numbers that could be the code: ${otherNumbers.join(', ')}`,
      'Perhaps another number of the message is the code: write a pattern in the section otp of the adapter file that finds it. If the code was right, compare steps.confirmOtp with what your own client sends.',
    );
  return diagnosis(
    id,
    found,
    'Compare steps.confirmOtp and its extract pointers with a real answer of your server: they must yield user and token.',
  );
}

/** Names the places of `keep` that found nothing; undefined where each found a value. */
function foundNothing(adapter: Adapter): string | undefined {
  const places = adapter.keptNothing?.() ?? [];
  return places.length === 0 ? undefined : `${places.join(' and ')} found nothing in the answer of its step`;
}

export function exchangeRefused(adapter: Adapter, result: StepResult, ehrUrl: string): Diagnosis {
  const missing = foundNothing(adapter);
  return diagnosis(
    'exchange-token',
    `your server refused the step exchangeToken and did not call the EHR server: ${describe(result)}${missing === undefined ? '' : `, and ${missing}`}`,
    `Compare steps.exchangeToken of the adapter file with what your own client sends: path, members, and the header or cookie that names the session. Only if your server answers so when it cannot reach the EHR server: configure it to use ${ehrUrl}.`,
  );
}

const CLIENT_METHODS = /\.(get_patient|authenticate|remove_auth_info|remove_authentication)$/;

/** What came of the request for an exchange token, and where the calls for it should have gone. */
type Exchanged = Pick<AdapterSettings['ehr'], 'apiVersion' | 'configuredIn'> & {
  ehrUrl: string;
  outcome: string;
  isLate: boolean;
  /** Why the last https connection to the EHR side had no request. */
  trouble?: HandshakeTrouble | undefined;
};

const HANDSHAKE_TROUBLES: Readonly<Record<HandshakeTrouble, { found: string; remedy: string }>> = {
  'plain HTTP': {
    found: 'it spoke plain HTTP, where the kit listens with https',
    remedy: 'Write https:// in the address of the EHR server, or leave ehr.tls out of the adapter file.',
  },
  'no client certificate': {
    found: 'it showed no client certificate, which ehr.tls.clientCa asks for',
    remedy:
      'Give your server a client certificate of the authority in ehr.tls.clientCa and its key, or leave clientCa out.',
  },
  'client certificate not accepted': {
    found:
      'it showed a client certificate that none of the authorities in ehr.tls.clientCa has issued, or that has expired',
    remedy:
      'Give your server a client certificate of the authority in ehr.tls.clientCa, or correct clientCa.',
  },
  'certificate not accepted': {
    found: 'it did not accept the certificate of ehr.tls.cert',
    remedy:
      "Name the authority of ehr.tls.cert as trusted in your server (of a server on Node, NODE_EXTRA_CA_CERTS=/path/to/ca.pem), and check that the certificate carries the host of the EHR server's address.",
  },
  other: {
    found: 'the TLS handshake failed',
    remedy:
      'Have your server speak TLS 1.2 or 1.3, and try the address from its machine with openssl s_client.',
  },
};

/** Says to which path the calls went when none of them reached the endpoint; '' when one did. */
function unservedPath(calls: readonly ExchangeEntry[], apiVersion: string): string {
  if (!calls.every(({ response }) => response?.status === 404)) return '';
  const served = apiVersion === '' ? '/' : `/${apiVersion}/`;
  return `, but to the path ${calls[0]?.request.path}, which is not served: ${served} is. Correct the EHR address in your server; otherwise this is judged`;
}

/** Diagnoses address, internal user and internal password by the calls for an exchange token. */
export function judgeExchange(calls: readonly ExchangeEntry[], about: Exchanged): Diagnosis[] {
  const reached = judgeAddress(calls, about);
  if (!reached.ok) return [reached];
  // A client method carries the client's credentials; a check judges that it was called at all.
  const digest = calls.find(({ facts: { call } }) => !CLIENT_METHODS.test(call?.method ?? ''))?.facts.digest;
  // Of a digest that is the end user's the checks tell more than the doctor.
  if (!digest || digest.isEndUser) return [reached];
  if (digest.explained !== undefined) {
    const found = `the digest is wrong: ${digest.explained}; this is judged`;
    return [reached, diagnosis('internal-password', found)];
  }
  const user = digest.rightUser
    ? diagnosis('internal-user', 'it is')
    : diagnosis(
        'internal-user',
        'wrong internal user: cred.user is another name',
        'Use the same internal user name in your server and in internal.user of the adapter file.',
      );
  return [reached, user, ...(digest.lowercaseHex ? [judgePassword(Boolean(digest.over))] : [])];
}

function judgeAddress(
  calls: readonly ExchangeEntry[],
  { ehrUrl, apiVersion, configuredIn, outcome, isLate, trouble }: Exchanged,
): Diagnosis {
  const id = 'ehr-reached';
  if (calls.length === 0 && trouble) {
    const { found, remedy } = HANDSHAKE_TROUBLES[trouble];
    return diagnosis(id, `your server connected to ${ehrUrl}, but ${found} (${outcome})`, remedy);
  }
  const where = configuredIn === undefined ? '' : ` It is set in: ${configuredIn}.`;
  if (calls.length === 0)
    return diagnosis(
      id,
      `EHR address wrong: nothing came to ${ehrUrl} when an exchange token was asked for (${outcome})`,
      `Configure your server to use ${ehrUrl} as the EHR server's base URL.${where} From a container, 127.0.0.1 is the container itself: set ehr.host to 0.0.0.0 and use the host's address.`,
    );
  const which = isLate ? ', but after the answer: this is judged' : unservedPath(calls, apiVersion);
  return diagnosis(id, `a call came to ${ehrUrl}${which}`);
}

function judgePassword(isRight: boolean): Diagnosis {
  if (isRight) return diagnosis('internal-password', 'the digest is right');
  return diagnosis(
    'internal-password',
    'wrong password: no usual way of making the digest gives this one from the password of the settings',
    'Use the same internal password in your server and in the environment variable that internal.password names. Look for quotes, blanks and line ends that came along.',
  );
}
