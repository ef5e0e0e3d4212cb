/** Serves the reference EHR server in this process, with its state in memory and the changes of a defect. */
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
import { GENDERS } from '#protocol/wire/matching.ts';
import { createLog, type Log, logCall } from '#service/process/log.ts';
import { BufferedOutput } from '../../../engine/defects/buffered-output.ts';
import { Ledger, type Reading } from '../../../engine/defects/ledger.ts';
import { seenBy } from '../../../engine/defects/operators.ts';
import type { Run } from '../../../engine/journal/run-file.ts';
import { bindServer } from '../../../engine/wire/bind.ts';
import { ehrFlows } from '../flows/index.ts';
import { type ControlInProcess, type EhrRun, openEhrRun } from '../run.ts';
import { ehrFileSchema, type LoadedEhrFile } from '../settings.ts';
import { METHODS } from '../world/messages.ts';

export type EhrServerParts = {
  store: Store;
  mis: Mis;
  clock: Clock;
  random: Random;
  rules: EhrRules;
  /** Every call with its right reply: defects look up here what went before. */
  seen: Ledger;
  /** Writes a line to the output of the server. */
  print: (line: string) => void;
  log: Log;
  password: string;
};

export type EhrChange = {
  parts?: (parts: EhrServerParts) => Partial<EhrServerParts>;
  patients?: (patients: readonly Patient[]) => readonly Patient[];
  /** Changes how a body is answered: JSON text in, JSON text out. */
  pipeline?: (pipeline: TextPipeline, parts: EhrServerParts) => TextPipeline;
  /** Changes how HTTP requests are answered, on one of the two channels. */
  http?: (listener: RequestListener, channel: 'public' | 'internal') => RequestListener;
  forget?: (parts: EhrServerParts) => EhrServerParts;
  settings?: Readonly<Record<string, unknown>>;
};

type ServedEhr = {
  url: string;
  internalUrl: string;
  /** Its restart is an imitation: the parts stay, but for what the change forgets. */
  control: ControlInProcess;
  close(): Promise<void>;
};

/** Blanks and letters beyond ASCII: a digest over another form of the password must differ. */
export const INTERNAL = { user: 'self-test-internal', password: ' self-test pässword-ключ ' };
const ORIGIN = 'http://localhost:4300';
const VERSION = '1.0-alpha';

const INACTIVE = { name: 'Vera', surname: 'Zimina', date: '1931-03-03', phone: '79990000031' };

const DECEASED = { name: 'Egor', surname: 'Zorin', date: '1928-02-01', phone: '79990000032' };

/** The record of a persona supplies the members that this patient need not differ in. */
function patientOf({ date, phone, ...names }: typeof INACTIVE): Patient {
  const born = { birthdate: `${date}T00:00:00.000Z`, phones: [phone] };
  return { ...(allPersonaPatients[0] as Patient), id: `p-${names.name}`, ...names, ...born };
}

const population: readonly Patient[] = [
  ...allPersonaPatients,
  { ...patientOf(INACTIVE), active: false, isActive: false },
  { ...patientOf(DECEASED), deceased: true },
];

/** `origin`: the web origin whose pages may call. */
export async function serveEhr(change: EhrChange, origin = ORIGIN): Promise<ServedEhr> {
  const { password } = INTERNAL;
  const config = readEhrConfig([], {
    EHR_INTERNAL_USER: INTERNAL.user,
    EHR_INTERNAL_PASSWORD: password,
    EHR_ORIGINS: origin,
  }) as EhrConfig;
  const clock = movableClock(systemClock);
  const patients = change.patients?.(population) ?? population;
  const seen = new Ledger(readEhrCalls);
  const output = new BufferedOutput();
  const { print } = output;
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
    control: {
      output: output.passTo,
      advance: async (ms) => clock.advance(ms),
      async restart() {
        parts = change.forget?.(parts) ?? parts;
        pipeline = pipelineOf(parts, change);
      },
    },
    async close() {
      await Promise.all([open.stop(), internal.stop()]);
    },
  };
}

