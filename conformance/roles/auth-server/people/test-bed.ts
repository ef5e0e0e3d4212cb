/** Starts the kit's EHR server and the recording proxies of a run. */
import { readEhrConfig } from '#ehr-server/config.ts';
import { createEhr, type Ehr } from '#ehr-server/index.ts';
import { createMemoryMis } from '#ehr-server/mis/memory.ts';
import { TTL_UNIT_MS } from '#protocol/limits.ts';
import type { Clock } from '#protocol/time/clock.ts';
import { createLog } from '#service/process/log.ts';
import { Recorder } from '../../../engine/journal/recorder.ts';
import { Knowledge } from '../../../engine/journal/secrets/knowledge.ts';
import { type ProxyOptions, type RecordingProxy, startProxy } from '../../../engine/wire/proxy.ts';
import { measureSilences } from '../../../engine/wire/silences.ts';
import type { ServerTls } from '../../../engine/wire/tls-side.ts';
import { readTlsFiles } from '../adapter/file/load.ts';
import type { AdapterSettings } from '../adapter/file/schema/schema.ts';
import { PATIENT_COUNT, patientNumber, patientStems } from './patients.ts';
import { LongSigns, signatureRandom } from './signatures.ts';

export type TestBedParts = {
  loaded: { settings: Pick<AdapterSettings, 'ehr'> & { internal: { user: string; password: string } } };
  /** Certificates of the kit's EHR server; those of the adapter file unless given. */
  ehrTls?: ServerTls;
  /** From value to the name of the property; that of the kit's patients unless given. */
  patientData?: ReadonlyMap<string, string>;
  clock: Clock;
};

export type TestBed = {
  readonly recorder: Recorder;
  readonly ehrUrlForServer: string;
  readonly ehrPort: number;
  readonly ehrEndpoint: string;
  /** One recording proxy for each pair: who calls, and whom. */
  readonly proxies: {
    readonly authToEhr: RecordingProxy;
    readonly clientToEhr: RecordingProxy;
    readonly clientToAuth: RecordingProxy;
  };
  readonly longSigns: LongSigns;
  /** Measures the silences: times in which the kit's own event loop stood still. Ends with the test bed. */
  readonly silences: Pick<ReturnType<typeof measureSilences>, 'longest' | 'pause'>;
  close(): Promise<void>;
};

/** Nothing listens at port 9, to which the proxy points until its target is known. */
const NOWHERE = 'http://127.0.0.1:9';

export async function openTestBed(parts: TestBedParts): Promise<TestBed> {
  const { clock, patientData = patientStems, loaded } = parts;
  const { internal, ehr: shown } = loaded.settings;
  const tls = parts.ehrTls ?? (shown.tls && readTlsFiles(shown.tls, clock.now()));
  const longSigns = new LongSigns();
  const ehr = await startReferenceEhr(parts, longSigns);
  const knowledge = new Knowledge(internal.user, internal.password, patientData);
  knowledge.ttlsPerMinute = TTL_UNIT_MS.minutes / TTL_UNIT_MS[shown.ttlUnit];
  const recorder = new Recorder(clock, knowledge);
  const silences = measureSilences(clock, (took) => recorder.silence(took));
  const started: RecordingProxy[] = [];
  const close = async () => {
    silences.stop();
    await Promise.all(started.map((proxy) => proxy.stop()));
    await ehr.stop();
  };
  const proxy = async (options: Omit<ProxyOptions, 'recorder' | 'clock'>) => {
    const one = await startProxy({ ...options, recorder, clock });
    started.push(one);
    return one;
  };
  try {
    const authToEhr = await proxy({
      link: 'auth->ehr',
      target: ehr.internalUrl,
      host: shown.host,
      port: shown.listen,
      tls,
      // The interface names no Content-Type.
      asJson: true,
    });
    const clientToEhr = await proxy({ link: 'client->ehr', target: ehr.url, port: 0 });
    const clientToAuth = await proxy({ link: 'client->auth', target: NOWHERE, port: 0 });
    return {
      recorder,
      ehrUrlForServer: authToEhr.url,
      ehrPort: Number(new URL(ehr.url).port),
      ehrEndpoint: clientToEhr.url + ehr.endpoint.slice(ehr.url.length),
      proxies: { authToEhr, clientToEhr, clientToAuth },
      longSigns,
      silences,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function startReferenceEhr({ loaded, clock }: TestBedParts, longSigns: LongSigns): Promise<Ehr> {
  const { internal, ehr } = loaded.settings;
  const config = readEhrConfig([], {
    EHR_PORT: '0',
    EHR_INTERNAL_PORT: '0',
    EHR_DATABASE: ':memory:',
    EHR_API_VERSION: ehr.apiVersion,
    EHR_TTL_UNIT: ehr.ttlUnit,
    EHR_INTERNAL_USER: internal.user,
    EHR_INTERNAL_PASSWORD: internal.password,
    EHR_ORIGINS: '',
    // The interface names no longest ttl, so the kit's EHR server takes any.
    EHR_MAX_TTL: '100000000000',
    // The kit makes the requests of many people from one address.
    EHR_RATE_LIMIT: 'off',
  });
  if (!config) throw new Error('No settings were read.');
  const mis = createMemoryMis(Array.from({ length: PATIENT_COUNT }, (_, index) => patientNumber(index)));
  return createEhr({
    config,
    clock,
    random: signatureRandom(longSigns),
    log: createLog('ehr-server', 'silent'),
    mis: longSigns.noting(mis),
  });
}
