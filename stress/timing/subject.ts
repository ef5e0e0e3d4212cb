/** What is timed: an EHR server, its pipeline in-process, and beside them the leaky pipeline, all on one database with known contents. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INTERNAL_PASSWORD, INTERNAL_USER, personaMis, testEnvironment } from '#e2e/fixtures.ts';
import { endpointPath, readEhrConfig } from '#ehr-server/config.ts';
import type { Context } from '#ehr-server/context.ts';
import { createHandler } from '#ehr-server/handle.ts';
import { httpListener } from '#ehr-server/http.ts';
import { createEhr } from '#ehr-server/index.ts';
import { openStore } from '#ehr-server/store/open-store.ts';
import { personas, propertiesOf } from '#mis-fixtures/personas.ts';
import { systemClock } from '#protocol/clock.ts';
import { digest } from '#protocol/digest.ts';
import type { EhrMethod } from '#protocol/ehr-methods.ts';
import { callText } from '#protocol/envelope.ts';
import type { Pipeline } from '#protocol/pipeline.ts';
import { type Random, randomToken } from '#protocol/random.ts';
import { listen } from '#service/listener.ts';
import { createLog } from '#service/log.ts';
import { leakyPipeline } from './leaky.ts';

/** What the server holds, and names as long as those that it does not know. */
export type Facts = {
  internalUser: string;
  unknownInternalUser: string;
  password: string;
  linkedUser: string;
  unlinkedUser: string;
  /** Holds no session; the tokens are another's. */
  stranger: string;
  tokens: readonly string[];
  userSign: string;
};

export type Subject = {
  facts: Facts;
  /** The same calls against the server itself and against the positive control. */
  pipelines: { server: Pipeline; control: Pipeline };
  endpoints: { server: string; control: string };
  stop(): Promise<void>;
};

const SESSIONS = 10_000;
const TEN_YEARS = 5_259_600;

/** Starts the server with one linked user who holds many sessions. */
export async function startSubject(random: Random): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'timing-'));
  const env = { ...testEnvironment, EHR_DATABASE: join(folder, 'ehr.sqlite'), EHR_RATE_LIMIT: 'off' };
  const config = readEhrConfig([], env);
  if (!config) throw new Error('No settings were read.');
  const log = createLog('ehr-server', 'silent');
  const parts = { config, clock: systemClock, random, log };
  const ehr = await createEhr({ ...parts, mis: personaMis() });
  const mis = personaMis();
  const store = await openStore(config);
  const context: Context = { store, mis, clock: systemClock, random, config };
  const pipelines = { server: createHandler(context, () => undefined), control: leakyPipeline(context) };
  const control = await listen(
    httpListener({ config, pipeline: pipelines.control, channel: 'any', log, ready: () => Promise.resolve() }),
    { host: '127.0.0.1', port: 0, clock: systemClock },
  );
  return {
    facts: await populate(pipelines.server, random),
    pipelines,
    endpoints: { server: ehr.endpoint, control: control.url + endpointPath(config.apiVersion) },
    async stop() {
      await Promise.all([ehr.stop(), control.stop()]);
      await store.close();
      await mis.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function populate(pipeline: Pipeline, random: Random): Promise<Facts> {
  const call = async (method: EhrMethod, params: object, secret: string) => {
    const cred = { user: INTERNAL_USER, token: digest(INTERNAL_PASSWORD, secret) };
    const reply = JSON.parse((await pipeline(callText({ id: 1, method, params, cred }), 'any')).body ?? '');
    if (reply.error) throw new Error(`Failed to prepare the server: ${method} was refused (${reply.error.message})`);
    return reply.result;
  };
  const linkedUser = 'u-anna';
  const session = () => ({ user: linkedUser, token: randomToken(random), ttl: TEN_YEARS });
  const exchangeToken = randomToken(random);
  await call('embedded_storage.save_exchange_token', { exchangeToken, authInfo: session() }, exchangeToken);
  const patientProperties = propertiesOf(personas.anna);
  const { userSign } = await call('embedded_storage.authenticate', { exchangeToken, patientProperties }, '');
  const sessions = Array.from({ length: SESSIONS }, session);
  await Promise.all(
    sessions.map((authInfo) => call('embedded_storage.save_auth_info', { authInfo }, userSign as string)),
  );
  return {
    internalUser: INTERNAL_USER,
    unknownInternalUser: `${INTERNAL_USER.slice(0, -1)}_`,
    password: INTERNAL_PASSWORD,
    linkedUser,
    unlinkedUser: 'u-vera',
    stranger: 'u-oleg',
    tokens: sessions.map(({ token }) => token),
    userSign,
  };
}