function pipelineOf(parts: EhrServerParts, change: EhrChange): TextPipeline {
  const { rules, seen, log, ...others } = parts;
  const pipeline = seenBy(
    seen,
    onText(createHandler({ ...others, config: rules }, (report) => logCall(log, report, ehrMethods))),
  );
  return change.pipeline?.(pipeline, parts) ?? pipeline;
}

/** What the ledger, the memory of all defects, learns from a call that succeeded. */
const readEhrCalls: Reading = ({ method, params, cred, authInfo, result }, ledger) => {
  const isSave = method === METHODS.saveAuthInfo || method === METHODS.saveExchangeToken;
  // It names no user: the exchange token does.
  const isSearch = method === METHODS.authenticate;
  const exchangeToken = params.exchangeToken === undefined ? undefined : String(params.exchangeToken);
  const user = isSearch ? ledger.exchangeTokens.get(exchangeToken ?? '')?.user : String(cred.user);
  return {
    session: isSave ? { user: String(authInfo.user), token: String(authInfo.token) } : undefined,
    exchangeToken,
    used: isSearch ? exchangeToken : undefined,
    link: user !== undefined && 'patient' in result ? { user, result } : undefined,
  };
};

export const PEOPLE = {
  matching: [
    { name: 'Anna', surname: 'Petrova', date: '1985-04-12', phone: '79990000001', gender: GENDERS.female },
    { name: 'Ivan', surname: 'Sidorov', date: '2000-02-29', phone: '79990000002', gender: GENDERS.male },
    { name: 'Oleg', surname: 'Sidorov', date: '2000-02-29', phone: '79990000002', gender: GENDERS.male },
    { name: 'Пётр', surname: 'Алёшин', date: '1979-12-31', phone: '79990000005', gender: GENDERS.male },
    { name: 'Rufus', surname: 'Shields', date: '1945-08-15', phone: '8065931458', medCardId: '123456' },
    { name: 'Борис', surname: 'Орлов', date: '1991-07-20', phone: '79990000008' },
  ],
  ambiguous: { name: 'Maria', surname: 'Ivanova', date: '1990-01-01', phone: '79990000004' },
  inactive: [INACTIVE, DECEASED],
};

type PlayOptions = { clock?: Clock; seed?: number; signal?: AbortSignal; scenarios?: readonly string[] };

export function playEhr(change: EhrChange, options: PlayOptions = {}): Promise<Run> {
  const { scenarios } = options;
  return onServed(change, options, async (run) => {
    await run.playAll(ehrFlows.filter(({ id }) => scenarios?.includes(id) ?? true));
    const entries = run.recorder.entries();
    return { meta: run.meta({ tool: 'self-test', finished: true }), entries };
  });
}

export async function onServed<T>(
  change: EhrChange,
  { clock = systemClock, seed = 1, signal = new AbortController().signal }: PlayOptions,
  act: (run: EhrRun) => Promise<T>,
): Promise<T> {
  const served = await serveEhr(change);
  const { control } = served;
  const loaded = fileFor(served, change.settings);
  const random = systemRandom;
  const run = await openEhrRun({ loaded, clock, seed, random, env: {}, signal, slow: false, control });
  try {
    return await act(run);
  } finally {
    await run.close();
    await served.close();
  }
}

function fileFor({ url, internalUrl }: ServedEhr, changes: EhrChange['settings'] = {}): LoadedEhrFile {
  const data = {
    name: 'The reference EHR server',
    server: { url },
    internalUrl,
    internal: { ...INTERNAL, insecureLiteral: true },
    origin: ORIGIN,
    people: PEOPLE,
    ...changes,
  };
  const settings = ehrFileSchema(() => undefined).parse(data);
  return { file: 'self-test', settings, secrets: [settings.internal.password] };
}
