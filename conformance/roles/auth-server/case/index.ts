/** How a failing check of an authorization server is told as a case that stands alone. */
import type { CaseOpening, CaseRole } from '../../../engine/case/case-role.ts';
import { type Stand, Untellable } from '../../../engine/case/told.ts';
import { isManual } from '../../../engine/party/file/step-schema.ts';
import { choosePorts } from '../../../engine/party/process/ports.ts';
import { openRestarter } from '../../../engine/party/process/restarter.ts';
import { startServer } from '../../../engine/party/process/server-process.ts';
import { fillPorts } from '../adapter/file/fill-ports.ts';
import { loadAdapter } from '../adapter/file/load.ts';
import type { AuthVariant } from '../defects/defect.ts';
import { environmentOf, partsOf } from './parts.ts';
import { partyOf } from './variant.ts';

export const cases: CaseRole<AuthVariant> = {
  sides: { calls: ['client->auth', 'client->ehr'], party: ['client->auth'] },
  isAlike: false,
  standOf,
  async rightFor({ config, env, clock, seed, signal }) {
    const { settings } = await loadAdapter(config, env);
    const report = settings.steps.reportLink;
    const shape = report === undefined || 'absent' in report ? 'carried-sign' : 'mock';
    return partyOf({ id: shape, title: 'A right server', shape }, { clock, seed, signal });
  },
  variant: partyOf,
};

async function standOf({ config, env, clock, signal }: CaseOpening): Promise<Stand> {
  const loaded = await loadAdapter(config, env);
  const settings = await fillPorts(loaded.settings);
  const { ehr, otp, steps } = settings;
  if (ehr.tls)
    throw new Untellable(
      'The server calls its EHR server with TLS, and a script has no certificate. Please leave out ehr.tls, where the server may call plain HTTP.',
    );
  if (Object.values(steps).some((step) => step !== undefined && isManual(step)))
    throw new Untellable('A person does some of the steps of this server, and a script cannot do them.');
  const chosen = await choosePorts({ ehr: ehr.listen, sms: otp?.sink?.port ?? 0 });
  const ports = { ehr: chosen.ehr as number, sms: chosen.sms as number };
  const start = () =>
    startServer(
      { ...loaded, settings },
      {
        ...{ ehrUrl: `http://127.0.0.1:${ports.ehr}`, smsUrl: otp?.sink && `http://127.0.0.1:${ports.sms}` },
        ...{ clock, env, signal },
      },
    );
  let server = await start();
  const restart = async () => {
    await server?.stop();
    server = await start();
  };
  const restarter = await openRestarter(restart);
  return {
    parts: (told) => partsOf(settings, ports, told),
    env: { ...environmentOf(settings, ports), ...(server && { RESTART: restarter.command }) },
    // What a faulty server keeps of one script must not spoil the next one.
    ...(server && { reset: restart }),
    async close() {
      await restarter.close();
      await server?.stop();
    },
  };
}
