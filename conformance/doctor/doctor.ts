/** The doctor: an ordered probe that separates "not set up" from "not conformant", and names what to do. */
import type { Clock } from '#protocol/clock.ts';
import type { Adapter } from '../adapter/adapter.ts';
import type { ExchangeEntry } from '../journal/entry.ts';
import type { Ground } from '../stage/ground.ts';
import { describe, ScenarioStopped, type Stage } from '../stage/stage.ts';
import { findPort } from './find-port.ts';

export type Diagnosis = {
  /** kebab-case, stable. */
  id:
    | 'runtime'
    | 'server-reachable'
    | 'clock'
    | 'code-requested'
    | 'code-found'
    | 'signed-in'
    | 'ehr-reached'
    | 'internal-user'
    | 'internal-password'
    | 'exchange-token';
  title: string;
  ok: boolean;
  /** What was found, in one sentence. */
  found: string;
  /** What to do; only where something is wrong. */
  remedy?: string;
};

export type DoctorParts = {
  adapter: Adapter;
  /** Base URL of the server under test itself, not of the tap. */
  serverUrl: string;
  ground: Ground;
  stage: Stage;
  clock: Clock;
  /** Where the EHR address is configured in the server under test, in the words of the adapter file. */
  ehrConfiguredIn: string | undefined;
  /** What stood in the way of learning a code, in one sentence. */
  otpTrouble?: () => string | undefined;
  /** Looks for the server on other ports, unless given otherwise. */
  findPort?: (serverUrl: string) => Promise<number | undefined>;
  onDiagnosis: (diagnosis: Diagnosis) => void;
};

/** Clocks may differ by this much, in milliseconds: HTTP dates count whole seconds, and answers take time. */
const CLOCK_TOLERANCE = 60_000;

/** Probes in order and stops at the first thing that is wrong: what comes after it would only fail because of it. */
export async function examine(parts: DoctorParts): Promise<Diagnosis[]> {
  const diagnoses: Diagnosis[] = [];
  for (const probe of [runtime, serverReachable, clocks, codeAndSignIn, exchange]) {
    for (const diagnosis of await probe(parts)) {
      diagnoses.push(diagnosis);
      parts.onDiagnosis(diagnosis);
      if (!diagnosis.ok) return diagnoses;
    }
  }
  return diagnoses;
}

type Probe = (parts: DoctorParts) => Promise<Diagnosis[]>;

const runtime: Probe = async () => [
  { id: 'runtime', title: 'Runtime', ok: true, found: `Node ${process.versions.node} on ${process.platform}` },
];

const serverReachable: Probe = async ({ serverUrl, findPort: find = findPort }) => {
  const title = 'The server under test answers';
  try {
    await fetch(serverUrl, { method: 'GET', redirect: 'manual', signal: AbortSignal.timeout(5_000) });
    return [{ id: 'server-reachable', title, ok: true, found: `${serverUrl} answers` }];
  } catch (error) {
    const { found, remedy } = await explainUnreachable(serverUrl, error, find);
    return [{ id: 'server-reachable', title, ok: false, found, remedy }];
  }
};

async function explainUnreachable(
  serverUrl: string,
  error: unknown,
  find: (serverUrl: string) => Promise<number | undefined>,
): Promise<{ found: string; remedy: string }> {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  const code = cause?.code ?? (error instanceof Error ? error.name : '');
  const { hostname, port } = new URL(serverUrl);
  if (code === 'ECONNREFUSED') {
    const elsewhere = await find(serverUrl);
    if (elsewhere !== undefined) {
      return {
        found: `wrong port: nothing listens on ${hostname}:${port}, but an HTTP server does on ${elsewhere}`,
        remedy: `Correct server.url in the adapter file if that is your server: ${serverUrl.replace(`:${port}`, `:${elsewhere}`)}`,
      };
    }
    return {
      found: `server not started: nothing listens on ${hostname}:${port}`,
      remedy: `Start your authorization server, or correct server.url. In a container, 127.0.0.1 is the container itself: publish the port, or use the host's address.`,
    };
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return {
      found: `the name ${hostname} is not known here`,
      remedy: 'Correct the host of server.url, or add the name to your DNS or hosts file.',
    };
  if (/^ERR_TLS|CERT|SIGN(?:ED|ATURE)/.test(code)) {
    return {
      found: `the TLS certificate is not accepted (${code})`,
      remedy:
        'Name the certificate authority with NODE_EXTRA_CA_CERTS=/path/to/ca.pem, and check that the certificate carries this host name.',
    };
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO') {
    return {
      found: `${hostname}:${port} does not speak TLS`,
      remedy: 'Write http:// in server.url, or have the server listen with TLS.',
    };
  }
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') {
    return {
      found: `${serverUrl} closes the connection without an answer`,
      remedy: 'Write https:// in server.url if the server listens with TLS; otherwise look into its log.',
    };
  }
  if (code === 'TimeoutError')
    return {
      found: `${serverUrl} did not answer within 5 s`,
      remedy: 'Check firewalls between here and the server, and that the server is not stuck.',
    };
  return {
    found: `${serverUrl} cannot be reached (${code || cause?.message || 'no reason given'})`,
    remedy: 'Check server.url, and try the address with curl from this machine.',
  };
}

