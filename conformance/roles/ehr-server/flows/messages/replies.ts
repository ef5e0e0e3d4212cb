/** Rules of every answer of an EHR server: HTTP status, form, ids and codes of replies, no secrets. */
import { isObject, membersOf } from '#protocol/wire/envelope.ts';
import type { Reason } from '#protocol/wire/errors.ts';
import { isNumber, writeJson } from '#protocol/wire/json.ts';
import { outputCheck } from '../../../../engine/check/output-check.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { whyNotJson } from '../../../../engine/party/requests/json.ts';
import { type EhrFlow, flow, nothingWrong, type RuleOfAllFlows, ruleOfAllFlows } from '../../flow.ts';
import { headerIn, jsonIn, readCall, replyIn } from '../../world/messages.ts';

function replyOf(exchange: ExchangeEntry): Record<string, unknown> | undefined {
  const reply = jsonIn(exchange.response?.body);
  return isObject(reply) && ('result' in reply || isRpcError(reply.error)) ? reply : undefined;
}

function isCall({ request }: ExchangeEntry): boolean {
  const type = headerIn(request, 'content-type') ?? '';
  const isPostOfJson = request.method === 'POST' && /^application\/json *(;|$)/i.test(type);
  return isPostOfJson && typeof membersOf(jsonIn(request.body)).method === 'string';
}

const isAnswered = (exchange: ExchangeEntry) => isCall(exchange) && replyOf(exchange) !== undefined;

const pathOf = ({ request }: ExchangeEntry) => request.path.replace(/[?].*$/, '').replace(/\/+$/, '');

