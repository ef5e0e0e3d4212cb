/** What a defect or a harmless variant of the mock may change. */
import type { RequestListener } from 'node:http';
import type { Context } from '#mock-auth-server/context.ts';
import type { TextPipeline } from '#protocol/methods/pipeline.ts';
import type { Variant } from '../../../engine/defects/catalogue.ts';
import { defect as defectOf, harmless as harmlessOf } from '../../../engine/defects/defect.mjs';
import type { Ledger } from '../../../engine/defects/ledger.ts';
import type { AdapterSettings } from '../adapter/file/schema/schema.ts';
import type { TlsVariant } from '../self-test/certificates.ts';

export type Mock = Context & {
  seen: Ledger;
  password: string;
  send: typeof fetch;
  print: (line: string) => void;
};

/** Wraps the function that sends calls to the EHR server. What it must remember it notes in the ledger. */
export type Send = (send: typeof fetch, seen: Ledger) => typeof fetch;

export type Change = {
  readonly env?: Readonly<Record<string, string>>;
  /** Has the mock call the EHR server over https and verify its certificate in this way; else plain HTTP. */
  readonly tls?: TlsVariant | undefined;
  /** Replaces parts of the mock, or functions of its parts, when the mock starts. */
  readonly parts?: (mock: Mock) => void;
  readonly pipeline?: (pipeline: TextPipeline, mock: Mock) => TextPipeline;
  readonly http?: (listener: RequestListener, mock: Mock) => RequestListener;
  readonly fetch?: Send | undefined;
  /** Replaces keys of the adapter file. */
  readonly file?: (settings: AdapterSettings) => Partial<AdapterSettings>;
};

export type AuthVariant = Variant & Change;

export const defect = defectOf<Change>;
export const harmless = harmlessOf<Change>;