const clocks: Probe = async ({ serverUrl, clock }) => {
  const title = 'The clocks agree';
  const response = await fetch(serverUrl, { method: 'GET', redirect: 'manual', signal: AbortSignal.timeout(5_000) });
  const stated = response.headers.get('date');
  if (stated === null)
    return [{ id: 'clock', title, ok: true, found: 'the server states no Date, so its clock cannot be compared' }];
  const skew = Date.parse(stated) - clock.now();
  if (Math.abs(skew) <= CLOCK_TOLERANCE)
    return [{ id: 'clock', title, ok: true, found: 'within a minute of each other' }];
  const minutes = Math.round(Math.abs(skew) / 60_000);
  return [
    {
      id: 'clock',
      title,
      ok: false,
      found: `clock off: the server's is ${minutes} minutes ${skew > 0 ? 'ahead' : 'behind'}`,
      remedy: 'Synchronize both machines by NTP. Exchange tokens live ten minutes, so a wrong clock breaks them.',
    },
  ];
};

const codeAndSignIn: Probe = async ({ adapter, stage, otpTrouble }) => {
  const diagnoses: Diagnosis[] = [];
  const patient = stage.actor('the doctor');
  if (adapter.has('requestOtp')) {
    const before = await adapter.messagesTo(patient.phone);
    const asked = await stage.perform(patient, 'requestOtp', { label: 'doctor: request a code' });
    const requested: Diagnosis = {
      id: 'code-requested',
      title: 'A code can be requested',
      ok: asked.kind === 'done',
      found: describe(asked),
    };
    if (!requested.ok)
      requested.remedy =
        'Compare steps.requestOtp of the adapter file with what your own client sends: path, headers, members.';
    diagnoses.push(requested);
    if (!requested.ok) return diagnoses;
    const code = await adapter.codeFor(patient.phone, before, 10_000);
    const found: Diagnosis = {
      id: 'code-found',
      title: 'The one-time code is found',
      ok: code !== undefined,
      found: code === undefined ? `code not found: ${otpTrouble?.() ?? 'no code came within 10 s'}` : 'a code came',
    };
    if (!found.ok)
      found.remedy =
        'Check the section otp of the adapter file: whether your server sends its messages to that sink or outbox, and whether the pattern fits its text.';
    diagnoses.push(found);
    if (code === undefined) return diagnoses;
    diagnoses.push(signedIn(await stage.perform(patient, 'confirmOtp', { label: 'doctor: sign in' }, { code })));
  } else {
    diagnoses.push(signedIn(await stage.perform(patient, 'confirmOtp', { label: 'doctor: sign in' })));
  }
  return diagnoses;
};

function signedIn(result: Parameters<typeof describe>[0]): Diagnosis {
  const ok = result.kind === 'done';
  const remedy =
    'Compare steps.confirmOtp and its extract pointers with a real answer of your server: they must yield user and token.';
  return { id: 'signed-in', title: 'A user can sign in', ok, found: describe(result), ...(!ok && { remedy }) };
}

const exchange: Probe = async ({ stage, ground, ehrConfiguredIn, adapter }) => {
  if (!adapter.has('exchangeToken')) return [];
  const patient = stage.actor('the second doctor');
  try {
    await stage.signIn(patient, 'doctor: sign in again');
  } catch (error) {
    if (!(error instanceof ScenarioStopped)) throw error;
    return [
      {
        id: 'signed-in',
        title: 'A second user can sign in',
        ok: false,
        found: error.message,
        remedy: 'See the steps above: it worked for another phone a moment ago.',
      },
    ];
  }
  const before = ground.recorder.entries().length;
  const result = await stage.perform(patient, 'exchangeToken', { label: 'doctor: exchange token' });
  const calls = ground.recorder
    .entries()
    .slice(before)
    .filter((entry): entry is ExchangeEntry => entry.kind === 'exchange' && entry.link === 'auth->ehr');
  return judgeExchange(calls, ground.ehrUrlForServer, ehrConfiguredIn, describe(result));
};

function judgeExchange(
  calls: readonly ExchangeEntry[],
  ehrUrl: string,
  configuredIn: string | undefined,
  outcome: string,
): Diagnosis[] {
  const where = configuredIn === undefined ? '' : ` It is set in: ${configuredIn}.`;
  const [call] = calls;
  if (!call) {
    return [
      {
        id: 'ehr-reached',
        title: 'The server under test reaches the EHR server',
        ok: false,
        found: `EHR address wrong: nothing came to ${ehrUrl} when an exchange token was asked for (${outcome})`,
        remedy: `Configure your server to use ${ehrUrl} as the EHR server's base URL.${where} From a container, 127.0.0.1 is the container itself: set ehr.host to 0.0.0.0 and use the host's address.`,
      },
    ];
  }
  const reached: Diagnosis = {
    id: 'ehr-reached',
    title: 'The server under test reaches the EHR server',
    ok: true,
    found: `a call came to ${ehrUrl}`,
  };
  const { digest } = call.facts;
  // What is wrong in another way than by a wrong secret is for the checks to judge.
  if (!digest || digest.explained !== undefined) return [reached];
  const diagnoses: Diagnosis[] = [reached];
  diagnoses.push(
    digest.rightUser
      ? { id: 'internal-user', title: 'The internal user is the one of the settings', ok: true, found: 'it is' }
      : {
          id: 'internal-user',
          title: 'The internal user is the one of the settings',
          ok: false,
          found: 'wrong internal user: cred.user is another name',
          remedy: 'Use the same internal user name in your server and in internal.user of the adapter file.',
        },
  );
  if (digest.lowercaseHex) {
    diagnoses.push(
      digest.over
        ? {
            id: 'internal-password',
            title: 'The internal password is the one of the settings',
            ok: true,
            found: 'the digest is right',
          }
        : {
            id: 'internal-password',
            title: 'The internal password is the one of the settings',
            ok: false,
            found: 'wrong password: no usual way of making the digest gives this one from the password of the settings',
            remedy:
              'Use the same internal password in your server and in the environment variable that internal.password names. Look for quotes, blanks and line ends that came along.',
          },
    );
  }
  return diagnoses;
}