/** The exchanges at the path to which most calls go. */
function atEndpoint(exchanges: readonly ExchangeEntry[]): readonly ExchangeEntry[] {
  const counts = new Map<string, number>();
  for (const path of exchanges.map(pathOf)) counts.set(path, (counts.get(path) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return exchanges.filter((exchange) => pathOf(exchange) === most?.[0]);
}

const isRpcError = (error: unknown): error is Record<string, unknown> => isObject(error) && 'code' in error;

function errorOf(exchange: ExchangeEntry): Record<string, unknown> | undefined {
  const error = replyOf(exchange)?.error;
  return isObject(error) ? error : undefined;
}

const CHANNELS = ['client->ehr', 'auth->ehr'] as const;

/** Selects answers at both channels. One with a fault is left out: the kit itself changed its response. */
const answersThat =
  (is: (exchange: ExchangeEntry) => boolean, judged = (exchanges: readonly ExchangeEntry[]) => exchanges) =>
  (journal: JournalView): ExchangeEntry[] =>
    CHANNELS.flatMap((link) => judged(journal.exchanges(link)))
      .filter((exchange) => exchange.fault === undefined && is(exchange))
      .sort((a, b) => a.seq - b.seq);

const repliesThat = (is: (exchange: ExchangeEntry) => boolean = () => true) =>
  answersThat((exchange) => isAnswered(exchange) && is(exchange), atEndpoint);

const SECRET = /‹(session-token|exchange-token|user-sign|digest|password|patient-data) \d+›/;
/** Signs of the server's inside: a stack trace, an SQL statement, a path of a library. */
const STACK =
  /\bat [\w.<>]+ \(|\bat \S+ line \d|node_modules|SQLITE|SELECT |INSERT |Traceback|\.(?:java|php|rb|go|py|cs):(?:line )?\d/;

const OF_ANSWERS = { watchable: true, nothing: { notApplicable: 'no such message crossed' } } as const;
const NO_CALL = { notApplicable: 'no call was answered' };
/** Codes of get_patient by which a client of the field begins to link. */
const LINK_CODES = ['-33000', '-33001', '-33002'];

export const messageRules: readonly RuleOfAllFlows[] = [
  ruleOfAllFlows<ExchangeEntry>('outcomes-are-http-200', {
    ...OF_ANSWERS,
    title: 'Every outcome of a call of a client, errors included, is HTTP 200',
    requirements: ['D2-rpc-is-200'],
    // A client in a browser reads no other; the internal channel has none.
    of: repliesThat(({ link }) => link === 'client->ehr'),
    wrong: ({ response }) => response?.status !== 200 && `HTTP ${response?.status}`,
    expected: 'HTTP 200',
    advice: 'Clients of the field read no body from status 400 up: answer errors of a call with 200.',
  }),
  ruleOfAllFlows<ExchangeEntry>('result-or-error', {
    ...OF_ANSWERS,
    title: 'Every reply has jsonrpc "2.0" and either a result or an error',
    requirements: ['4-json-rpc-reply'],
    of: repliesThat(),
    wrong: wrongReply,
    expected: 'jsonrpc "2.0" and one of the two',
    advice: 'Build replies as JSON-RPC 2.0 says.',
  }),
  ruleOfAllFlows<ExchangeEntry>('shape-of-errors', {
    ...OF_ANSWERS,
    title: 'An error is an object of a whole number as code, and a message',
    requirements: ['DE-error-object'],
    of: repliesThat((exchange) => errorOf(exchange) !== undefined),
    wrong: (exchange) => {
      const { code, message } = errorOf(exchange) ?? {};
      if (!Number.isInteger(code)) return 'code is no whole number';
      return (typeof message !== 'string' || message === '') && 'message is no text';
    },
    expected: '{ code, message, data }',
    advice: 'Send code as a number and message as a sentence.',
  }),
  ruleOfAllFlows<ExchangeEntry>('errors-tell-no-secrets', {
    ...OF_ANSWERS,
    title: 'No error repeats a token, a digest, a user_sign or a patient property',
    requirements: ['DE-no-secrets-echoed', 'DE-internal-error-silent'],
    of: answersThat((exchange) => errorOf(exchange) !== undefined),
    wrong: (exchange) => {
      const text = writeJson(errorOf(exchange));
      const [, kind] = SECRET.exec(text) ?? [];
      if (kind !== undefined) return `it repeats a ${kind}`;
      return STACK.test(text) && 'it shows the inside of the server';
    },
    expected: 'sentences that name members, never their values',
    advice: 'Name the member that is wrong, and leave its value out.',
  }),
  ruleOfAllFlows<PlayedStep>('code-of-read-without-session', {
    title: 'A read with a cred that is no live session is refused by a code that lets the client link',
    requirements: ['DE-numbers'],
    of: refusedReads,
    nothing: { notApplicable: 'no read was refused for want of a session' },
    wrong: (read) => !LINK_CODES.includes(toldCode(read)) && `code ${toldCode(read)}`,
    expected: `one of ${LINK_CODES.join(', ')}`,
    advice: 'Answer get_patient without a live session by -33000: clients show their form by that code.',
  }),
  ruleOfAllFlows<ExchangeEntry>('replies-are-whole', {
    title: 'The body of every reply is JSON, whole and with nothing around it',
    requirements: ['4-json-rpc-reply'],
    of: (journal) => callsIn(journal).filter(hasBody),
    nothing: NO_CALL,
    wrong: ({ response: { body = '' } = {} }) =>
      jsonIn(body) === undefined && `a body that ${whyNotJson(body) ?? 'is not JSON'}`,
    expected: 'JSON alone',
    advice: 'Count Content-Length in bytes, not in letters, and write nothing but the reply into the body.',
  }),
  ruleOfAllFlows<ExchangeEntry>('replies-carry-own-id', {
    title: 'No reply carries the id of another call',
    requirements: ['2.1-id-echoed'],
    of: (journal) => callsIn(journal).filter(idsIn),
    nothing: NO_CALL,
    wrong(exchange) {
      const { sent, returned } = idsIn(exchange) ?? {};
      return sent !== returned && `the id ${returned} in the reply to a call with the id ${sent}`;
    },
    expected: 'the id of the call',
    advice:
      'Keep the id of a call with the call: one that requests share is overwritten by the next before its reply is written.',
  }),
];

function wrongReply(exchange: ExchangeEntry): string | false {
  const reply = replyOf(exchange);
  if (reply?.jsonrpc !== '2.0') return 'jsonrpc is not "2.0"';
  return 'result' in reply && 'error' in reply && 'it has a result and an error';
}

/** Whether the answer has HTTP 200 and a body: an empty one is judged by its step. */
const hasBody = ({ response, fault }: ExchangeEntry): boolean =>
  fault === undefined && response?.status === 200 && response.body !== '';

/** The calls of methods: what the kit sends besides, to other paths say, may be answered by a page. */
const callsIn = (journal: JournalView): ExchangeEntry[] =>
  CHANNELS.flatMap((link) => journal.exchanges(link)).filter(
    (exchange) => (journal.stepOf(exchange)?.step.step ?? 'send') !== 'send',
  );

type Ids = { readonly sent: string; readonly returned: string };

/** A reply without an id is another fault: it is not taken for the reply to another call. */
function idsIn({ request, response }: ExchangeEntry): Ids | undefined {
  const sent = membersOf(jsonIn(request.body)).id;
  const returned = membersOf(jsonIn(response?.body)).id;
  const isId = isNumber(returned) || typeof returned === 'string';
  return Number.isSafeInteger(sent) && isId ? { sent: `${sent}`, returned: `${returned}` } : undefined;
}

const NO_SESSION: readonly (Reason | undefined)[] = ['not_authorized', 'session_expired'];

/** Reads refused for want of a session. Where calls took too long, another refusal may be right. */
function refusedReads(journal: JournalView): PlayedStep[] {
  return journal
    .allSteps('getPatient')
    .filter(({ step }) => step.expects?.some(({ reason }) => NO_SESSION.includes(reason)))
    .filter(({ step }) => journal.ending(step.scenario)?.stopped?.blame !== 'environment')
    .filter(({ result, exchanges }) => result.kind === 'refused' && hasCred(exchanges[0]?.request.body));
}

/** Whether the cred of a call is an object: how another one is refused is left to the server. */
const hasCred = (body: string | undefined) => isObject(membersOf(jsonIn(body)).cred);

const toldCode = ({ result }: PlayedStep) =>
  result.kind === 'refused' ? (result.code ?? `HTTP ${result.status}`) : '';

/** These scenarios are enough to see what a server writes. */
export const noSecretsInOutput = outputCheck({
  requirements: ['K-output-no-secrets'],
  scenarios: ['exchange-token-used-once', 'no-patient-no-session', 'save-digest-verified'],
  party: 'EHR server',
});

const NUMBERS = {
  'a number': 4711,
  'the number 0': 0,
  'a number below 0': -1,
  'a number beyond 31 bits': 2_147_483_648,
  'the largest whole number': Number.MAX_SAFE_INTEGER,
};

const REFUSED = 'a number, refused';
const REFUSED_ID = 4712;

/** Some languages take an id of 0 for no id: other calls than reads have it, too. */
const IDS: Readonly<Record<string, number>> = {
  ...NUMBERS,
  'authenticate with the id 0': 0,
  'save with the id 0': 0,
  'log out with the id 0': 0,
  [REFUSED]: REFUSED_ID,
};

/** Methods that sign in or tell sessions, under the names that servers give them. */
const SIGN_INS = ['auth', 'embedded_storage', 'patient', 'user', 'session'].flatMap((room) =>
  ['login', 'sign_in', 'request_otp', 'confirm_otp', 'list', 'sessions'].map((name) => `${room}.${name}`),
);

export const replyFlows: readonly EhrFlow[] = [
  flow('id-returned', {
    title: 'A call with any whole number as id is served, and the reply carries the id',
    requirements: ['2.1-id-echoed'],
    judge: nothingWrong('the id of the call', Object.keys(IDS), (played) => {
      const id = replyIn(played)?.id;
      const isOwn = String(id) === String(IDS[played.step.label]);
      return !isOwn && `the id ${id === undefined ? 'absent' : writeJson(id)}`;
    }),
    advice: 'Tell a number from an id that is absent, and copy it into the reply, in success and in error.',
    async play(world) {
      const envelope = { id: 0 };
      const { session } = await world.succeeds(world.signIn('authenticate with the id 0', {}, { envelope }));
      for (const [label, id] of Object.entries(NUMBERS))
        await world.succeeds(world.getPatient(label, session, { envelope: { id } }));
      await world.refuses(world.getPatient(REFUSED, world.session(), { envelope: { id: REFUSED_ID } }));
      const other = await world.linked();
      const next = world.session(other.session.user);
      await world.succeeds(world.saveAuthInfo('save with the id 0', next, other.userSign, { envelope }));
      await world.succeeds(world.removeAuthInfo('log out with the id 0', next, { envelope }));
    },
  }),
  flow('no-sign-in-of-its-own', {
    title: 'The EHR server offers no method with which an end user signs in or finds sessions',
    requirements: ['1-no-own-sign-in'],
    advice: 'Leave sign-in to the authorization server: a session comes from there alone.',
    async play(world) {
      const { user } = (await world.linked()).session;
      const params = { user, login: user, phone: '79990000001', code: '000000' };
      // By any code: whether the method or the cred is looked at first is left to the server.
      for (const method of SIGN_INS)
        await world.refuses(
          world.send(method, world.post(readCall({ method, params })), { mistake: method }),
        );
    },
  }),
];
