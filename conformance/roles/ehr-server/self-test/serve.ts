/**
 * Serves the reference EHR server in the kit's own process, with its state in memory and the changes of a
 * defect.
 */
import { createServer, type RequestListener } from 'node:http';
import { type EhrConfig, readEhrConfig } from '#ehr-server/config.ts';
import type { EhrRules } from '#ehr-server/context.ts';
import { createHandler } from '#ehr-server/handle.ts';
import { httpListener } from '#ehr-server/http.ts';
import { createMemoryMis } from '#ehr-server/mis/memory.ts';
import type { Mis } from '#ehr-server/mis/mis.ts';
import { memoryStore } from '#ehr-server/store/memory.ts';
import type { Store } from '#ehr-server/store/store.ts';
import { allPersonaPatients } from '#mis-fixtures/personas.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { onText, type Pipeline, type TextPipeline } from '#protocol/methods/pipeline.ts';
import { type Clock, movableClock, systemClock } from '#protocol/time/clock.ts';
import { type Random, systemRandom } from '#protocol/time/random.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import { createLog, type Log, logCall } from '#service/process/log.ts';
import { Ledger } from '../../../engine/defects/ledger.ts';
import { seenBy } from '../../../engine/defects/operators.ts';
import { OwnOutput } from '../../../engine/defects/output.ts';
import { bindServer } from '../../../engine/wire/bind.ts';
import { readEhrCalls } from '../defects/methods.ts';

/** The parts of the server that a defect may change. */
export type EhrServerParts = {
  /** The links, sessions and exchange tokens. */
  store: Store;
  /** The search for patients. */
  mis: Mis;
  clock: Clock;
  random: Random;
  /** The settings that decide how calls are answered. */
  rules: EhrRules;
  /** Every call with its right reply: defects look up here what went before. */
  seen: Ledger;
  /** Writes a line to the output of the server. */
  print: (line: string) => void;
  /** Its log, which it writes there. */
  log: Log;
  /** The internal password. */
  password: string;
};

/** A defect, or a harmless difference. Each function gets a part of the right server and returns its own. */
export type EhrChange = {
  /** Replaces parts beneath the methods. */
  parts?: (parts: EhrServerParts) => Partial<EhrServerParts>;
  /** Changes whom the server knows. */
  patients?: (patients: readonly Patient[]) => readonly Patient[];
  /** Changes how a body is answered: JSON text in, JSON text out. */
  pipeline?: (pipeline: TextPipeline, parts: EhrServerParts) => TextPipeline;
  /** Changes how HTTP requests are answered, on one of the two channels. */
  http?: (listener: RequestListener, channel: 'public' | 'internal') => RequestListener;
  /** Changes the parts at a restart: what the server forgets. It forgets nothing unless given. */
  forget?: (parts: EhrServerParts) => EhrServerParts;
  /** Credentials of the internal channel; {@link INTERNAL} unless given. */
  internal?: typeof INTERNAL;
  /** Keys of the kit's file about the server that differ. */
  settings?: Readonly<Record<string, unknown>>;
};

/** A server that is served. `url` and `internalUrl` have the version segment. */
export type ServedEhr = {
  url: string;
  internalUrl: string;
  /** Passes on each line that the server writes. */
  output(take: (line: string) => void): void;
  /** Moves the server's clock forward. */
  advance(ms: number): void;
  /** Imitates a restart: the parts stay, but for what the change forgets. */
  restart(): void;
  close(): Promise<void>;
};

/**
 * The credentials of the internal channel. The password protects nothing. It has blanks around it, and
 * letters beyond ASCII: a digest over another form of it must differ.
 */
export const INTERNAL = { user: 'self-test-internal', password: ' self-test pässword-ключ ' };
/** The web origin whose pages may call. */
export const ORIGIN = 'http://localhost:4300';
const VERSION = '1.0-alpha';

const configFor = (origin: string, { user, password }: typeof INTERNAL): EhrConfig =>
  readEhrConfig([], {
    EHR_INTERNAL_USER: user,
    EHR_INTERNAL_PASSWORD: password,
    EHR_ORIGINS: origin,
  }) as EhrConfig;

/** A patient who must never match. */
export const INACTIVE = { name: 'Vera', surname: 'Zimina', date: '1931-03-03', phone: '79990000031' };

const { date, phone, ...names } = INACTIVE;
const inactive = { birthdate: `${date}T00:00:00.000Z`, phones: [phone], active: false, isActive: false };

const population: readonly Patient[] = [
  ...allPersonaPatients,
  // The record of a persona supplies the members that this patient need not differ in.
  { ...(allPersonaPatients[0] as Patient), id: 'p-inactive', ...names, ...inactive },
];

/** The web origin whose pages may call: that of the file. */
const originOf = ({ settings }: EhrChange): string =>
  typeof settings?.origin === 'string' ? settings.origin : ORIGIN;

/** Serves the server on two free ports. @param origin the web origin whose pages may call */
export async function serveEhr(change: EhrChange = {}, origin = originOf(change)): Promise<ServedEhr> {
  const credentials = change.internal ?? INTERNAL;
  const config = configFor(origin, credentials);
  const clock = movableClock(systemClock);
  const patients = change.patients?.(population) ?? population;
  const seen = new Ledger(readEhrCalls);
  const output = new OwnOutput();
  const { print } = output;
  const { password } = credentials;
  const log = createLog('ehr-server', 'info', { write: print });
  const lookup = { mis: createMemoryMis(patients), rules: config };
  const right = { store: memoryStore(), clock, random: systemRandom, seen, print, log, password, ...lookup };
  let parts: EhrServerParts = { ...right, ...change.parts?.(right) };
  let pipeline = pipelineOf(parts, change);
  // Looked up at each call: a restart replaces the pipeline.
  const answer: Pipeline = ({ text }, channel) => pipeline(text, channel);
  const listeners = (['public', 'internal'] as const).map((channel) => {
    const listener = httpListener({ config, pipeline: answer, channel, log, ready: async () => undefined });
    return change.http?.(listener, channel) ?? listener;
  });
  const [open, internal] = await Promise.all(
    listeners.map((listener) => bindServer(createServer(listener), '127.0.0.1', 0)),
  );
  if (!open || !internal) throw new Error('Both listeners are needed.');
  return {
    url: `${open.url}/${VERSION}/`,
    internalUrl: `${internal.url}/${VERSION}/`,
    output: output.passTo,
    advance: (ms) => clock.advance(ms),
    restart() {
      parts = change.forget?.(parts) ?? parts;
      pipeline = pipelineOf(parts, change);
    },
    async close() {
      await Promise.all([open.stop(), internal.stop()]);
    },
  };
}

/** Builds what answers bodies: the handler, the ledger that sees its calls, and the change above both. */
function pipelineOf(parts: EhrServerParts, change: EhrChange): TextPipeline {
  const { rules, seen, log, ...others } = parts;
  const pipeline = seenBy(
    seen,
    onText(createHandler({ ...others, config: rules }, (report) => logCall(log, report, ehrMethods))),
  );
  return change.pipeline?.(pipeline, parts) ?? pipeline;
}
