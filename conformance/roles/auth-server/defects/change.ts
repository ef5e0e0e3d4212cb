/** A change of the right mock authorization server, which makes a defect or a harmless variant. */
import type { RequestListener } from 'node:http';
import type { Context } from '#mock-auth-server/context.ts';
import type { TextPipeline } from '#protocol/methods/pipeline.ts';
import type { Ledger } from '../../../engine/defects/ledger.ts';
import type { TlsVariant } from '../self-test/certificates.ts';

export type Mock = Context & {
  /** The record of the calls that the mock has answered, and the notes of its defects. */
  ledger: Ledger;
  /** The internal password of the mock at the EHR server. */
  password: string;
  /** Sends the calls of the mock to the EHR server. */
  send: typeof fetch;
  /** Writes a line to the output of the mock. */
  print: (line: string) => void;
};

/** Wraps the function that sends calls to the EHR server. What it must remember it notes in the ledger. */
export type Send = (send: typeof fetch, ledger: Ledger) => typeof fetch;

export type Change = {
  /** Settings of the mock, by environment variable. */
  readonly env?: Readonly<Record<string, string>>;
  /** Has the mock call the EHR server over https and verify its certificate in this way; else plain HTTP. */
  readonly tls?: TlsVariant | undefined;
  /** Replaces parts of the mock, or functions of its parts, when the mock starts. */
  readonly parts?: (mock: Mock) => void;
  /** Wraps the function that answers the text of a client's call. */
  readonly pipeline?: (pipeline: TextPipeline, mock: Mock) => TextPipeline;
  /** Wraps the function that answers the HTTP requests of clients. */
  readonly http?: (listener: RequestListener, mock: Mock) => RequestListener;
  /** Wraps the function that sends the calls of the mock to the EHR server. */
  readonly fetch?: Send | undefined;
};
