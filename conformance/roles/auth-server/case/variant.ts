/** An authorization server of the self-test as a party of a case. */
import { type CaseParty, Untellable } from '../../../engine/case/told.ts';
import type { PlayOptions } from '../../../engine/defects/catalogue.ts';
import { choosePorts } from '../../../engine/party/process/ports.ts';
import { openRestarter } from '../../../engine/party/process/restarter.ts';
import { fillPorts } from '../adapter/file/fill-ports.ts';
import type { AuthVariant } from '../defects/defect.ts';
import { scenarios } from '../flows/index.ts';
import { playVariant, withFile } from '../self-test/self-test.ts';
import { shapes } from '../self-test/shapes.ts';
import { environmentOf, partsOf } from './parts.ts';

/** The party that a variant is. @throws Untellable for a variant whose fault is one of certificates */
export function partyOf(variant: AuthVariant, options: PlayOptions): CaseParty {
  const { clock, seed } = options;
  return {
    play: (check, tap) =>
      playVariant(
        variant,
        scenarios.filter(({ id }) => check.scenarios.includes(id)),
        { ...options, tap },
        [check],
      ),
    async stand() {
      const { tls, ...plain } = variant;
      if (tls !== undefined && tls !== 'checked')
        throw new Untellable('The fault is one of certificates: a script has none.');
      const shape = shapes[variant.shape ?? 'mock'];
      const ports = (await choosePorts({ ehr: 0, sms: 0 })) as { ehr: number; sms: number };
      const [ehrUrl, smsUrl] = [ports.ehr, ports.sms].map((port) => `http://127.0.0.1:${port}`) as [
        string,
        string,
      ];
      const { settings } = withFile(await shape.load(), variant.file ?? {});
      const serve = async () => {
        const served = await shape.serve(plain, { ehrUrl, smsUrl, clock, seed });
        return { ...served, settings: await fillPorts({ ...settings, ports: served.ports }) };
      };
      let served = await serve();
      const restarter = await openRestarter(() => served.restart?.());
      return {
        parts: (told) => partsOf(served.settings, ports, told),
        get env() {
          return { ...environmentOf(served.settings, ports), RESTART: restarter.command };
        },
        // Codes, pauses and faults of an earlier script would change what the next one shows.
        async reset() {
          await served.close();
          served = await serve();
        },
        async close() {
          await restarter.close();
          await served.close();
        },
      };
    },
  };
}
