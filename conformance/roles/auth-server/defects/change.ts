/** A change to the right mock: to its parts, its way from a call to a reply, or its calls. */
import type { Context } from '#mock-auth-server/context.ts';
import type { TextPipeline } from '#protocol/methods/pipeline.ts';
import type { Ledger } from '../../../engine/defects/ledger.ts';
import type { TlsVariant } from '../self-test/certificates.ts';

/** The parts of a mock, which its changes replace. */
export type Mock = Context & {
  ledger: Ledger;
  /** The internal password. */
  password: string;
  /** Sends its calls to the EHR server. */
  send: typeof fetch;
};

/** Makes of a way of sending another one, which keeps what it notes in the ledger. */
export type Send = (send: typeof fetch, ledger: Ledger) => typeof fetch;

/**
 * The layers of a server's calls, from the wire inwards: it writes bytes, makes calls, watches how they end,
 * waits for the reply, takes another reply for it, and computes digests.
 */
export const LAYERS = ['bytes', 'calls', 'watches', 'waits', 'replaces', 'digests'] as const;
export type Layer = (typeof LAYERS)[number];

export type Change = {
  /** Settings of the mock by their environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** It uses https, and verifies the EHR server's certificate in this way; plain HTTP unless given. */
  readonly tls?: TlsVariant | undefined;
  /** Replaces parts, or functions of parts. */
  readonly parts?: (mock: Mock) => void;
  /** Replaces the way from the text of a call to its answer. */
  readonly pipeline?: (pipeline: TextPipeline, mock: Mock) => TextPipeline;
  /** Replaces the way in which it sends its calls to the EHR server. */
  readonly fetch?: Send | undefined;
  /** Where its calls are changed; `calls` unless given. */
  readonly layer?: Layer | undefined;
};

const layerOf = ({ layer = 'calls' }: Change) => LAYERS.indexOf(layer);

/** Both changes: parts are changed by the first before the second, and calls in the order of their layers. */
export function bothChanges(a: Change, b: Change): Change {
  const [first, second] = layerOf(a) <= layerOf(b) ? [a, b] : [b, a];
  const pipelines = [a.pipeline, b.pipeline].filter((change) => change !== undefined);
  const sends = [first.fetch, second.fetch].filter((change) => change !== undefined);
  return {
    env: { ...a.env, ...b.env },
    tls: a.tls ?? b.tls,
    parts(mock) {
      a.parts?.(mock);
      b.parts?.(mock);
    },
    pipeline: (pipeline, mock) => pipelines.reduce((inner, change) => change(inner, mock), pipeline),
    ...(sends.length > 0 && {
      fetch: (send, ledger) => sends.reduce((inner, change) => change(inner, ledger), send),
    }),
  };
}
