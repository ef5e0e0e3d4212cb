/** What the processes of a hostile run say to each other. */

/** Ten connections, each of which sends one a second. */
const COSTLY = { connections: 10, judgedBy: 'p50' } as const;

export const ATTACKS = {
  idle: { connections: 10_000, what: 'connections that are opened and never used' },
  'slow-headers': { connections: 2_000, what: 'a header line a second, and never the last' },
  'slow-bodies': { connections: 2_000, what: 'a byte of a large body a second' },
  'half-closed': { connections: 200, what: 'calls, whole and cut short, whose sender has closed his side' },
  'oversized-headers': { connections: 100, what: '64 KiB of headers, again and again' },
  pipelining: { connections: 16, what: 'a hundred calls in one write, again and again' },
  'large-bodies': { connections: 200, what: 'bodies of 2 MB, again and again' },
  'never-read': { connections: 500, what: 'calls without end, and no reply is read' },
  'costly-bodies': { ...COSTLY, what: 'a body of 1 MiB a second that is dear to parse' },
  'costly-bodies-auth': {
    ...COSTLY,
    party: 'auth',
    what: 'the same against the authorization server, of the 64 KiB that it reads',
  },
} as const satisfies Record<string, AttackRow>;

type AttackRow = {
  connections: number;
  what: string;
  /** The server that is attacked; the EHR server unless it says otherwise. */
  party?: Party;
  /** Which times of other callers are held against the limit; `p99` unless it says otherwise. */
  judgedBy?: 'p50' | 'p99';
};

export type AttackName = keyof typeof ATTACKS;
export type Party = 'ehr' | 'auth';

/** A row of the attacks with what it leaves unsaid. */
export function attackOf(name: AttackName): Required<AttackRow> {
  return { party: 'ehr', judgedBy: 'p99', ...ATTACKS[name] };
}

/** Where calls go, how much of a body is read there, and a call that is answered as expected. */
export type Target = {
  port: number;
  path: string;
  bodyLimit: number;
  call: string;
  /** What stands in the answer to the call. */
  answer: string;
};

export type AttackOrder = { attack: AttackName; connections: number; target: Target };

/** What came of an attack. */
export type AttackReport = {
  /** Connections that were made, and that stood at the end. */
  made: number;
  standing: number;
  failed: number;
  /** By HTTP status. */
  replies: Record<string, number>;
};

export type CallerOrder = { target: Target; milliseconds: number; connections: number };

/** Times in milliseconds. */
export type Latencies = { calls: number; failed: number; p50: number; p99: number; max: number };
