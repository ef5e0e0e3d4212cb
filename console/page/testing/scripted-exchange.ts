/** A scripted exchange for the tests of the page: Anna signs in and is linked. */
import type {
  LiveVerdict,
  Message,
  MessageDetail,
  Moment,
  PartyName,
  Row,
  State,
  StateChange,
  Time,
  Wire,
} from '../../api.ts';

export const START: Time = Date.UTC(2026, 0, 15, 9);

type Sketch = Partial<Message> & Pick<Message, 'method' | 'answer'>;

export function message(id: number, wire: Wire, atMs: number, tookMs: number, sketch: Sketch): Message {
  const [from, to] = wire.split('->') as [PartyName, PartyName];
  const beganAt = START + atMs;
  return {
    kind: 'message',
    id,
    wire,
    from,
    to,
    summary: '',
    outcome: 'done',
    person: 'anna',
    beganAt,
    endedAt: beganAt + tookMs,
    ...sketch,
  };
}

const remark = (id: number, atMs: number, text: string): Row => ({
  kind: 'remark',
  id,
  at: START + atMs,
  text,
});

/** The exchange up to the linked session. Message 7 runs within message 6, and 10 within 9. */
export const exchange: readonly Row[] = [
  remark(1, 0, 'Anna signs in with her phone'),
  message(2, 'client->auth', 20, 8, {
    method: 'auth.request_otp',
    summary: 'phone',
    answer: 'result',
    clause: '§1.8',
  }),
  message(3, 'client->auth', 900, 9, {
    method: 'auth.confirm_otp',
    summary: 'phone, code',
    answer: 'result: authInfo',
  }),
  message(4, 'client->ehr', 940, 3, {
    method: 'patient.get_patient',
    answer: 'not_authorized (-33000)',
    outcome: 'refused',
    clause: '§4.4',
  }),
  remark(5, 1_000, 'Anna asks for an exchange token'),
  message(6, 'client->auth', 1_010, 30, {
    method: 'auth.exchange_token',
    answer: 'result: exchangeToken',
    clause: '§1.4',
  }),
  message(7, 'auth->ehr', 1_015, 12, {
    method: 'embedded_storage.save_exchange_token',
    summary: 'exchangeToken, authInfo',
    answer: 'result: id',
    clause: '§4.2',
  }),
  message(8, 'client->ehr', 5_000, 14, {
    method: 'embedded_storage.authenticate',
    summary: 'exchangeToken, name, surname, date, phone',
    answer: 'result: patient, user_sign',
    clause: '§4.3',
  }),
  message(9, 'client->auth', 5_040, 25, {
    method: 'auth.report_link',
    summary: 'user_sign',
    answer: 'result',
  }),
  message(10, 'auth->ehr', 5_045, 10, {
    method: 'embedded_storage.save_auth_info',
    summary: 'authInfo',
    answer: 'no reply',
    outcome: 'broken',
    fault: 'reply-lost',
    clause: '§4.1',
  }),
];

export function manyRows(count: number): Row[] {
  return Array.from({ length: count }, (_, index) =>
    message(index + 1, index % 3 === 0 ? 'client->auth' : 'client->ehr', index * 50, 9, {
      method: index % 3 === 0 ? 'auth.request_otp' : 'patient.get_patient',
      answer: 'result',
    }),
  );
}

export const verdicts: readonly LiveVerdict[] = [
  {
    check: 'exchange-token-digest',
    party: 'auth',
    title: 'The digest is over the internal password followed by the exchange token.',
    clause: '§5.2',
    level: 'MUST',
    outcome: 'pass',
    message: 7,
    evidence: [7],
  },
  {
    check: 'calls-accepted',
    party: 'auth',
    title: 'Calls that nothing is wrong with on purpose are accepted by the EHR server',
    clause: '§1 rule 4, §3',
    level: 'MUST',
    outcome: 'fail',
    expected: 'a second save_auth_info with the same user and token',
    actual: 'none within the time limit',
    advice: 'Send the same save again until it is answered.',
    blame: 'auth server',
    message: 10,
    evidence: [9, 10],
  },
];

const TOKEN_MS = 600_000;
const DAY_MS = 86_400_000;

const user = '‹user 1›';
const tokenEndsAt = START + 1_015 + TOKEN_MS;
const token = { id: 't1', token: '‹exchange-token 1›', user, failures: 0, endsAt: tokenEndsAt, changedBy: 7 };
const session = { id: 's1', token: '‹session-token 1›', user, endsAt: START + DAY_MS, changedBy: 8 };

const tableWithRows = (
  party: 'auth' | 'ehr',
  table: State['tables'][number]['table'],
  rows: StateChange['row'][],
) => ({ party, table, rows, total: rows.length });

/** Both servers while the exchange token waits. */
export const pendingState: State = {
  at: START + 2_000,
  tables: [
    tableWithRows('ehr', 'exchangeTokens', [token]),
    tableWithRows('ehr', 'sessions', []),
    tableWithRows('ehr', 'links', []),
    tableWithRows('auth', 'sessions', [{ ...session, attribute: '+7 999 000-00-01', changedBy: 3 }]),
    tableWithRows('auth', 'correspondence', [{ id: 'c1', user, internalId: '1', signOnRecord: false }]),
  ],
};

/** Both servers after authenticate: the token is used up, session and link are there. */
export const linkedState: State = {
  at: START + 6_000,
  tables: [
    tableWithRows('ehr', 'exchangeTokens', []),
    tableWithRows('ehr', 'sessions', [session]),
    tableWithRows('ehr', 'links', [{ id: 'l1', user, person: 'anna', patient: 'p-1', changedBy: 8 }]),
    ...pendingState.tables.slice(3),
  ],
};

const changesOf: Readonly<Record<number, readonly StateChange[]>> = {
  7: [{ party: 'ehr', table: 'exchangeTokens', how: 'added', row: token }],
  8: [
    { party: 'ehr', table: 'exchangeTokens', how: 'removed', row: token },
    { party: 'ehr', table: 'sessions', how: 'added', row: session },
  ],
};

export function detailOf(row: Message): MessageDetail {
  const params = { exchangeToken: '‹exchange-token 1›' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: '1', method: row.method, params });
  const reply = { status: 200, headers: [], body: '{"jsonrpc":"2.0","result":{"id":"17"},"id":"1"}' };
  const headers = [['content-type', 'application/json']] as const;
  return {
    ...row,
    request: { method: 'POST', path: '/1.0-alpha/', headers, body },
    ...(!['broken', 'underWay'].includes(row.outcome) && { reply }),
    clauseText: 'Remembers the exchange token for 10 minutes, bound to the authInfo.',
    changes: changesOf[row.id] ?? [],
    verdicts: verdicts.filter(({ evidence }) => evidence.includes(row.id)),
    curl: `curl -X POST http://127.0.0.1:4100/1.0-alpha/ -d '${body}'`,
  };
}

export const moment: Moment = {
  version: 1,
  seed: 7,
  scenario: 'token-ends',
  step: 2,
  movedMs: 0,
  faults: [],
  skewMs: { client: 0, auth: 0, ehr: 500 },
};
