/** What the processes of a hostile run say to each other. */

export const ATTACKS = {
  idle: { connections: 10_000, what: 'connections that are opened and never used' },
  'slow-headers': { connections: 2_000, what: 'a header line a second, and never the last' },
  'slow-bodies': { connections: 2_000, what: 'a byte of a large body a second' },
  'half-closed': { connections: 200, what: 'calls, whole and cut short, whose sender has closed his side' },
  'oversized-headers': { connections: 100, what: '64 KiB of headers, again and again' },
  pipelining: { connections: 16, what: 'a hundred calls in one write, again and again' },
  'large-bodies': { connections: 200, what: 'bodies of 2 MB, again and again' },
  'never-read': { connections: 500, what: 'calls without end, and no reply is read' },
} as const satisfies Record<string, { connections: number; what: string }>;

export type AttackName = keyof typeof ATTACKS;

/** Where calls go, and one that succeeds. */
export type Target = { port: number; path: string; call: string };

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
