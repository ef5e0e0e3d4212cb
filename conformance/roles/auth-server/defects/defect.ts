/** Makes variants of the mock of the lists of defects and harmless variants. */

import type { RequestListener } from 'node:http';
import type { Context } from '#mock-auth-server/context.ts';
import type { TextPipeline } from '#protocol/methods/pipeline.ts';
import type { Ledger } from '../../../engine/defects/ledger.ts';
import { defectsOf, type List, type Lists, variantsOf } from '../../../engine/defects/rows.mjs';
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

type DefectChange = Change & {
  /** Changes of the adapter file with which the kit drives the variant. */
  readonly file?: FileChange | undefined;
};

type FileChange = {
  /** Requests a second that the variant accepts from one address. */
  requestsPerSecond?: number;
  /** The unit of ttl in which the variant counts. */
  ttlUnit?: 'seconds';
  /** Codes a minute that the variant sends to one address. */
  perMinute?: number;
  /** Codes a day that the variant sends to one phone. */
  perDay?: number;
  /** The only phones that the variant knows. */
  phones?: readonly string[];
};

export type AuthVariant = DefectChange & {
  readonly id: string;
  /** What this server does, as one plain sentence. */
  readonly title: string;
};

export type Defect = AuthVariant & {
  /** The id of the check that must find the defect. */
  readonly caughtBy: string;
};

/** A variant that is just as right as its right server: no check may report it. */
export type Harmless = AuthVariant & {
  /** The ids of checks that cannot be played with the adapter file of the variant. */
  readonly notPlayable?: readonly string[];
  /** The ids of checks of recommendations that must find the difference, which is a warning. */
  readonly told?: readonly string[];
};

/** Makes the defects of lists whose keys are the checks that must find them. */
export const foundBy = (lists: Lists<Change>): Defect[] => defectsOf(lists);

/** Makes harmless variants of a list: a text `id: title` begins a variant; its changes follow. */
export const harmlessOf = (list: List<Omit<Harmless, 'id' | 'title'>>): Harmless[] => variantsOf(list);
