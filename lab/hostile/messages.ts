/** The messages between the processes of a hostile run. */

/** Ten connections, each of which sends one costly body a second. */
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
  /** The attacked server: by default the EHR server. */
  party?: Party;
  /** How other callers' latency is judged: `p50` by that in quiet, `p99` (the default) by a time. */
  judgedBy?: 'p50' | 'p99';
};

export type AttackName = keyof typeof ATTACKS;
export type Party = 'ehr' | 'auth';

/** Returns the row of an attack with its defaults filled in. */
export function attackOf(name: AttackName): Required<AttackRow> {
  return { party: 'ehr', judgedBy: 'p99', ...ATTACKS[name] };
}

/** Where calls go, the server's body limit, and a call with a known answer. */
export type Target = {
  port: number;
  path: string;
  bodyLimit: number;
  call: string;
  /** A text that the answer to the call contains. */
  answer: string;
};

export type AttackOrder = { attack: AttackName; connections: number; target: Target };

/** The outcome of an attack. */
export type AttackReport = {
  /** Connections that were opened, and that were still open at the end. */
  made: number;
  standing: number;
  failed: number;
  /** Replies by HTTP status. */
  replies: Record<string, number>;
};

export type CallerOrder = { target: Target; milliseconds: number; connections: number };

/** Latencies in milliseconds. */
export type Latencies = { calls: number; failed: number; p50: number; p99: number; max: number };
