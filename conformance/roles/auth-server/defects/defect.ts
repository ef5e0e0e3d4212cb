/** Makes variants of the mock of the lists of defects and harmless variants. */
import type { RequestListener } from 'node:http';
import type { Context } from '#mock-auth-server/context.ts';
import type { TextPipeline } from '#protocol/methods/pipeline.ts';
import type { Ledger } from '../../../engine/defects/ledger.ts';
import { defectsOf, type List, type Lists, variantsOf } from '../../../engine/defects/rows.mjs';
import type { TlsVariant } from '../self-test/certificates.ts';

export type Mock = Context & {
  ledger: Ledger;
  password: string;
  send: typeof fetch;
  print: (line: string) => void;
};

/** Wraps the function that sends calls to the EHR server. What it must remember it notes in the ledger. */
export type Send = (send: typeof fetch, ledger: Ledger) => typeof fetch;

export type Change = {
  readonly env?: Readonly<Record<string, string>>;
  /** Has the mock call the EHR server over https and verify its certificate in this way; else plain HTTP. */
  readonly tls?: TlsVariant | undefined;
  /** Replaces parts of the mock, or functions of its parts, when the mock starts. */
  readonly parts?: (mock: Mock) => void;
  readonly pipeline?: (pipeline: TextPipeline, mock: Mock) => TextPipeline;
  readonly http?: (listener: RequestListener, mock: Mock) => RequestListener;
  readonly fetch?: Send | undefined;
};

type DefectChange = Change & { readonly file?: FileChange | undefined };

type FileChange = {
  requestsPerSecond?: number;
  ttlUnit?: 'seconds';
  perMinute?: number;
  perDay?: number;
  phones?: readonly string[];
};

export type AuthVariant = DefectChange & { readonly id: string; readonly title: string };

export type Defect = AuthVariant & { readonly caughtBy: string };

/** A variant that is just as right as its right server: no check may report it. */
export type Harmless = AuthVariant & {
  readonly notPlayable?: readonly string[];
  /** The ids of checks of recommendations that must find the difference, which is a warning. */
  readonly told?: readonly string[];
};

export const foundBy = (lists: Lists<Change>): Defect[] => defectsOf(lists);

/** Makes harmless variants of a list: a text `id: title` begins a variant; its changes follow. */
export const harmlessOf = (list: List<Omit<Harmless, 'id' | 'title'>>): Harmless[] => variantsOf(list);
