/** Diagnoses the set-up from the calls for an exchange token; other faults are left to the checks. */
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import type { Diagnosis } from '../../../engine/party/diagnosis.ts';
import type { HandshakeTrouble } from '../../../engine/wire/tls-side.ts';

/** With a wrong address the server would fail. A token issued without a call is judged instead. */
export const NEVER_STORED: Diagnosis = {
  id: 'ehr-reached',
  title: 'The server under test reaches the EHR server',
  ok: true,
  found: 'no call came, and an exchange token was given all the same: this is judged',
};

const CLIENT_METHODS = /\.(get_patient|authenticate|remove_auth_info|remove_authentication)$/;

type Exchanged = {
  ehrUrl: string;
  apiVersion: string;
  configuredIn: string | undefined;
  outcome: string;
  isLate: boolean;
  /** Why the last https connection to the EHR side had no request. */
  trouble?: HandshakeTrouble | undefined;
};

type TroubleWords = Pick<Diagnosis, 'found'> & { remedy: string };

const HANDSHAKE_TROUBLES: Readonly<Record<HandshakeTrouble, TroubleWords>> = {
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
    remedy: 'Give your server a client certificate of the authority in ehr.tls.clientCa, or correct clientCa.',
  },
  'certificate not accepted': {
    found: 'it did not accept the certificate of ehr.tls.cert',
    remedy:
      "Name the authority of ehr.tls.cert as trusted in your server (of a server on Node, NODE_EXTRA_CA_CERTS=/path/to/ca.pem), and check that the certificate carries the host of the EHR server's address.",
  },
  other: {
    found: 'the TLS handshake failed',
    remedy: 'Have your server speak TLS 1.2 or 1.3, and try the address from its machine with openssl s_client.',
  },
};

/** Names the path of calls that all missed the endpoint; empty where one reached it. */
function unservedPath(calls: readonly ExchangeEntry[], apiVersion: string): string {
  if (!calls.every(({ response }) => response?.status === 404)) return '';
  const served = apiVersion === '' ? '/' : `/${apiVersion}/`;
  return `, but to the path ${calls[0]?.request.path}, which is not served: ${served} is. Correct the EHR address in your server; otherwise this is judged`;
}

/** Diagnoses address, internal user and password from the calls for one exchange token. */
export function judgeExchange(calls: readonly ExchangeEntry[], about: Exchanged): Diagnosis[] {
  const reached = judgeAddress(calls, about);
  if (!reached.ok) return [reached];
  // A client method carries the client's credentials; a check judges that it was called at all.
  const digest = calls.find(({ facts: { call } }) => !CLIENT_METHODS.test(call?.method ?? ''))?.facts.digest;
  // Faults other than wrong settings are left to the checks.
  if (!digest || digest.explained !== undefined || digest.isEndUser) return [reached];
  return [reached, judgeUser(digest.rightUser), ...(digest.lowercaseHex ? [judgePassword(Boolean(digest.over))] : [])];
}

function judgeAddress(
  calls: readonly ExchangeEntry[],
  { ehrUrl, apiVersion, configuredIn, outcome, isLate, trouble }: Exchanged,
): Diagnosis {
  const about = { id: 'ehr-reached', title: 'The server under test reaches the EHR server' } as const;
  if (calls.length === 0 && trouble) {
    const { found, remedy } = HANDSHAKE_TROUBLES[trouble];
    return { ...about, ok: false, found: `your server connected to ${ehrUrl}, but ${found} (${outcome})`, remedy };
  }
  const where = configuredIn === undefined ? '' : ` It is set in: ${configuredIn}.`;
  if (calls.length === 0)
    return {
      ...about,
      ok: false,
      found: `EHR address wrong: nothing came to ${ehrUrl} when an exchange token was asked for (${outcome})`,
      remedy: `Configure your server to use ${ehrUrl} as the EHR server's base URL.${where} From a container, 127.0.0.1 is the container itself: set ehr.host to 0.0.0.0 and use the host's address.`,
    };
  const found = isLate
    ? `a call came to ${ehrUrl}, but after the answer: this is judged`
    : `a call came to ${ehrUrl}${unservedPath(calls, apiVersion)}`;
  return { ...about, ok: true, found };
}

function judgeUser(isRight: boolean): Diagnosis {
  const about = { id: 'internal-user', title: 'The internal user is the one of the settings' } as const;
  if (isRight) return { ...about, ok: true, found: 'it is' };
  return {
    ...about,
    ok: false,
    found: 'wrong internal user: cred.user is another name',
    remedy: 'Use the same internal user name in your server and in internal.user of the adapter file.',
  };
}

function judgePassword(isRight: boolean): Diagnosis {
  const about = { id: 'internal-password', title: 'The internal password is the one of the settings' } as const;
  if (isRight) return { ...about, ok: true, found: 'the digest is right' };
  return {
    ...about,
    ok: false,
    found: 'wrong password: no usual way of making the digest gives this one from the password of the settings',
    remedy:
      'Use the same internal password in your server and in the environment variable that internal.password names. Look for quotes, blanks and line ends that came along.',
  };
}
